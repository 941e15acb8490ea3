"""Whether a change that verifies makes sense: cases that a body tells apart stay apart.

A precondition under which a branch is never taken, a condition that is always true, branches that
do the same and a result that is the same for all arguments make many claims true, and are meant by
nobody: the body was written for cases that would be gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pitviper.base.record import replace
from pitviper.explain.advice.case import conjuncts, reads_heap, substituted
from pitviper.explain.advice.runs.run import Jump, Nothing, Run, Value
from pitviper.explain.advice.runs.trial import starts_of, unknown_of
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, free_vars, rewrite
from pitviper.source.span import Span

PROBE = "cases?"
"""The name of a method that nobody can have written."""

_MOST_RUNS = 60
_FEWEST_RUNS = 4
"""Runs of which all have to give one value, so that it is believed to be no accident."""


def cases_of(member: Method | Function) -> tuple[str, ...]:
    """Preconditions and conditions as text: only where these change may a case be lost."""
    inside = () if member.body is None else descendants(member.body)
    kinds = (s.If, s.While, x.Conditional)
    conditions = [text_of(n.condition) for n in inside if isinstance(n, kinds)]
    return (*[text_of(clause) for clause in member.preconditions], "|", *conditions)


def probing(program: Program, name: str) -> tuple[Program, str, tuple[Span, ...]] | None:
    """A program with a `refute false` for each case of a member: those that fail are never met.

    The name of the method that has them, and their places.
    """
    member = program.methods.get(name) or program.functions.get(name)
    if member is None or member.body is None:
        return None
    if isinstance(member, Method):
        assert isinstance(member.body, s.Block)
        body = rewrite(member.body, _with_probes)
        first = (*_promised_cases(member), *_asked_cases(member))
        body = replace(body, statements=(*first, *body.statements))
        probe = replace(member, body=body)
    else:
        assert isinstance(member.body, x.Expr)
        steps = (*_promised_cases(member), *_asked_cases(member), *_steps(member.body))
        body = s.Block(steps, span=member.span)
        probe = Method(
            PROBE, member.params, (), member.preconditions, (), (), body, span=member.span
        )
    places = tuple([node.span for node in descendants(body) if isinstance(node, s.Refute)])
    methods = {**program.methods, probe.name: probe}
    return (replace(program, methods=methods), probe.name, places) if places else None


def _promised_cases(member: Method | Function) -> Iterator[s.Stmt]:
    """The cases for which a promise says something, by the arguments: `n == 0 ==> result == 0`."""
    known = {param.name for param in member.params}
    for clause in member.postconditions:
        for fact in conjuncts(clause):
            match fact:
                case x.Implies(left) if free_vars(left) <= known and not reads_heap(left):
                    first = _ends(left.span)[0]
                    block = s.Block((_refute(first),), span=left.span)
                    yield s.If(left, block, s.Block((), span=left.span), span=left.span)
                case _:
                    pass


def _asked_cases(member: Method | Function) -> Iterator[s.Stmt]:
    """For each bound that is asked for, that it is not met by equal values only."""
    for clause in member.preconditions:
        for fact in conjuncts(clause):
            match fact:
                case x.Compare(x.CompareOp.LE | x.CompareOp.GE, left, right) if not reads_heap(
                    fact
                ):
                    apart = x.NotEqual(left, right, span=fact.span)
                    block = s.Block((_refute(_ends(fact.span)[1]),), span=fact.span)
                    yield s.If(apart, block, s.Block((), span=fact.span), span=fact.span)
                case _:
                    pass


def _with_probes(node: Node) -> Node | None:
    match node:
        case s.If(condition, then, otherwise):
            first, last = _ends(condition.span)
            return replace(node, then=_probed(then, first), otherwise=_probed(otherwise, last))
        case s.While(condition=condition, body=body):
            return replace(node, body=_probed(body, _ends(condition.span)[0]))
        case s.Assert(claim) | s.Exhale(claim):
            probes = tuple(_supposed_cases(claim))
            return s.Block((*probes, node), span=node.span) if probes else None
        case _:
            return None


def _supposed_cases(claim: Node) -> Iterator[s.Stmt]:
    """The cases that a claim is about: `i >= 0` of `i >= 0 ==> s[i] > 0`, the range of `forall`."""
    for fact in conjuncts(claim):
        match fact:
            case x.Implies(left, right):
                inner = (_refute(_ends(left.span)[0]), *_supposed_cases(right))
                block = s.Block(inner, span=left.span)
                yield s.If(left, block, s.Block((), span=left.span), span=left.span)
            case x.Forall(variables, _, x.Implies() as body):
                others = tuple([replace(v, name=f"{v.name}?") for v in variables])
                declared = [s.Declare(v, span=v.span) for v in others]
                inside = _supposed_cases(substituted(body, variables, others))
                yield s.Block((*declared, *inside), span=fact.span)
            case _:
                pass


def _ends(span: Span) -> tuple[Span, Span]:
    return Span(span.file, span.start, span.start), Span(span.file, span.end, span.end)


def _probed(block: s.Block, at: Span) -> s.Block:
    return replace(block, statements=(_refute(at), *block.statements))


def _refute(at: Span) -> s.Refute:
    return s.Refute(x.BoolLit(value=False, span=at), span=at)


def _steps(value: x.Expr) -> Iterator[s.Stmt]:
    """Statements that take the cases of an expression apart."""
    match value:
        case x.Conditional(condition, then, otherwise):
            first, last = _ends(condition.span)
            yield s.If(
                condition,
                s.Block((_refute(first), *_steps(then)), span=value.span),
                s.Block((_refute(last), *_steps(otherwise)), span=value.span),
                span=value.span,
            )
        case x.Unfolding(predicate, amount, body):
            yield s.Unfold(predicate, amount, span=value.span)
            yield from _steps(body)
        case x.And() | x.Or() | x.Implies() | x.Let() | x.Forall() | x.Exists():
            return
        case _:
            for inner in children(value):
                if isinstance(inner, x.Expr):
                    yield from _steps(inner)


def same_branches(member: Method | Function) -> int:
    """How many branches do the same as those beside them."""
    found = 0
    for node in () if member.body is None else descendants(member.body):
        match node:
            case x.Conditional(_, then, otherwise) if text_of(then) == text_of(otherwise):
                found += 1
            case s.If(_, then, otherwise) if then.statements and then == otherwise:
                found += 1
    return found


def endless_loops(member: Method | Function) -> int:
    """How many loops stand still: an iteration changes nothing that their conditions read.

    `while (true)` is meant to go on.
    """
    found = 0
    for node in () if member.body is None else descendants(member.body):
        match node:
            case s.While(condition=condition, body=body) if not reads_heap(condition):
                leaves = any(isinstance(n, s.Goto | s.Inhale) for n in descendants(body))
                asked = free_vars(condition)
                found += bool(asked) and not leaves and not asked & _changed(body)
    return found


def _changed(body: s.Block) -> set[str]:
    """Variables that get another value; `i := i + 0` gives none."""
    found = set[str]()
    for node in descendants(body):
        match node:
            case s.LocalAssign(target) if not _is_idle(node):
                found.add(target.name)
            case s.New(target):
                found.add(target.name)
            case s.MethodCall(targets=targets):
                found |= {target.name for target in targets}
            case _:
                pass
    return found


def _is_idle(step: s.LocalAssign) -> bool:
    name = step.target.name
    match step.value:
        case x.Var(other):
            return other == name
        case x.IntArith(x.IntOp.ADD | x.IntOp.SUB, x.Var(other), x.IntLit(0)):
            return other == name
        case x.IntArith(x.IntOp.MUL | x.IntOp.DIV, x.Var(other), x.IntLit(1)):
            return other == name
        case _:
            return False


def is_emptied(before: tuple[Program, str], after: Program) -> bool:
    """Whether a result is one value for all arguments, and was not."""
    program, name = before
    old, new = _results(program, name), _results(after, name)
    return len(new) >= _FEWEST_RUNS and len(set(new)) == 1 and len(set(old)) > 1


def _results(program: Program, name: str) -> list[tuple[Value, ...]]:
    """What a member gives for small values."""
    member = program.methods.get(name) or program.functions.get(name)
    if member is None or member.body is None or _is_said(member):
        return []
    found = list[tuple[Value, ...]]()
    for values in islice(starts_of(dict(unknown_of(member, program)), member, program), _MOST_RUNS):
        run = Run(program, values)
        try:
            if not all(run.number(clause) for clause in member.preconditions):
                continue
            if isinstance(member, Function):
                found.append((run.value(member.body),))
                continue
            assert isinstance(member.body, s.Block)
            run.block(member.body)
            found.append(tuple([run.values[result.name] for result in member.returns]))
        except (Nothing, Jump, RecursionError, KeyError):
            continue
    return found


def _is_said(member: Method | Function) -> bool:
    """Whether there is no result, no argument, or a promise that names one value for all."""
    if not member.params or (isinstance(member, Method) and not member.returns):
        return True
    return any(
        isinstance(clause, x.Equal) and not free_vars(clause.right)
        for clause in member.postconditions
    )
