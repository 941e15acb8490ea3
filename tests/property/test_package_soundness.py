"""What a package leaves behind is never so much that its wand does not hold in what it took.

The verifier is asked, for every place and every case, how much is left; the rest is the footprint.
Then all concrete left-hand states are tried.
"""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.verdict import Verdict
from tests.property.package_programs import package_program
from tests.property.wand_meaning import (
    WRITE,
    Access,
    Amount,
    Choice,
    Condition,
    Object,
    State,
    World,
    counterexample,
)


def packaged_soundly(seed: int, backend: str = "symbolic") -> bool | None:
    """None: the package failed, or the wand has no meaning of its own."""
    program = package_program(seed)
    options = VerifyOptions(backend=backend)
    outcome = pitviper.verify(program.text, name=f"package{seed}.vpr", options=options)
    failed = {finding.span.line for finding in outcome.findings}
    if outcome.verdict in (Verdict.REJECTED, Verdict.UNDECIDED) or min(failed, default=0) < (
        program.first if failed else 0
    ):
        return None
    return all(
        counterexample(program.left, program.right, program.footprint(world, failed)) is None
        for world in program.worlds
    )


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_footprints_are_large_enough(start: int) -> None:
    results = [packaged_soundly(seed) for seed in range(start, start + 10)]
    assert results.count(False) == 0
    assert results.count(True) >= 1


@pytest.mark.parametrize("start", range(0, 30, 10))
def test_footprints_of_the_second_verifier_are_large_enough(start: int) -> None:
    results = [packaged_soundly(seed, "vcg") for seed in range(start, start + 10)]
    assert results.count(False) == 0
    assert results.count(True) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_more_footprints_are_large_enough(start: int, backend: str) -> None:
    seeds = range(start, start + 100)
    assert [seed for seed in seeds if packaged_soundly(seed, backend) is False] == []


def test_the_judge_knows_the_published_mistake() -> None:
    """`acc(x.b) --* acc(x.b) && (x.b ==> acc(y.b))` does not hold in the empty footprint."""
    x_b, y_b = Access(Object("x"), "b", Amount(WRITE)), Access(Object("y"), "b", Amount(WRITE))
    left, right = (x_b,), (x_b, Choice(Condition(Object("x")), (y_b,), ()))
    world = World({("y", "b"): False}, c=False)
    found = counterexample(left, right, State({}, world))
    assert found is not None and found.world.values["x", "b"] is True
    assert counterexample(left, right, State({("y", "b"): WRITE}, world)) is None
