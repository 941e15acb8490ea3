"""A profile says which line and which quantifier cost what."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.profiling import Profiler
from pitviper.driver.verify.verify import open_verifier
from pitviper.solver.session import ASSERT
from pitviper.source.span import SourceFile
from pitviper.views.terminal.profile import profile_text

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


def profiled(program: str, limit: int = ASSERT) -> Profiler:
    profiler = Profiler()
    options = VerifyOptions(limit=limit)
    with open_verifier(options, how=RunOptions(profiler=profiler)) as verifier:
        done = verifier.verify(verifier.read_text(program, "chain.vpr"))
    assert done.verdict.value == "verified"
    return profiler


def test_costs_by_line_and_by_quantifier() -> None:
    walk, rest = profiled(PROGRAM).members
    assert walk.member.startswith("method walk")
    assert walk.places[0].line == 9, "the assertion costs most"
    assert walk.questions == sum(place.questions for place in walk.places) > 0
    assert walk.resources == sum(place.resources for place in walk.places) > 0
    (quantifier,) = walk.quantifiers
    assert quantifier.name == "chain.vpr@3.17--3.57"
    assert quantifier.instances >= 4, "the assertion needs so many, the end of the method some"
    assert [place.line for place in rest.places] == [11], "whether its end is reached"
    assert (rest.questions, rest.quantifiers) == (1, ())


def test_proofs_that_need_the_last_tenth_of_the_limit_are_listed() -> None:
    needed = next(p for p in profiled(PROGRAM).members[0].places if p.line == 9)
    assert (needed.questions, needed.barely) == (1, 0)
    (walk, _) = profiled(PROGRAM, int(needed.resources * 1.05)).members
    assert [p.line for p in walk.places if p.barely] == [9]

    said = profile_text([walk], SourceFile(Path("chain.vpr"), PROGRAM))
    assert "Proved with the last tenth of their limit" in said
    assert said.splitlines()[-1].split() == [
        "9",
        "assert",
        "next(next(next(i)))",
        *"> n + 3".split(),
    ]


def test_standard_error_is_as_before(capfd: pytest.CaptureFixture[str]) -> None:
    profiled(PROGRAM)
    os.write(2, b"said afterwards\n")
    assert capfd.readouterr().err == "said afterwards\n"
