"""Expressions that are typed in beside a program: read, type-checked and lowered on their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Protocol

from pitviper.base.record import record
from pitviper.checking.collect import collect
from pitviper.checking.context import Context, Rules
from pitviper.checking.infer import closed, expect, formula
from pitviper.checking.lower.expressions import lower
from pitviper.checking.macros.replace import expand_macros
from pitviper.checking.options import CheckOptions
from pitviper.checking.report import Report
from pitviper.checking.scope import Globals, Local, similar
from pitviper.checking.wellformed.findings import Findings
from pitviper.checking.wellformed.formulas import Formulas
from pitviper.checking.wellformed.places import STATEMENT
from pitviper.program.assertion import Assertion
from pitviper.program.expr import Old
from pitviper.program.node import Node
from pitviper.program.types import Type
from pitviper.program.walk import descendants, rewrite
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span
from pitviper.syntax import tree
from pitviper.syntax.parse.lexer import versioned_tokens
from pitviper.syntax.parse.parser import parse_expression


@record
class InputScope:
    """What a typed-in expression may mention.

    `variables` maps a name to its name in the typed program and its type; names with versions are
    among them. `labels` are the states that `old[...]` may name. `result` is that of a function.
    `expected` is the type that it must have; None for a formula, or with `any_type` for whatever
    type it has.
    """

    variables: Mapping[str, tuple[str, Type]]
    labels: Collection[str]
    result: Type | None = None
    expected: Type | None = None
    any_type: bool = False
    member: str = ""
    """Where the expression is looked at: the names of a class are known inside of it."""


class InputReader(Protocol):
    """Reads expressions that are typed in beside a program, in the language of the program."""

    def knows(self, name: str) -> bool:
        """Whether the program declares a function, predicate or constructor of this name."""

    def check(
        self, text: str, scope: InputScope
    ) -> tuple[Assertion | None, tuple[Diagnostic, ...]]:
        """The typed expression, or what is wrong with it."""


class TypedInput:
    """Checks expressions against the members of a program, whose imports have been spliced."""

    def __init__(self, members: tuple[tree.Member, ...], options: CheckOptions) -> None:
        self._members = members
        self._options = options

    @cached_property
    def _table(self) -> Globals:
        cx = Context(Globals(), Report(), self._options, lower)
        collect(expand_macros(self._members).members, 0, cx)
        return cx.table

    def knows(self, name: str) -> bool:
        """Whether the members declare a function, predicate or constructor of this name."""
        return name in self._table.callees

    def check(
        self, text: str, scope: InputScope
    ) -> tuple[Assertion | None, tuple[Diagnostic, ...]]:
        """The typed expression, or what is wrong with it."""
        file = SourceFile(Path("<input>"), text)
        parsed, problems = parse_expression(file, versioned_tokens(file))
        if parsed is None:
            return None, _errors(problems)
        expanded, problems = self._expanded(parsed)
        if problems:
            return None, _errors(problems)
        return self._lowered(expanded, scope)

    def _expanded(self, e: tree.Expr) -> tuple[tree.Expr, tuple[Diagnostic, ...]]:
        """Without macros of the program."""
        macros = tuple([m for m in self._members if isinstance(m, tree.Define)])
        if not macros:
            return e, ()
        name = tree.Identifier("input", span=e.span)
        wrapped = tree.Predicate(name, (), e, span=e.span, annotations=())
        done = expand_macros((*macros, wrapped))
        last = done.members[-1]
        assert isinstance(last, tree.Predicate) and last.body is not None
        return last.body, done.diagnostics

    def _lowered(
        self, e: tree.Expr, scope: InputScope
    ) -> tuple[Assertion | None, tuple[Diagnostic, ...]]:
        cx = Context(self._table, Report(), self._options, lower)
        cx.enter_member(len(self._members), lambda: set(self._table.names))
        cx.rules = Rules(result=scope.result)
        for name, (local, type_) in scope.variables.items():
            cx.scope.bind(name, Local(local, type_, e.span))
        lowered = _typed(e, scope, cx)
        if cx.report.failed:
            return None, _errors(cx.report.shown())
        findings = Findings()
        rules = {} if scope.result is not None else STATEMENT
        Formulas(findings).check((lowered,), rules, e.span)
        problems = (*findings.errors, *_unknown_labels(lowered, scope.labels))
        return (None, problems) if problems else (_plain_labels(lowered), ())


def _typed(e: tree.Expr, scope: InputScope, cx: Context) -> Assertion:
    if scope.any_type:
        return closed(cx.lower(e, cx), cx)
    return formula(e, cx) if scope.expected is None else expect(e, scope.expected, cx)


def _errors(problems: Collection[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple([p for p in problems if p.severity is Severity.ERROR])


def plain_label(label: str) -> str:
    """`debug@4` for `debug@4#l:21`."""
    return label.partition("#")[0]


def _unknown_labels(root: Node, labels: Collection[str]) -> list[Diagnostic]:
    found = []
    for node in descendants(root):
        if isinstance(node, Old) and node.label not in (None, "lhs"):
            label = plain_label(node.label or "")
            if label not in labels:
                message = f"there is no state `{node.label}` here"
                help_ = similar(label, labels)
                error = Severity.ERROR
                code = "consistency.error"
                span = _label_span(node)
                found.append(Diagnostic(code, error, span, message, help=help_))
    return found


def _label_span(node: Old) -> Span:
    start = node.span.start + node.span.text.find(node.label or "")
    return Span(node.span.file, start, start + len(node.label or ""))


def _plain_labels(root: Assertion) -> Assertion:
    def rule(node: Node) -> Node | None:
        if isinstance(node, Old) and node.label is not None and "#" in node.label:
            return Old(plain_label(node.label), node.operand, span=node.span)
        return None

    return rewrite(root, rule)
