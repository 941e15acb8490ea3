"""Amounts that are only known to be positive, and values that get lost while permission stays."""

from __future__ import annotations

import pytest

from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines

HEAD = """field f: Int  field g: Int
predicate p(x: Ref) { acc(x.f) && acc(x.g, 1/2) && x.f > 0 }
"""

HOLDS = {
    "a wildcard is folded and unfolded": """
method m(x: Ref) requires acc(x.f, wildcard) && acc(x.g, wildcard) && x.f == 7
{ fold acc(p(x), wildcard); assert perm(p(x)) > none && perm(x.f) > none
  unfold acc(p(x), wildcard); assert x.f == 7 }""",
    "a havoc keeps what the predicate says": """
method m(x: Ref) requires p(x) { quasihavoc p(x); unfold p(x); assert x.f > 0 }""",
    "a havoc of nothing": """
method m(x: Ref, y: Ref) requires acc(x.f) && x.f == 3 && y != x
{ quasihavoc y.f; quasihavoc y == x ==> x.f; assert x.f == 3 }""",
    "a havoc of others": """
method m(x: Ref, s: Set[Ref]) requires |s| < 2 && acc(x.f) && x.f == 3 && !(x in s)
{ quasihavocall z: Ref :: z in s ==> z.f; assert x.f == 3 }""",
    "a condition about the state before": """
method m(x: Ref, y: Ref) requires acc(x.f) && acc(y.f) && x.f == 3 && y.f == 4
{ quasihavocall z: Ref :: (z == x || z == y) && x.f == 4 ==> z.f; assert y.f == 4 }""",
}

FAILS = {
    "a wildcard needs a part of everything": (
        """
method m(x: Ref) requires acc(x.f, wildcard) && x.f > 0
{
  fold acc(p(x), wildcard)
}""",
        "fold.failed:insufficient.permission",
    ),
    "a wildcard need not be all": (
        """
method m(x: Ref) requires acc(x.f) && acc(x.g) && x.f > 0
{ fold acc(p(x), wildcard); unfold acc(p(x), wildcard)
  x.f := 1
}""",
        "assignment.failed:insufficient.permission",
    ),
    "a predicate forgets": (
        """
method m(x: Ref) requires p(x) && unfolding p(x) in x.f == 3
{ quasihavoc p(x); unfold p(x)
  assert x.f == 3
}""",
        "assert.failed:assertion.false",
    ),
    "all elements forget": (
        """
method m(s: Set[Ref], a: Ref) requires (forall x: Ref :: x in s ==> acc(x.f)) && a in s
  requires a.f == 3
{ quasihavocall x: Ref :: x in s ==> x.f
  assert a.f == 3
}""",
        "assert.failed:assertion.false",
    ),
    "all instances forget": (
        """
method m(a: Ref, b: Ref) requires p(a) && p(b) && unfolding p(b) in b.f == 3
{ quasihavocall x: Ref :: x != a ==> p(x); unfold p(b)
  assert b.f == 3
}""",
        "assert.failed:assertion.false",
    ),
}


@pytest.mark.parametrize("what", HOLDS)
def test_what_holds_is_proved(what: str) -> None:
    done = explored(HEAD + HOLDS[what])

    assert done.open == ()
    assert done.claim is Claim.PROVED


@pytest.mark.parametrize("what", FAILS)
def test_what_fails_is_found(what: str) -> None:
    text, failure = FAILS[what]
    done = explored(HEAD + text, frontier="mixed")
    ids = {run.finding.id for run in done.certain_failures if run.finding is not None}

    assert failed_lines(done) == [len((HEAD + text).splitlines()) - 1]
    assert ids == {failure}
