"""Loops of jumps: the invariant of a label counts where a loop begins, each time a run comes by."""

from __future__ import annotations

import pytest

from pitviper.results.exploration import Claim, MethodExploration
from tests.unit.engines.explore.exploring import explored, inputs_at

LOOP = """method m(n: Int) requires 0 <= n && n <= 4
{{ var i: Int := 0
  label l
    invariant {0}
  i := i + 1
  if (i < n) {{ goto l }}
  {1} }}
"""


def _ids(done: MethodExploration) -> set[str]:
    return {run.finding.id for run in done.certain_failures if run.finding is not None}


def test_a_run_that_keeps_the_invariant_may_fail_for_certain() -> None:
    """It was doubtful: 'run without its invariant', although it was looked at."""
    done = explored(LOOP.format("0 <= i && i <= 4", "assert i < 4"))

    assert done.claim is Claim.FAILS
    assert inputs_at(done, 7) == {"n": "4"}


@pytest.mark.parametrize(
    ("invariant", "error"),
    [
        ("0 < i", "invariant.not.established:assertion.false"),
        ("i < 3", "invariant.not.preserved:assertion.false"),
    ],
)
def test_the_invariant_is_established_and_then_preserved(invariant: str, error: str) -> None:
    assert _ids(explored(LOOP.format(invariant, ""))) == {error}


def test_a_loop_of_jumps_is_not_proved() -> None:
    """The verifier has the invariant alone: what a run holds beside it is not there."""
    assert explored(LOOP.format("i >= 0", "assert i >= 1")).claim is Claim.OPEN


def test_where_no_loop_begins_an_invariant_says_nothing() -> None:
    done = explored(
        """method m(x: Int)
{ label l
    invariant x > 0
  assert true }"""
    )
    assert done.claim is Claim.PROVED


def test_in_another_loop_nobody_knows_whether_it_is_established() -> None:
    done = explored(
        """method m(x: Int)
{ var k: Int := 0
  while (k < 2) invariant true
  { var i: Int := 0
    label l
      invariant i < 2
    i := i + 1
    if (i < 3) { goto l }
    k := k + 1 } }"""
    )
    assert done.claim is Claim.OPEN
    assert done.failures
    assert not done.certain_failures


AMOUNTS = """field f: Int
method m(x: Ref) requires acc(x.f)
{{ var i: Int := 0
  label l
    {0}
  i := i + 1
  {1}
  if (i < 2) {{ goto l }}
  assert x.f == old(x.f) }}
"""


@pytest.mark.parametrize(
    ("invariant", "looks"),
    [
        ("invariant acc(x.f, 1/2)", "assert perm(x.f) == 1/2"),
        ("", "assert perm(x.f) == none"),
        ("", "assert forperm y: Ref [y.f] :: false"),
        ("", "quasihavoc x.f"),
    ],
)
def test_a_run_holds_more_than_the_invariant_gives(invariant: str, looks: str) -> None:
    """What is set aside at the label is still there, for those that look at amounts."""
    assert not explored(AMOUNTS.format(invariant, looks)).certain_failures
