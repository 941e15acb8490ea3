"""`@verified_under("true") assert e`: proved elsewhere, so the verifier assumes it.

The annotation is what exploration leaves behind an assertion that held on every path. Only pure
assertions are assumed: of permissions, an `inhale` would make more than an `assert` has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from pitviper.base.record import replace
from pitviper.plugins.build import all_statements, replace_statements
from pitviper.plugins.step import PluginContext, Step
from pitviper.program.assertion import (
    Access,
    Binding,
    Choice,
    Guarded,
    InhaleExhale,
    QuantifiedPermission,
    Star,
    Wand,
)
from pitviper.program.member import Program
from pitviper.program.node import Annotation
from pitviper.program.stmt import Assert, Inhale, Stmt
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.span import Span

KEY = "verified_under"
CONDITION = "true"

_IMPURE = (Access, Binding, Choice, Guarded, InhaleExhale, QuantifiedPermission, Star, Wand)


def is_marked(statement: Stmt) -> bool:
    return isinstance(statement, Assert) and any(
        note.key == KEY and set(note.values) == {CONDITION} for note in statement.annotations
    )


def can_be_assumed(statement: Stmt) -> bool:
    return isinstance(statement, Assert) and not isinstance(statement.assertion, _IMPURE)


def assume_verified(program: Program, context: PluginContext) -> Step:
    if not any(is_marked(statement) for statement in all_statements(program)):
        return Step(program)
    return Step(in_all_bodies(program, _assumed))


def in_all_bodies(program: Program, rule: Callable[[Stmt], Sequence[Stmt]]) -> Program:
    methods = {
        name: m if m.body is None else replace(m, body=replace_statements(m.body, rule))
        for name, m in program.methods.items()
    }
    return replace(program, methods=methods)


def marking(program: Program, places: Collection[tuple[str, Span]]) -> Program:
    """The program with the assertions at these places of methods marked, and no others."""
    methods = {}
    for name, method in program.methods.items():
        here = {span for member, span in places if member == name}
        rule = partial(_marked, here)
        body = None if method.body is None else replace_statements(method.body, rule)
        methods[name] = method if body is method.body else replace(method, body=body)
    return replace(program, methods=methods)


def _marked(places: Collection[Span], statement: Stmt) -> Sequence[Stmt]:
    if not isinstance(statement, Assert):
        return (statement,)
    notes = tuple([note for note in statement.annotations if note.key != KEY])
    if statement.assertion.span in places:
        notes = (*notes, Annotation(KEY, (CONDITION,)))
    if notes == statement.annotations:
        return (statement,)
    return (replace(statement, annotations=notes),)


def about_marks(program: Program) -> tuple[Diagnostic, ...]:
    """Errors for marks that mean nothing here, and a warning that says what marks let pass."""
    found: list[Diagnostic] = []
    assumed: list[Stmt] = []
    for statement in all_statements(program):
        values = [note.values for note in statement.annotations if note.key == KEY]
        if not values:
            continue
        if not isinstance(statement, Assert):
            found.append(_wrong(statement, f"`@{KEY}` stands before `assert` only"))
        elif not is_marked(statement):
            told = ", ".join(f'"{value}"' for value in values[0])
            problem = f'`@{KEY}({told})`: the only condition that is known is "{CONDITION}"'
            found.append(_wrong(statement, problem))
        elif can_be_assumed(statement):
            assumed.append(statement)
    return (*found, *_told(assumed))


def _wrong(statement: Stmt, message: str) -> Diagnostic:
    helps = "`pitviper wizard --mark` writes such annotations, `--unmark` removes them"
    return Diagnostic("consistency.error", Severity.ERROR, statement.span, message, help=helps)


def _told(assumed: list[Stmt]) -> tuple[Diagnostic, ...]:
    """One warning for all assertions: nothing is assumed without a word."""
    spans = list(dict.fromkeys(statement.span for statement in assumed))
    if not spans:
        return ()
    number = "1 assertion is" if len(spans) == 1 else f"{len(spans)} assertions are"
    return (
        Diagnostic(
            "assertion.assumed",
            Severity.WARNING,
            spans[0],
            f'{number} assumed, not verified, because of `@{KEY}("{CONDITION}")`',
            tuple([Related(span, "assumed, too") for span in spans[1:]]),
            help="`pitviper wizard` proves them again; `--unmark` takes the marks away",
        ),
    )


def _assumed(statement: Stmt) -> Sequence[Stmt]:
    if not isinstance(statement, Assert) or not is_marked(statement):
        return (statement,)
    if not can_be_assumed(statement):
        return (statement,)
    notes = statement.annotations
    return (Inhale(statement.assertion, span=statement.span, annotations=notes),)
