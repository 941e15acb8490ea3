"""Contracts must make sense on their own: inhaled into an empty state, on a side."""

from __future__ import annotations

from pitviper.encoding.inhale_exhale import exhaled_side
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.rules.inhale import inhale_clauses
from pitviper.engines.vcg.state import Heap, State
from pitviper.program.assertion import Assertion


def empty_heap(cx: Context) -> Heap:
    """No permissions, and values of which nothing is known."""
    return Heap(cx.services.supply.name("heap"))


def check_clauses(
    st: State, clauses: tuple[Assertion, ...], cx: Context, error: str = "not.wellformed"
) -> None:
    """The clauses as they are inhaled, and, where they have pairs, as they are exhaled."""
    if not clauses:
        return
    with cx.aside(st) as inside:
        inhale_clauses(inside.on(empty_heap(cx)).framed(()), clauses, None, error, cx)
    check_exhaled(st, clauses, cx, error)


def check_exhaled(
    st: State, clauses: tuple[Assertion, ...], cx: Context, error: str = "not.wellformed"
) -> None:
    """Where clauses have inhale-exhale pairs, what they exhale must make sense as well."""
    sides = tuple([exhaled_side(clause) for clause in clauses])
    if all(side is clause for side, clause in zip(sides, clauses, strict=True)):
        return
    with cx.aside(st) as inside:
        heap = empty_heap(cx)
        inhale_clauses(inside.on(heap).framed(()), sides, None, error, cx)
