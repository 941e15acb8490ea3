"""Axioms without a model are found, and no more of them are named than it takes."""

from __future__ import annotations

import pytest

from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.axioms import contradictory
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.verdict import Verdict

HEAD = "domain D { function g(n: Int): Int "


@pytest.mark.parametrize(
    ("axioms", "named"),
    [
        (
            "axiom a { forall n: Int :: g(n) > n } axiom b { forall n: Int :: g(n) == 0 }",
            ["a", "b"],
        ),
        ("axiom a { g(1) > 3 } axiom b { g(2) == 0 } axiom c { g(1) == 0 }", ["a", "c"]),
        ("axiom a { g(2) == 0 } axiom b { g(1) != g(1) }", ["b"]),
        ("axiom a { forall n: Int :: g(n) > n } axiom b { g(0) == 1 }", []),
        ("", []),
    ],
)
def test_the_fewest_axioms_that_have_no_model(axioms: str, named: list[str]) -> None:
    program = load_text(f"{HEAD}{axioms} }}", "d.vpr").program
    assert program is not None
    assert [axiom.name for axiom in contradictory(program)] == named


def test_axioms_that_contradict_each_other_are_found_among_many() -> None:
    others = " ".join(f"axiom a{n} {{ g({n}) == {n} }}" for n in range(20))
    program = load_text(f"{HEAD}{others} axiom b {{ g(7) == 8 }} }}", "d.vpr").program
    assert program is not None
    assert [axiom.name for axiom in contradictory(program)] == ["a7", "b"]


@pytest.mark.parametrize(("second", "strict"), [("g(n) < 0", Verdict.REJECTED), ("g(n) > 0", None)])
def test_with_strict_contradictory_axioms_are_an_error(second: str, strict: Verdict | None) -> None:
    axioms = f"axiom {{ forall n: Int :: g(n) > n }} axiom {{ forall n: Int :: {second} }} }}"
    text = f"{HEAD}{axioms} method m(b: Bool) {{ if (b) {{ assert g(4) > 0 }} }}"
    for options, expected in (
        (VerifyOptions(), Verdict.VERIFIED),
        (VerifyOptions(check=CheckOptions(strict=True)), strict or Verdict.VERIFIED),
    ):
        with open_verifier(options) as verifier:
            assert verifier.verify(load_text(text, "d.vpr")).verdict is expected


VACUOUS = "field f: Int method m(x: Ref) requires acc(x.f, 3/2) { assert false } method n() { }"


@pytest.mark.parametrize("backend", ["symbolic", "vcg", "both"])
def test_with_strict_a_proof_that_means_nothing_is_an_error(backend: str) -> None:
    for strict, expected in ((False, Verdict.VERIFIED), (True, Verdict.REFUTED)):
        options = VerifyOptions(check=CheckOptions(strict=strict), backend=backend)
        with open_verifier(options) as verifier:
            done = verifier.verify(load_text(VACUOUS, "v.vpr"))
        assert done.members["m"].verdict is expected
        assert done.members["n"].verdict is Verdict.VERIFIED
        assert len(done.members["m"].warnings) == 1
