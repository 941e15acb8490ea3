"""Instances inside of instances: none contains itself, and looking for that costs no walk."""

from __future__ import annotations

import pytest

from pitviper.engines.explore.runtime import nesting
from pitviper.engines.explore.runtime.nesting import Inside
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import Value
from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored

LIST = """field f: Int
field next: Ref
predicate list(x: Ref) { x != null ==> acc(x.f) && acc(x.next) && list(x.next) }
"""

BUILT = (
    LIST
    + """method m(n: Int) requires n == 40
{ var i: Int := 0
  var x: Ref := null
  fold list(x)
  while (i < n) invariant 0 <= i && i <= n && list(x)
  { var y: Ref
    y := new(f, next)
    y.next := x
    fold list(y)
    x := y
    i := i + 1 }
  while (x != null) invariant list(x)
  { unfold list(x)
    x := x.next } }
"""
)

REVERSED = (
    LIST
    + """method m(x: Ref) requires list(x)
  requires x != null && (unfolding list(x) in x.next != null)
  requires unfolding list(x) in unfolding list(x.next) in x.next.next == null
{ var a: Ref := x
  var b: Ref := null
  fold list(b)
  while (a != null) invariant list(a) && list(b)
  { var c: Ref
    unfold list(a)
    c := a.next
    a.next := b
    fold list(a)
    b := a
    a := c }
  unfold list(b)
  assert b.next == x }
"""
)


def test_a_list_that_is_built_is_not_walked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was, for every element: n folds took n times n / 2 comparisons."""
    asked = []
    real = nesting.same

    def counted(run: Run, args: tuple[Value, ...], others: tuple[Value, ...]) -> Value:
        asked.append(args)
        return real(run, args, others)

    monkeypatch.setattr(nesting, "same", counted)
    done = explored(BUILT)

    assert done.claim is Claim.PROVED
    assert not asked


def test_a_list_of_the_input_is_turned_round() -> None:
    assert explored(REVERSED).claim is Claim.PROVED


def test_no_instance_is_in_itself() -> None:
    """Who says that one is has an input that does not exist."""
    done = explored(
        """field f: Int
predicate p(x: Ref) { acc(x.f, 1/4) && (x.f > 0 ==> acc(p(x), 1/2)) }
method m(x: Ref) requires acc(x.f)
{ x.f := 0
  fold acc(p(x), 1/2)
  inhale x.f > 0
  fold p(x)
  assert false }"""
    )
    assert done.claim is not Claim.FAILS


def test_sets_that_grow_are_shared() -> None:
    tail = Inside()
    for name in ("a", "b"):
        tail.add((name,))
    one, same, other = tail.continued(), tail.continued(), tail.continued()
    one.add(("c",))
    same.add(("c",))
    other.add(("d",))

    assert one.order is tail.order is same.order
    assert ("c",) in one
    assert ("c",) in same
    assert ("c",) not in tail
    assert ("c",) not in other
    assert list(other.names) == [("a",), ("b",), ("d",)]
