"""Contradictions that docs/soundness.md lists: one that closes fails here."""

from __future__ import annotations

from random import Random

import pytest

from pitviper.base.deep_stack import run_deep
from pitviper.driver.fuzz.judge import Judge, Judged
from pitviper.results.fuzzing import Contradiction, Kind

GIVEN_WILDCARD = """field f: Int
method main(z: Ref, y: Ref)
  requires acc(z.f, 1/4) && acc(y.f, 1/2)
  ensures acc(y.f, 1/2)
{
  exhale acc(z.f, wildcard)
}
"""

FALSE_BEHIND_A_WILDCARD = """field f: Int
method main(x: Ref, y: Ref)
  requires acc(y.f, 1/2) && acc(x.f, 1/2)
  requires x == y
{
  exhale acc(y.f, wildcard)
  inhale acc(x.f, 1/2)
  assert false
}
"""

TOO_MUCH_OF_MANY = """field f: Int
method main(x: Ref, y: Ref, u: Set[Ref])
  requires acc(x.f)
  requires forall r: Ref :: r in u && r != x ==> acc(r.f, 1/2)
  requires y in u
{
  inhale acc(y.f)
  exhale acc(x.f)
  assert false
}
"""

TOO_MUCH_IN_A_FOLD = """field f: Int
field g: Ref
predicate p0(a: Ref) { acc(a.f) && acc(a.g) }
method main(x: Ref, y: Ref, b: Bool, u: Set[Ref])
  requires acc(y.f, 1/2)
  requires forall r: Ref :: r in u && b ==> acc(r.f, 1/2)
  requires x == y
{
  inhale acc(x.f)
  fold p0(x)
}
"""

LEARNT_WHILE_LOOKING = """field f: Int
predicate p0(a: Ref)
predicate p1(a: Ref) { acc(a.f) }
method main(x: Ref, y: Ref, n: Int)
  requires acc(p1(x)) && acc(y.f, 1/2) && acc(x.f, 1/2) && x == y
  requires unfolding acc(p1(x), wildcard) in x.f == n
{
  assert p0(x)
}
"""

LEARNT_BY_ESTABLISHING = """field f: Int
predicate p0(a: Ref) { acc(a.f) && a.f > 0 }
method main(x: Ref)
  requires acc(x.f) && acc(p0(x))
{
  var i: Int := 0
  while (i < 2)
    invariant unfolding acc(p0(x), write) in x.f > 0
  {
  }
}
"""

GIVEN_AWAY_AGAIN = """field f: Int
method main(y: Ref, z: Ref, b: Bool)
  requires acc(y.f, b ? write : 1/2)
{
  inhale acc(z.f)
  exhale acc(z.f)
  assert y != z
}
"""

A_WILDCARD_AND_ALL = """field f: Int
predicate p0(a: Ref)
predicate p1(a: Ref) { acc(a.f) && p0(a) }
method main(x: Ref, y: Ref)
  requires acc(y.f, wildcard)
  requires acc(p1(x))
{
  inhale (unfolding acc(p1(x), write) in x.f > 0) && x == y
  fold acc(p1(y))
}
"""

A_SUM_WITH_NOTHING = """field g: Ref
method main(x: Ref, y: Ref, p: Perm)
  requires p == none
  requires acc(x.g, 1/3) && acc(x.g, p / 2) && acc(y.g, 3/4)
{
  if (x == y) {
    exhale acc(y.g, 1/2)
    assert acc(x.g)
  }
}
"""

SEEN_FOOTPRINT = """field f: Int
method main(y: Ref, z: Ref, o: Int)
  requires acc(z.f)
{
  package acc(y.f, 1/2) --* acc(z.f)
  inhale perm(z.f) >= 1/2
  z.f := o
}
"""


def judged(text: str) -> tuple[Judged, list[Contradiction]]:
    def run() -> tuple[Judged, list[Contradiction]]:
        judge = Judge(Random(0))
        found = judge.verify(text)
        return found, judge.contradictions(found)

    return run_deep(run)


@pytest.mark.parametrize("text", [GIVEN_WILDCARD, FALSE_BEHIND_A_WILDCARD])
def test_a_wildcard_is_less_than_all_that_is_held_not_than_one_part(text: str) -> None:
    """A run may give more away than one chunk has; found by fuzzing, wrong in both verifiers."""
    found, contradictions = judged(text)
    assert found.verified_by == ()
    assert contradictions == []


@pytest.mark.parametrize(
    "text",
    [
        TOO_MUCH_OF_MANY,
        TOO_MUCH_IN_A_FOLD,
        LEARNT_WHILE_LOOKING,
        GIVEN_AWAY_AGAIN,
        A_WILDCARD_AND_ALL,
        A_SUM_WITH_NOTHING,
    ],
)
def test_more_than_all_of_a_location_is_noticed_by_both(text: str) -> None:
    """No state has so much: the program is right. Symbolic execution once did not see it."""
    found, contradictions = judged(text)
    assert found.verified_by == ("symbolic", "vcg")
    assert contradictions == []


def test_invariants_are_judged_before_they_are_established() -> None:
    """No state has the location and an instance that contains it, which establishing the invariant
    shows: the program is right. Symbolic execution asks first whether the invariant makes sense."""
    found, contradictions = judged(LEARNT_BY_ESTABLISHING)
    assert found.verified_by == ("vcg",)
    assert [c.kind for c in contradictions] == [Kind.DISAGREE]


def test_how_much_a_package_takes_is_its_choice() -> None:
    """Where `y` is `z`, a half would do: a run takes that, verifiers take all of it."""
    found, contradictions = judged(SEEN_FOOTPRINT)
    assert found.verified_by == ("symbolic", "vcg")
    assert [c.kind for c in contradictions] == [Kind.DISAGREE]
