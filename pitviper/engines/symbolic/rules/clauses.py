"""Lists of contract clauses: each one is a construct of its own when it fails."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.encoding.inhale_exhale import exhaled_side, flattened
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.outcomes import in_order
from pitviper.engines.symbolic.rules.consume import consume_all
from pitviper.engines.symbolic.rules.hidden import may_be_hidden
from pitviper.engines.symbolic.rules.produce import Snapshot, produce, split_snapshot
from pitviper.engines.symbolic.state import State
from pitviper.program.assertion import Assertion

Clauses = tuple[Assertion, ...]


def produce_clauses(
    st: State, clauses: Clauses, snap: Snapshot, error: str, cx: Context
) -> Iterator[State]:
    """Produce all clauses from one snapshot; a failure is reported at its clause."""
    parts = [
        (conjunct, cx.proving(error, clause))
        for clause in clauses
        for conjunct in flattened((clause,))
    ]
    st, snaps = split_snapshot(st, snap, len(parts))
    items = [(a, inner, s) for (a, inner), s in zip(parts, snaps, strict=True)]
    return in_order(st, items, lambda s1, item: produce(s1, item[0], item[2], item[1]))


def check_exhaled(st: State, clauses: Clauses, error: str, cx: Context) -> None:
    """Where clauses have inhale-exhale pairs, what they exhale must make sense as well."""
    sides = [exhaled_side(clause) for clause in clauses] if cx.checking else list(clauses)
    if all(side is clause for side, clause in zip(sides, clauses, strict=True)):
        return
    parts = [
        (conjunct, cx.proving(error, clause))
        for side, clause in zip(sides, clauses, strict=True)
        for conjunct in flattened((side,))
    ]
    for _ in in_order(st, parts, lambda s1, part: produce(s1, part[0], None, part[1])):
        pass


def consume_clauses(
    st: State, clauses: Clauses, error: str, part: str | None, cx: Context
) -> Iterator[State]:
    """Consume all clauses, one after the other, from `st.left`; failures are reported at each.

    `part` goes into the text of the error; None stands for the clause itself. Nothing is said about
    a clause without a meaning, unless it surely does not hold.
    """

    def rule(s1: State, clause: Assertion) -> Iterator[State]:
        if cx.found("not.wellformed", clause) and may_be_hidden(s1, clause, cx):
            yield s1
            return
        inner = cx.proving(error, clause, clause if part is None else part)
        for s2, _ in consume_all(s1, (clause,), inner):
            yield s2

    return in_order(st, clauses, rule)
