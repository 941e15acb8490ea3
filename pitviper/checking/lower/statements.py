"""Lowering of statements."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import assert_never

from pitviper.base.record import replace
from pitviper.checking.collect import resolve
from pitviper.checking.context import Context
from pitviper.checking.infer import expect, formula
from pitviper.checking.lower import assignments
from pitviper.checking.lower.assume import assume
from pitviper.checking.lower.binders import bound_variables
from pitviper.checking.lower.contracts import invariants_and_measures
from pitviper.checking.lower.resources import foldable, havoc_target, plain, wand_operand
from pitviper.checking.scope import Local
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.assertion import Assertion
from pitviper.program.node import FROM_FRONT_ENDS, Annotation
from pitviper.program.types import BOOL
from pitviper.syntax import foreign, tree


def notes(annotations: tuple[tree.Annotation, ...]) -> tuple[Annotation, ...]:
    """Annotations with the values of repeated keys put together; none that is a front end's."""
    if not annotations:
        return ()
    values: dict[str, list[str]] = {}
    for note in annotations:
        if note.key in FROM_FRONT_ENDS:
            continue
        values.setdefault(note.key, []).extend(note.values)
    return tuple([Annotation(key, tuple(given)) for key, given in values.items()])


def block(b: tree.Block, cx: Context) -> s.Block:
    """`{ ... }`, which is a scope."""
    cx.scope.enter()
    statements: list[s.Stmt] = []
    before: tree.Stmt | None = None
    told = False
    """Whether what stands in front has an error: only then nothing is said about the next."""
    for statement, after in zip_longest(b.statements, b.statements[1:]):
        if before is None or not told or not _belongs_to_word(statement, before, cx):
            mark, errors = cx.report.mark(), cx.report.error_count
            statements += lower_stmt(statement, cx)
            told = cx.report.error_count > errors
            if told and after is not None and _is_left_of_word(statement, after, cx):
                cx.report.forget_since(mark)  # the word gets an error, and is the reason
                told = False
        before = statement
    cx.scope.leave()
    return s.Block(tuple(statements), span=b.span, annotations=notes(b.annotations))


def _is_word(st: tree.Stmt, cx: Context) -> bool:
    return isinstance(st, tree.ExprStatement) and assignments.is_operator_word(st.expr, cx)


def _is_left_of_word(st: tree.Stmt, after: tree.Stmt, cx: Context) -> bool:
    """Whether it ends with the left operand of a word that is reported next."""
    if not _is_word(after, cx) or _is_word(st, cx):
        return False
    return not _belongs_to_word(after, st, cx)


def _belongs_to_word(st: tree.Stmt, before: tree.Stmt, cx: Context) -> bool:
    """Whether it is the operand of a word of another language, of which enough is said.

    `assert a and b` reads as three statements, `return x` as two.
    """
    if not isinstance(st, tree.ExprStatement) or before.span.file is not st.span.file:
        return False
    gap = st.span.file.text[before.span.end : st.span.start]
    word = _LAST_WORD.search(before.span.text)
    if word is None or not gap or gap.strip(" \t"):
        return False
    if _is_word(before, cx):
        return True
    known = foreign.is_foreign(word[0]) or word[0] in foreign.TYPES
    return known and cx.scope.find(word[0]) is None


_LAST_WORD = re.compile(r"(?<![\w$'.])[A-Za-z]+$")


def lower_stmt(st: tree.Stmt, cx: Context) -> list[s.Stmt]:
    """A statement of the source is a sequence of statements of the typed program."""
    match st:
        case tree.AssertionStatement():
            return _assertion(st, cx)
        case tree.Assign():
            targets = tuple([assignments.target(e, cx) for e in st.targets])
            return assignments.assign(targets, st.value, _place(st), cx)
        case tree.VarDeclaration():
            return _declaration(st, cx)
        case tree.ExprStatement():
            return assignments.assign((), st.expr, _place(st), cx)
        case tree.If():
            return [_conditional(st, cx)]
        case tree.FoldUnfold():
            return _fold(st, cx)
        case tree.While():
            return [_loop(st, cx)]
        case tree.Label():
            return [_label(st, cx)]
        case tree.Goto():
            note = notes(st.annotations)
            return [s.Goto(st.target.name, span=st.span, annotations=note)]
        case tree.Block():
            return [block(st, cx)]
        case tree.Package():
            return _package(st, cx)
        case tree.Apply():
            found = wand_operand(st.wand, cx)
            note = notes(st.annotations)
            return [] if found is None else [s.Apply(found, span=st.span, annotations=note)]
        case tree.Quasihavoc() | tree.QuasihavocAll():
            return _quasihavoc(st, cx)
        case tree.Unreachable():
            return [s.Unreachable(span=st.span, annotations=notes(st.annotations))]
        case tree.Define():
            raise AssertionError("macros are expanded before types are checked")
        case _:
            assert_never(st)


def _place(st: tree.Statement) -> assignments.Place:
    return assignments.Place(st.span, notes(st.annotations))


# ---------------------------------------------------------------- single statements


