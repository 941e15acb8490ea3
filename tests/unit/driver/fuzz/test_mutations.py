"""Changes of programs make programs; those that keep the meaning keep the verdicts."""

from __future__ import annotations

from random import Random

import pytest

from pitviper.driver.fuzz.judge import Judge
from pitviper.driver.fuzz.mutations import BREAKING, PRESERVING, changed
from pitviper.results.verdict import Verdict

PROGRAM = """field f: Int
predicate cell(r: Ref) { acc(r.f) && r.f > 0 }
function content(r: Ref): Int
  requires cell(r) && r != null
{ unfolding cell(r) in r.f }
method main(x: Ref, n: Int)
  returns (o: Int)
  requires acc(x.f) && n > 0
  ensures cell(x) && o == n
{
  exhale acc(x.f)
  inhale acc(x.f)
  x.f := n
  assert x.f > 0
  fold cell(x)
  o := content(x)
}
"""


@pytest.mark.parametrize("name", PRESERVING)
def test_a_change_that_keeps_the_meaning_keeps_the_verdicts(name: str) -> None:
    after = changed(PROGRAM, PRESERVING[name], Random(1))
    assert after is not None
    judged = Judge(Random(0)).verify(after)
    assert judged.program is not None, after
    assert judged.verified_by == ("symbolic", "vcg"), after


@pytest.mark.parametrize("name", BREAKING)
def test_a_change_that_breaks_makes_another_program(name: str) -> None:
    after = changed(PROGRAM, BREAKING[name], Random(2))
    assert after is not None
    assert Judge(Random(0)).verify(after).program is not None, after


def test_assert_false_is_refuted_wherever_it_is_put() -> None:
    for seed in range(4):
        after = changed(PROGRAM, BREAKING["assert false"], Random(seed))
        assert after is not None
        judged = Judge(Random(0)).verify(after)
        assert judged.verdict("symbolic", "main") is Verdict.REFUTED
        assert judged.verdict("vcg", "main") is Verdict.REFUTED


def test_what_is_no_program_is_not_changed() -> None:
    assert changed("method {", PRESERVING["rename"], Random(0)) is None
    assert changed("field f: Int", BREAKING["drop a clause"], Random(0)) is None
