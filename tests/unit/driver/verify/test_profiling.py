"""A profile says which line and which quantifier cost what."""

from __future__ import annotations

import os

import pytest

from pitviper.driver.verify.options import RunOptions
from pitviper.driver.verify.profiling import Profiler
from pitviper.driver.verify.verify import open_verifier

PROGRAM = """\
domain Chain {
  function next(n: Int): Int
  axiom grows { forall n: Int :: { next(n) } next(n) > n }
}
method walk(n: Int)
{
  var i: Int := n
  i := next(i)
  assert next(next(next(i))) > n + 3
}
method rest() { }
"""


def profiled(program: str) -> Profiler:
    profiler = Profiler()
    with open_verifier(how=RunOptions(profiler=profiler)) as verifier:
        done = verifier.verify(verifier.read_text(program, "chain.vpr"))
    assert done.verdict.value == "verified"
    return profiler


def test_costs_by_line_and_by_quantifier() -> None:
    walk, rest = profiled(PROGRAM).members
    assert walk.member.startswith("method walk")
    assert walk.places[0].line == 9, "the assertion costs most"
    assert walk.questions == sum(place.questions for place in walk.places) > 0
    assert walk.resources == sum(place.resources for place in walk.places) > 0
    assert {q.name: q.instances for q in walk.quantifiers} == {"chain.vpr@3.17--3.57": 4}
    assert (rest.questions, rest.places, rest.quantifiers) == (0, (), ())


def test_standard_error_is_as_before(capfd: pytest.CaptureFixture[str]) -> None:
    profiled(PROGRAM)
    os.write(2, b"said afterwards\n")
    assert capfd.readouterr().err == "said afterwards\n"
