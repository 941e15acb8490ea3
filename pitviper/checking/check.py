"""Checking of a program whose imports and macros are gone: names, types, side conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pitviper.base.record import record
from pitviper.checking.ambiguous import report_ambiguous
from pitviper.checking.collect import collect
from pitviper.checking.context import Context
from pitviper.checking.imports import missing_orders
from pitviper.checking.lower.expressions import lower
from pitviper.checking.lower.members import lower_member
from pitviper.checking.options import CheckOptions
from pitviper.checking.redeclared import blame_declarations
from pitviper.checking.report import Report
from pitviper.checking.scope import Globals
from pitviper.checking.wellformed import check_wellformed
from pitviper.program import member as m
from pitviper.program.pairs import lifted_everywhere
from pitviper.program.types import Type
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile
from pitviper.syntax import tree

M = TypeVar("M", m.Field, m.Method, m.Function, m.Predicate, m.Domain, m.Adt)


@record
class Checked:
    """The typed program, unless there is an error among the diagnostics."""

    program: m.Program | None
    diagnostics: tuple[Diagnostic, ...]


def check_members(members: tuple[tree.Member, ...], options: CheckOptions) -> Checked:
    """Resolve names, infer types, lower into the typed program, check its side conditions."""
    cx, found = _lowered(members, options)
    if cx.report.failed:
        report = cx.report
        report.replace_type_errors(
            blame_declarations(
                members,
                report.type_errors,
                report.misfits,
                lambda tried: _lowered(tried, options)[0].report.type_errors,
            )
        )
        report_ambiguous(members, cx.report)
        return Checked(None, _in_source_order(cx.report.shown(), members))
    found += _orders(cx.measures, len(members), cx)
    program = _program(found)
    findings = check_wellformed(program, options) + cx.report.shown()
    diagnostics = _in_source_order(findings, members)
    failed = any(finding.severity is Severity.ERROR for finding in findings)
    if failed:
        return Checked(None, diagnostics)
    return Checked(lifted_everywhere(program) if cx.has_pairs else program, diagnostics)


def _lowered(
    members: tuple[tree.Member, ...], options: CheckOptions
) -> tuple[Context, list[m.Member]]:
    """The members of the typed program, with what was found on the way."""
    cx = Context(Globals(), Report(), options, lower)
    collect(members, 0, cx)
    found: list[m.Member] = []
    for order, member in enumerate(members):
        found += lower_member(member, order, cx)
    return cx, found


def _orders(measures: list[Type], first: int, cx: Context) -> list[m.Member]:
    """Library domains for the termination measures; given up if they do not fit the program."""
    members = missing_orders(measures, cx.table)
    mark = cx.report.mark()
    collect(members, first, cx)
    found: list[m.Member] = []
    for order, member in enumerate(members, first):
        found += lower_member(member, order, cx)
    if cx.report.failed:
        cx.report.forget_since(mark)
        return []
    return found


def order_domains(measures: list[Type]) -> Mapping[str, m.Domain]:
    """The library domains for measures of these types, for a program that has no domains."""
    cx = Context(Globals(), Report(), CheckOptions(), lower)
    return _program(_orders(measures, 0, cx)).domains


def _program(members: list[m.Member]) -> m.Program:
    def named(kind: type[M]) -> dict[str, M]:
        return {member.name: member for member in members if isinstance(member, kind)}

    return m.Program(
        named(m.Field),
        named(m.Method),
        named(m.Function),
        named(m.Predicate),
        named(m.Domain),
        named(m.Adt),
    )


def _in_source_order(
    findings: list[Diagnostic], members: tuple[tree.Member, ...]
) -> tuple[Diagnostic, ...]:
    """By file, in the order in which the program has them, then by place."""
    files: dict[SourceFile, int] = {}
    for member in members:
        files.setdefault(member.span.file, len(files))

    def place(finding: Diagnostic) -> tuple[int, int]:
        if finding.span is None:
            return (-1, 0)
        return files.get(finding.span.file, len(files)), finding.span.start

    return tuple(sorted(findings, key=place))
