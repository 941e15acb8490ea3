"""Openings of parts of expressions: behind a condition, and beside a closed predicate."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions

CHAIN = """
class Chain {
  int item; Chain next;
  predicate valid() { return acc(item) && acc(next) && (next != null ==> next.valid()); }
  pure int get() requires valid(); { return item; }
  MEMBER
}
"""

GUARDED = (
    "pure int m() requires valid(); { return next == null ? 0 : next.item; }",
    "pure bool m() requires valid(); { return next != null && next.item == 3; }",
    "pure bool m() requires valid(); { return next == null || next.item == 3; }",
    "pure bool m() requires valid(); { return next != null ==> next.item == 3; }",
    """pure int m() requires valid();
       { return next == null ? 0 : (next.next == null ? 1 : next.next.item); }""",
    """void m(int v) requires valid(); ensures valid() && (next != null ==> next.item == v);
       { if (next != null) { next.item := v; } }""",
)

BESIDE = (
    "void m() requires valid(); ensures valid(); { assert get() == item; }",
    """void m() requires valid(); ensures valid() && get() == 2 * old(get());
       { item := get() + item; }""",
    "void m() requires valid(); ensures valid() && get() == old(get()) + 1; { item := get() + 1; }",
    "int m() requires valid(); ensures valid(); { if (get() < item) { assert false; } return 1; }",
    "void m() requires valid(); ensures valid(); { item := 3; assert get() == 3; item := get(); }",
    "void m() requires valid(); ensures valid(); { assert valid() && get() == item; }",
)  # fmt: skip

WRONG = (
    "pure int m() requires valid(); { return next.item; }",
    "void m() requires valid(); ensures valid(); { assert get() != item; }",
    "void m() requires valid(); ensures valid() && get() == old(get()); { item := get() + 1; }",
)

ELEMENTS = """
class Log {
  int n; int[] log;
  predicate valid() {
    return acc(n) && acc(log) && log != null && acc(log.elems) && log.length == 10 &&
      n >= 0 && n <= 10;
  }
  pure int get() requires valid(); ensures result >= 0 && result <= 10; { return n; }
  pure int at(int i) requires valid() && i >= 0 && i < get(); { return log[i]; }
  void put(int v)
    requires valid() && get() < 10;
    ensures valid() && get() == old(get()) + 1 && at(old(get())) == v;
  { log[get()] := v; n := get() + 1; }
}
"""  # fmt: skip


def verdicts(text: str, backend: str) -> set[str]:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    assert done.front.accepted, done.diagnostics
    return {member.verdict.value for member in done.members.values()}


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("member", [*GUARDED, *BESIDE])
def test_parts_are_opened_where_they_are_looked_at(member: str, backend: str) -> None:
    assert verdicts(CHAIN.replace("MEMBER", member), backend) == {"verified"}


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("member", WRONG)
def test_nothing_else_follows(member: str, backend: str) -> None:
    assert "refuted" in verdicts(CHAIN.replace("MEMBER", member), backend)


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_an_index_may_need_the_predicate_that_holds_the_array(backend: str) -> None:
    assert verdicts(ELEMENTS, backend) == {"verified"}
    assert "refuted" in verdicts(ELEMENTS.replace("log[get()] := v", "log[n] := v + 1"), backend)
