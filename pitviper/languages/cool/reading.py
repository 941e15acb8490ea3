"""Expressions of the object language that are typed in beside a program: in the debugger, for
counterexamples, and where a recorded run stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pitviper.base.record import replace
from pitviper.checking.report import Report
from pitviper.checking.typed_input import InputScope, plain_label
from pitviper.languages.cool.classes import Table
from pitviper.languages.cool.expressions import assertion, pure
from pitviper.languages.cool.parser import parse_input
from pitviper.languages.cool.scope import Scope, Variable
from pitviper.languages.cool.types import BOOL, INT, ClassT, CoolType, SeqT, SetT
from pitviper.program import expr as x
from pitviper.program import types as core
from pitviper.program.assertion import Assertion, Impure
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants, rewrite
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span
from pitviper.syntax.parse.lexer import VERSIONED

Types = Mapping[str, Mapping[str, CoolType]]
"""By the name of a method, the types of its variables."""


class CoolInput:
    """Implements `InputReader` for a file of the object language."""

    def __init__(self, table: Table, types: Types, program: Program) -> None:
        self._table = table
        self._types = types
        self._program = program

    def knows(self, name: str) -> bool:
        return name in self._program.functions

    def check(
        self, text: str, scope: InputScope
    ) -> tuple[Assertion | None, tuple[Diagnostic, ...]]:
        """The typed expression, or what is wrong with it."""
        file = SourceFile(Path("<input>.cool"), text)
        versions = {_plain(match.group()): match.group() for match in VERSIONED.finditer(text)}
        for match in VERSIONED.finditer(text):
            name = match.group()
            if name not in scope.variables and plain_label(name) not in scope.labels:
                return None, (_error(Span(file, *match.span()), f"undeclared name `{name}`"),)
        masked = VERSIONED.sub(lambda match: _plain(match.group()), text)
        parsed, problems = parse_input(file, masked)
        if parsed is None:
            return None, problems
        report = Report()
        inside = self._scope(scope, versions, report, Span(file, 0, len(text)))
        with self._table.telling(report):
            if scope.any_type or scope.expected is not None:
                found: Assertion = pure(parsed, inside)[0]
            else:
                found = assertion(parsed, inside)
        if report.failed:
            return None, tuple(report.shown())
        problem = self._problem(found, scope, versions)
        return (None, (problem,)) if problem is not None else (_labelled(found, versions), ())

    def _scope(
        self, given: InputScope, versions: Mapping[str, str], report: Report, span: Span
    ) -> Scope:
        owner = self._table.classes.get(given.member.partition(".")[0])
        scope = Scope(self._table, report, owner, {}, has_old=True)
        known = self._types.get(given.member, {})
        written = {name: plain for plain, name in versions.items()}
        for name, (local, type_) in given.variables.items():
            base = name.partition("@")[0]
            kind = known.get(base) or _kind_of(type_)
            if base == "this" and owner is not None:
                kind = ClassT(owner.name)
            variable = x.Var(local, type_, span=span)
            scope.variables[written.get(name, name)] = Variable(
                variable, kind, is_fixed=True, span=span
            )
        result = given.variables.get("result")
        if result is not None:
            scope.result = known.get("result") or _kind_of(result[1])
            scope.result_is_variable = True
        elif given.result is not None:
            scope.result = _kind_of(given.result)
        return scope

    def _problem(
        self, found: Assertion, scope: InputScope, versions: Mapping[str, str]
    ) -> Diagnostic | None:
        """What is wrong with an expression that has a type."""
        for node in descendants(found):
            if isinstance(node, x.FunctionApp) and node.function not in self._program.functions:
                return _error(node.span, "the file says nothing about this state")
            if isinstance(node, x.Old) and node.label is not None:
                label = plain_label(versions.get(node.label, node.label))
                if label not in scope.labels:
                    return _error(node.span, f"there is no state `{label}` here")
        wanted = scope.expected
        if wanted is not None and not isinstance(found, Impure) and found.type != wanted:
            return _error(found.span, f"expected {_kind_of(wanted)}, found {_kind_of(found.type)}")
        return None


def _error(span: Span, message: str) -> Diagnostic:
    return Diagnostic("typechecker.error", Severity.ERROR, span, message)


def _plain(versioned: str) -> str:
    """A name of the same length, without `@`."""
    return re.sub(r"[^A-Za-z0-9_]", "_", versioned)


def _labelled(found: Assertion, versions: Mapping[str, str]) -> Assertion:
    def rule(node: Node) -> Node | None:
        if isinstance(node, x.Old) and node.label is not None and node.label in versions:
            return replace(node, label=plain_label(versions[node.label]))
        return None

    return rewrite(found, rule)


def _kind_of(type_: core.Type) -> CoolType:
    """A type of the object language for one of the core; of references it is not known more."""
    match type_:
        case core.IntType():
            return INT
        case core.BoolType():
            return BOOL
        case core.SeqType(element):
            return SeqT(_kind_of(element))
        case core.SetType(element):
            return SetT(_kind_of(element))
        case _:
            return ClassT("Object")


def type_words(types: Types) -> dict[str, dict[str, str]]:
    """The same, in words of the file."""
    return {name: {v: str(t) for v, t in found.items()} for name, found in types.items()}
