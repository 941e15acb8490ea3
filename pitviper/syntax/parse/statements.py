"""Statements and the clauses of contracts and loops."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from pitviper.base.record import replace
from pitviper.syntax import tree
from pitviper.syntax.foreign import STATEMENTS as STATEMENTS_ELSEWHERE
from pitviper.syntax.parse.atoms import ATOMS, WAND
from pitviper.syntax.parse.complaints import (
    MEMBER_WORDS,
    STATEMENT_WORDS,
    TYPE_WORDS,
    misspelt,
    parameter_type,
)
from pitviper.syntax.parse.cursor import ParseFailure
from pitviper.syntax.parse.expressions import ExprParser
from pitviper.syntax.token import BAD, END, NAME

_Assertion: TypeAlias = Literal["inhale", "exhale", "assert", "assume", "refute"]
_ClauseKind: TypeAlias = Literal["requires", "ensures", "invariant"]

_CONDITION = "a condition stands in parentheses, as in `(x > 0)`"


class StmtParser(ExprParser):
    """One method for each statement; it begins at the statement's keyword."""

    __slots__ = ()

    # ------------------------------------------------------------ blocks

    def block(self) -> tree.Block:
        opened = self.expect("{")
        self.depth += 1
        if self.depth > self.peak:
            self.deeper()
        depth = self.depth
        statements: list[tree.Stmt] = []
        while not self.accept("}"):
            start = self.at
            try:
                statements.append(self.statement(opened))
            except ParseFailure as failure:
                self._go_on(failure, start)
                self.depth = depth
            self.accept(";")
        self.depth -= 1
        return tree.Block(tuple(statements), span=self.span_from(self.starts[opened]))

    def _go_on(self, failure: ParseFailure, start: int) -> None:
        """Keeps the error of the statement from `start`, and moves to the next one of the block.

        That is one that begins a line, or the end of the block. Where a declaration begins
        before, or the file ends, a brace is missing, and the member fails as a whole.
        """
        word = self.text[self.starts[start] : self.ends[start]]
        if self.kinds[start] == NAME and word in STATEMENTS_ELSEWHERE and not failure.blames:
            help_ = STATEMENTS_ELSEWHERE[word]
            failure.diagnostic = replace(failure.diagnostic, help=help_, related=())
        kinds, depth = self.kinds, 0
        for at in range(start, len(kinds)):
            kind = kinds[at]
            if kind == END or (at >= failure.at and self._declares(at)):
                raise failure
            if depth == 0 and at >= failure.at and self._resumes(at, failure.at, start):
                if failure.diagnostic not in self.errors:  # one word may be the reason of several
                    self.errors.append(failure.diagnostic)
                self.at = at
                return
            depth += (kind == "{") - (kind == "}")
        raise failure

    def _declares(self, at: int) -> bool:
        kind = self.kinds[at]
        return kind in MEMBER_WORDS and kind != "define" and self.kinds[at + 1] != "("

    def _resumes(self, at: int, failed: int, start: int) -> bool:
        kind = self.kinds[at]
        if kind == "}":
            return True
        if at == failed and (at == start or kind not in STATEMENTS or kind == "{"):
            return False
        if kind not in STATEMENTS and kind not in (NAME, "let"):
            return False
        line = self.text.rfind("\n", 0, self.starts[at]) + 1
        return not self.text[line : self.starts[at]].strip()

    def statement(self, opened: int) -> tree.Stmt:
        """A statement of the block that the token with index `opened` begins."""
        kind = self.kinds[self.at]
        parse = STATEMENTS.get(kind)
        if parse is not None:
            return parse(self)
        if kind == "@":
            annotations = self.annotations()
            return replace(self.statement(opened), annotations=annotations)
        if kind == END or kind in MEMBER_WORDS:
            raise self.unclosed("a statement or `}`", opened)
        if kind not in ATOMS or kind == "|":
            raise self.unexpected("a statement")
        return self._assignment()

    # ------------------------------------------------------------ assignments, calls, declarations

    def _assignment(self) -> tree.Stmt:
        """`targets := e`, or a call or name that stands alone."""
        at = self.at
        start = self.starts[at]
        first = self.operand()
        if self.kinds[self.at] not in (",", ":="):
            if self.kinds[self.at] == BAD and not isinstance(first, tree.Name | tree.Call):
                raise self.unexpected("`:=`")
            if isinstance(first, tree.Name | tree.Call):
                return tree.ExprStatement(first, span=self.span_from(start))
            keyword = misspelt(self.tokens, at, STATEMENT_WORDS)
            own = self.slip("a statement") or self.slip("something that is done")
            help_ = own or keyword or "assign it, or `assert` or `assume` it"
            failure = self.failure("an expression is no statement", help_, first.span)
            raise self.blamed(self.blamed(failure, self.at, "a statement"), at, "a statement")
        targets = [self._target(first)]
        while self.accept(","):
            targets.append(self._target(self.operand()))
        if not self.accept(":="):
            raise self.unexpected("`,` or `:=`")
        return tree.Assign(tuple(targets), self.expression(), span=self.span_from(start))

    def _target(self, target: tree.Expr) -> tree.Expr:
        if isinstance(target, tree.Name | tree.FieldAccess | tree.Call):
            return target
        help_ = None
        if isinstance(target, tree.ResultLiteral):
            help_ = (
                f"a method names its results: write `{self._result()} := {self._value_behind()}`"
            )
        if isinstance(target, tree.Index):
            base, index = target.base.span.text, target.index.span.text
            type_ = parameter_type(self.tokens, base, self.at)
            help_ = _about_element(base, index, type_, self._value_behind())
        raise self.failure("only a variable or a field can be assigned to", help_, target.span)

    def _result(self) -> str:
        """The first result of the method around the place; else a name for one."""
        before = self.text[: self.starts[self.at]].rpartition("method ")[2]
        found = re.search(r"\breturns\s*\(\s*([A-Za-z_$][\w$]*)", before)
        return "res" if found is None else found[1]

    def _value_behind(self) -> str:
        """What is assigned, where it stands in the line; else three dots."""
        line = self.text[self.starts[self.at] :].partition("\n")[0]
        value = line.removeprefix(":=").partition("//")[0].partition(";")[0].partition("}")[0]
        return value.strip() if line.startswith(":=") and value.strip() else "..."

    def local(self) -> tree.VarBinding:
        """`x: T`, behind `var`."""
        name = self.identifier()
        if not self.accept(":"):
            raise self.missing_type(name, f"say its type as well, as in `var {name.name}: Int`")
        return tree.VarBinding(name, self.type_name(), span=self.span_from(name.span.start))

    def var(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        variables = self.comma_items(self.local)
        init = self.expression() if self.accept(":=") else None
        return tree.VarDeclaration(variables, init, span=self.span_from(start))

    # ------------------------------------------------------------ assertions, resources

    def inhale(self) -> tree.Stmt:
        return self._assertion("inhale")

    def exhale(self) -> tree.Stmt:
        return self._assertion("exhale")

    def assert_(self) -> tree.Stmt:
        return self._assertion("assert")

    def assume(self) -> tree.Stmt:
        return self._assertion("assume")

    def refute(self) -> tree.Stmt:
        return self._assertion("refute")

    def _assertion(self, kind: _Assertion) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        return tree.AssertionStatement(kind, self.expression(), span=self.span_from(start))

    def fold(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        return tree.FoldUnfold("fold", self.predicate_access(), span=self.span_from(start))

    def unfold(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        return tree.FoldUnfold("unfold", self.predicate_access(), span=self.span_from(start))

    def package(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        wand = self._wand()
        script = self.block() if self.kinds[self.at] == "{" else None
        return tree.Package(wand, script, span=self.span_from(start))

    def apply(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        return tree.Apply(self._wand(), span=self.span_from(start))

    def _wand(self) -> tree.Expr:
        wand = self.climb(WAND)
        if self.kinds[self.at] in ("==>", "<==>", "?"):
            help_ = "put the left side of the wand in parentheses: `(a ==> b) --* c`"
            raise self.unexpected("a magic wand", help_)
        return wand

    def quasihavoc(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        return tree.Quasihavoc(self.expression(), span=self.span_from(start))

    def quasihavocall(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        variables = self.comma_items(self.binding)
        self.expect("::", "write `quasihavocall x: T :: c ==> r`")
        return tree.QuasihavocAll(variables, self.expression(), span=self.span_from(start))

    # ------------------------------------------------------------ control flow

    def if_(self) -> tree.Stmt:
        """The arms are read in a loop and put together from the last one."""
        arms: list[tuple[int, tree.Expr, tree.Block]] = []
        otherwise: tree.Block | tree.If | None = None
        while True:
            start = self.starts[self.at]
            self.at += 1
            condition = self.in_parentheses(_CONDITION)
            arms.append((start, condition, self.block()))
            if len(arms) > self.chain:
                self.longer(len(arms))
            if not self._goes_on():
                break
        if self.accept("else"):
            otherwise = self.block()
        start, condition, then = arms.pop()
        last = tree.If(condition, then, otherwise, span=self.span_from(start))
        while arms:
            start, condition, then = arms.pop()
            last = tree.If(condition, then, last, span=self.span_from(start))
        return last

    def _goes_on(self) -> bool:
        """Whether an `elseif` follows; another way to write one is an error, and read as one."""
        kind, next_ = self.kinds[self.at], self.kinds[self.at + 1 : self.at + 3]
        if kind == "else" and next_ in (["if", "("], ["elseif", "("]):
            self.at += 1
            self.errors.append(self.unexpected("`{`").diagnostic)
            return True
        return kind == "elseif"

    def while_(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        condition = self.in_parentheses(_CONDITION)
        specs: list[tree.Specification] = []
        while (kind := self.kinds[self.at]) == "invariant" or kind == "decreases":
            specs.append(self.clause("invariant") if kind == "invariant" else self.decreases())
            self.accept(";")
        return tree.While(condition, tuple(specs), self.block(), span=self.span_from(start))

    def label(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        name = self.identifier()
        invariants: list[tree.Clause] = []
        while self.kinds[self.at] == "invariant":
            invariants.append(self.clause("invariant"))
            if self.kinds[self.at] == ";" and self.kinds[self.at + 1] == "invariant":
                self.at += 1
        return tree.Label(name, tuple(invariants), span=self.span_from(start))

    def goto(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        return tree.Goto(self.identifier(), span=self.span_from(start))

    def unreachable(self) -> tree.Stmt:
        start = self.starts[self.at]
        self.at += 1
        return tree.Unreachable(span=self.span_from(start))

    # ------------------------------------------------------------ clauses

    def clause(self, kind: _ClauseKind) -> tree.Clause:
        start = self.starts[self.at]
        self.at += 1
        return tree.Clause(kind, self.expression(), span=self.span_from(start))

    def decreases(self) -> tree.Decreases:
        at = self.at
        start = self.starts[at]
        self.at = at + 1
        if self.accept("*"):
            return tree.Decreases("star", (), None, span=self.span_from(start))
        if self.kinds[at + 1] == NAME and self.text[self.starts[at + 1] : self.ends[at + 1]] == "_":
            self.at = at + 2
            return tree.Decreases("wildcard", (), self._when(), span=self.span_from(start))
        measures = self.comma_items(self.expression) if self._begins_expression() else ()
        return tree.Decreases("tuple", measures, self._when(), span=self.span_from(start))

    def _when(self) -> tree.Expr | None:
        return self.expression() if self.accept("if") else None

    def _begins_expression(self) -> bool:
        """Is the next token part of a measure, or does the next member begin there?"""
        kind = self.kinds[self.at]
        if kind == "domain":
            return self.kinds[self.at + 1] == "("
        return kind in ATOMS and not (kind == "@" and self._annotates_member())

    def _annotates_member(self) -> bool:
        at, kinds = self.at, self.kinds
        while kinds[at] == "@":
            at += 1
            while kinds[at] not in (")", END):
                at += 1
            at = min(at + 1, len(kinds) - 1)
        return kinds[at] in MEMBER_WORDS and not (kinds[at] == "domain" and kinds[at + 1] == "(")

    # ------------------------------------------------------------ macros

    def define(self) -> tree.Define:
        start = self.starts[self.at]
        self.at += 1
        name = self.identifier()
        params = self._macro_parameters() if self._has_macro_parameters() else None
        body = self.block() if self.kinds[self.at] == "{" else self.expression()
        return tree.Define(name, params, body, span=self.span_from(start))

    def _has_macro_parameters(self) -> bool:
        """`(a, b)` is a parameter list; anything else in parentheses belongs to the body."""
        at, kinds = self.at, self.kinds
        if kinds[at] != "(":
            return False
        if kinds[at + 1] == ")":
            return True
        separator = "("
        while kinds[at] == separator and kinds[at + 1] == NAME:
            at, separator = at + 2, ","
        return at > self.at and kinds[at] == ")"

    def _macro_parameters(self) -> tuple[tree.Identifier, ...]:
        opened = self.expect("(")
        return self.comma_list(self.identifier, ")", opened)


def _about_element(base: str, index: str, type_: str | None, value: str) -> str:
    """What to write for `s[i] := e`, where `type_` is that of a parameter `s`."""
    if type_ is None:
        made = f"`{base} := {base}[{index} := {value}]`"
        return f"a collection is a value, which never changes: a new one takes its place, {made}"
    if type_.partition("[")[0] in TYPE_WORDS:
        given = f"var {base}2: {type_} := {base}[{index} := {value}]"
        return (
            f"a collection is a value, which never changes: make a new one, `{given}`; parameters "
            "keep their values"
        )
    return (
        f"there is no `{type_}` whose elements can be assigned: elements that change are fields of "
        f"objects, as in `{base}[{index}].val := ...` with `{base}: Seq[Ref]` and permission to "
        f"them; a `Seq[Int]` is a value, which `{base}[{index} := ...]` changes into another"
    )


STATEMENTS: dict[str, Callable[[StmtParser], tree.Stmt]] = {
    "{": StmtParser.block,
    "var": StmtParser.var,
    "inhale": StmtParser.inhale,
    "exhale": StmtParser.exhale,
    "assert": StmtParser.assert_,
    "assume": StmtParser.assume,
    "refute": StmtParser.refute,
    "fold": StmtParser.fold,
    "unfold": StmtParser.unfold,
    "package": StmtParser.package,
    "apply": StmtParser.apply,
    "if": StmtParser.if_,
    "while": StmtParser.while_,
    "label": StmtParser.label,
    "goto": StmtParser.goto,
    "quasihavoc": StmtParser.quasihavoc,
    "quasihavocall": StmtParser.quasihavocall,
    "unreachable": StmtParser.unreachable,
    "define": StmtParser.define,
}
"""What a statement may begin with, apart from an expression."""