def _assertion(st: tree.AssertionStatement, cx: Context) -> list[s.Stmt]:
    """`inhale`, `exhale`, `assert`, `assume`, `refute`."""
    note = notes(st.annotations)
    match st.kind:
        case "inhale":
            inhaled = formula(st.assertion, cx)
            return [s.Inhale(inhaled, span=st.span, annotations=note)]
        case "exhale":
            exhaled = formula(st.assertion, cx)
            return [s.Exhale(exhaled, span=st.span, annotations=note)]
        case "assert":
            asserted = formula(st.assertion, cx)
            if any(a.key == CUT for a in note):
                return _cut(st, asserted, cx)
            return [s.Assert(asserted, span=st.span, annotations=note)]
        case "refute":
            refuted = expect(st.assertion, BOOL, cx)
            return [s.Refute(refuted, span=st.span, annotations=note)]
        case "assume":
            before = cx.rules
            cx.rules = replace(before, assuming=True)
            assumed = formula(st.assertion, cx)
            cx.rules = before
            parts = assume(assumed, cx)
            return [s.Inhale(part, span=st.span, annotations=note) for part in parts]


CUT = "cut"
"""The annotation that makes an `assert` a cut."""


def _cut(st: tree.AssertionStatement, asserted: Assertion, cx: Context) -> list[s.Stmt]:
    """`@cut() assert A`: nothing but A is known from here on; other tools read an `assert`."""
    if cx.options.strict:
        cure = "leave out the annotation, or --strict"
        cx.report.error(st.span, "`@cut` is an extension of Pitviper", help=cure)
    rest = tuple([a for a in notes(st.annotations) if a.key != CUT])
    return [s.Cut(asserted, span=st.span, annotations=rest)]


def _declaration(st: tree.VarDeclaration, cx: Context) -> list[s.Stmt]:
    """`var x: T, y: U := rhs`: the variables are in scope on the right side."""
    declared: list[s.Stmt] = []
    targets: list[assignments.Target] = []
    for binding in st.variables:
        t = resolve(binding.type, cx)
        name = cx.scope.unique(binding.name.name)
        cx.declare(binding.name, Local(name, t, binding.name.span, assignable=True))
        variable = x.Var(name, t, span=binding.span)
        declared.append(s.Declare(variable, span=st.span))
        targets.append(assignments.VariableTarget(variable, binding.name.span))
    if st.init is None:
        return declared
    return declared + assignments.assign(tuple(targets), st.init, _place(st), cx)


def _fold(st: tree.FoldUnfold, cx: Context) -> list[s.Stmt]:
    found = foldable(st.resource, f"{st.kind}ed", cx)
    if found is None:
        return []
    node = s.Fold if st.kind == "fold" else s.Unfold
    return [node(*found, span=st.span, annotations=notes(st.annotations))]


def _package(st: tree.Package, cx: Context) -> list[s.Stmt]:
    found = wand_operand(st.wand, cx)
    script = s.Block((), span=st.span) if st.script is None else block(st.script, cx)
    if found is None:
        return []
    return [s.Package(found, script, span=st.span, annotations=notes(st.annotations))]


def _label(st: tree.Label, cx: Context) -> s.Stmt:
    cx.scope.pass_label(st.name)
    invariants = tuple([formula(clause.condition, cx) for clause in st.invariants])
    return s.Label(st.name.name, invariants, span=st.span, annotations=notes(st.annotations))


# ---------------------------------------------------------------- control flow


def _conditional(st: tree.If, cx: Context) -> s.If:
    """A chain of `elseif` is put together from its end."""
    heads: list[tuple[tree.If, x.Expr, s.Block]] = []
    rest: tree.Block | tree.If | None = st
    while isinstance(rest, tree.If):
        heads.append((rest, expect(rest.condition, BOOL, cx, "condition"), block(rest.then, cx)))
        rest = rest.otherwise
    last = s.Block((), span=heads[-1][0].span) if rest is None else block(rest, cx)
    for head, condition, then in reversed(heads):
        node = s.If(condition, then, last, span=head.span, annotations=notes(head.annotations))
        last = s.Block((node,), span=head.span)
    return node


def _loop(st: tree.While, cx: Context) -> s.While:
    condition = expect(st.condition, BOOL, cx, "condition")
    invariants, measures = invariants_and_measures(st.specs, cx)
    body = block(st.body, cx)
    return s.While(
        condition, invariants, measures, body, span=st.span, annotations=notes(st.annotations)
    )


def _quasihavoc(st: tree.Quasihavoc | tree.QuasihavocAll, cx: Context) -> list[s.Stmt]:
    """`quasihavoc c ==> r`, and for all values of variables."""
    variables: tuple[x.Var, ...] = ()
    cx.scope.enter()
    if isinstance(st, tree.QuasihavocAll):
        variables = bound_variables(st.variables, cx)
    operand, condition = plain(st.operand), None
    if isinstance(operand, tree.Binary) and operand.op == "==>":
        condition = expect(operand.left, BOOL, cx)
        operand = operand.right
    found = havoc_target(operand, st.span, cx)
    cx.scope.leave()
    if found is None:
        return []
    note = notes(st.annotations)
    if isinstance(st, tree.Quasihavoc):
        return [s.Quasihavoc(condition, found, span=st.span, annotations=note)]
    return [s.QuasihavocAll(variables, condition, found, span=st.span, annotations=note)]
