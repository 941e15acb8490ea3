"""`@verified_under("true") assert e`: proved elsewhere, so the verifier assumes it.

The annotation is what exploration leaves behind an assertion that held on every path. Only pure
assertions are assumed: of permissions, an `inhale` would make more than an `assert` has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pitviper.plugins.statements import all_statements, replace_statements
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
from pitviper.source.span import Span

KEY = "verified_under"
CONDITION = "true"

_IMPURE = (Access, Binding, Choice, Guarded, InhaleExhale, QuantifiedPermission, Star, Wand)


def is_marked(statement: Stmt) -> bool:
    return isinstance(statement, Assert) and any(
        note.key == KEY and note.values == (CONDITION,) for note in statement.annotations
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


def marking(program: Program, places: frozenset[Span]) -> Program:
    """The program with the assertions at these places marked."""

    def marked(statement: Stmt) -> Sequence[Stmt]:
        if isinstance(statement, Assert) and statement.assertion.span in places:
            note = Annotation(KEY, (CONDITION,))
            return (replace(statement, annotations=(*statement.annotations, note)),)
        return (statement,)

    return in_all_bodies(program, marked)


def _assumed(statement: Stmt) -> Sequence[Stmt]:
    if not isinstance(statement, Assert) or not is_marked(statement):
        return (statement,)
    if not can_be_assumed(statement):
        return (statement,)
    notes = statement.annotations
    return (Inhale(statement.assertion, span=statement.span, annotations=notes),)
