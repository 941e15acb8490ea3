from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pitviper.debugger.analyses import minimal
from pitviper.debugger.obligations.obligation import Fact
from pitviper.terms import build as tb

FACTS = [Fact(n, tb.integer(n)) for n in range(40)]


@given(st.sets(st.integers(0, 39)), st.sets(st.integers(0, 39)))
def test_nothing_can_be_left_out(first: set[int], second: set[int]) -> None:
    def enough(facts: list[Fact]) -> bool:
        ids = {fact.id for fact in facts}
        return first <= ids or second <= ids

    kept = minimal(FACTS, enough)

    assert enough(kept)
    assert all(not enough([f for f in kept if f is not left_out]) for left_out in kept)
    assert kept == sorted(kept, key=lambda fact: fact.id)
