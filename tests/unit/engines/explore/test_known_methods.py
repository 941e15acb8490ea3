"""Methods whose truth somebody has thought about: `w_` ones are wrong, in lines marked with `//!`.

They are about what the methods of `tests/unit/driver/fuzz/truth.py`, which are drawn, do not have:
arrays, wide ranges, shifted indices, fractions, parts of predicates, wands, jumps, data, calls.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import FullExplorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load
from pitviper.engines.explore.options import SearchOptions
from pitviper.results.exploration import Claim, MethodExploration

FILES = sorted((Path(__file__).parent / "known").glob("*.vpr"))
FAR = ("w_inv",)
"""Wrong methods that fail behind more runs than there are here."""


def test_there_are_many() -> None:
    names = [n for f in FILES for n in re.findall(r"method ([rw]_\w+)", f.read_text("utf-8"))]
    assert sum(n.startswith("r_") for n in names) > 70
    assert sum(n.startswith("w_") for n in names) > 90


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_no_claim_is_false(file: Path) -> None:
    for done in run_deep(lambda: _explored(file)):
        if done.method.startswith("r_"):
            assert not done.certain_failures, done.method
        if done.method.startswith("w_"):
            assert done.claim in (Claim.FAILS, Claim.OPEN), done.method
            assert done.claim is Claim.FAILS or done.method in FAR, (done.method, done.open)
            assert _lines(done) <= _wrong(file), done.method


def _explored(file: Path) -> list[MethodExploration]:
    front = load(file)
    assert front.program is not None, front.errors
    options = ExploreOptions(search=SearchOptions(runs=80, nodes=600, work=100_000))
    explorer = FullExplorer(front.program, str(file), options)
    try:
        return [explorer.explore(method) for method in explorer.chosen.methods]
    finally:
        explorer.close()


def _lines(done: MethodExploration) -> set[int]:
    return {run.finding.span.line for run in done.own_failures if run.finding is not None}


def _wrong(file: Path) -> set[int]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if "//!" in line}
