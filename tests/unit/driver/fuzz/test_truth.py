"""Methods of which the truth is known: nothing false is said about them (a slice of the bench)."""

from __future__ import annotations

from random import Random

import pytest

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import FullExplorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.engines.concrete.options import Inputs
from pitviper.results.exploration import Claim, MethodExploration
from tests.unit.driver.fuzz.truth import METHOD, Drawn, Known, false_claims, judged, known_method

WRONG = f"method {METHOD}(a: Int) requires 0 <= a && a < 5\n{{\n  assert a * a != 9\n}}"


def explored(known: Known) -> MethodExploration:
    explorer = FullExplorer(known.program, "known.vpr", ExploreOptions(methods=(METHOD,)))
    try:
        return explorer.explore(METHOD)
    finally:
        explorer.close()


@pytest.mark.parametrize("number", range(12))
def test_nothing_false_is_said_about_a_method(number: int) -> None:
    right = number % 2 == 0
    known = run_deep(lambda: known_method(Random(f"slice/{number}"), right=right))
    done = explored(known)

    assert false_claims(known, done) == [], known.drawn.text
    assert done.claim is not (Claim.FAILS if right else Claim.PROVED)


def test_the_interpreter_is_the_judge() -> None:
    inputs = tuple([Inputs({"a": value}) for value in range(5)])
    known = judged(Drawn(WRONG, (), inputs))

    assert known is not None
    assert known.truth.fails == {(3, "assert.failed:assertion.false")}
    assert known.truth.runs == 5
    assert false_claims(known, explored(known)) == []


def test_what_is_false_is_told() -> None:
    known = judged(Drawn(WRONG, (), tuple([Inputs({"a": value}) for value in range(5)])))
    assert known is not None
    other = load_text(WRONG.replace("9", "17"), "known.vpr").program
    assert other is not None
    right = explored(Known(known.drawn, other, known.truth))

    assert right.claim is Claim.PROVED
    proved, missed = false_claims(known, right)
    assert proved.startswith("proved, but fails at [(3, ")
    assert missed.startswith("complete, but without (3, ")
