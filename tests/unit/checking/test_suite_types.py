"""Real programs: those that are accepted give typed programs that keep the rules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import load
from tests.unit.checking.check_texts import accepted, method
from tests.unit.checking.typed_rules import violations

SUITE = Path(os.environ.get("PITVIPER_SUITE", "/work/shared/suite"))

needs_suite = pytest.mark.skipif(
    not SUITE.is_dir(), reason="the conformance suite is not on this machine"
)


def wrong(path: Path) -> list[str] | None:
    """What is wrong with the typed program of a file; None if the file is rejected."""
    program = load(path).program
    return None if program is None else run_deep(lambda: violations(program))


@needs_suite
def test_programs_of_front_ends_are_accepted_and_well_typed() -> None:
    paths = sorted((SUITE / "frontends").rglob("*.vpr"))
    assert len(paths) == 49
    assert [path.name for path in paths if wrong(path) != []] == []


@needs_suite
def test_accepted_programs_of_the_public_suite_are_well_typed() -> None:
    paths = sorted((SUITE / "silver").rglob("*.vpr"))
    assert paths
    assert {path.name: found for path in paths if (found := wrong(path))} == {}


@pytest.mark.smoke
def test_a_program_with_much_inference_is_well_typed() -> None:
    body = """
        k := b ? 7/2 : let v == (9/2) in v + 1
        q := let v == (1/2) in v * 3
        assert Seq(Seq(), s) == Seq() && |Map(1 := Set())| == 0
        assert unbox(box(Cons(n, Nil()))).tail == Nil()
        assert forall i: Int :: { s[i] } i in s ==> let r == (x) in P(r, i) && (b ? acc(r.f) : b)
        assume acc(x.f, 1/2) && (b ==> acc(y.f, p)) && (forall r: Ref :: r in t ==> acc(r.f))
        k, x.g := two()
        { var v: Int } { var v: Ref }
    """
    assert violations(accepted(method(body))) == []
