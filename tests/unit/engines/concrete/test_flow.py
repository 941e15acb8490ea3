"""Branches, jumps and loops."""

from __future__ import annotations

import pytest

from pitviper.engines.concrete.options import Options, Tape
from pitviper.engines.concrete.outcome import OutOfSteps
from tests.unit.engines.concrete.running import (
    ARBITRARY,
    CANNOT,
    FALSE,
    INFEASIBLE,
    PASSED,
    body,
    check,
    run,
    tape,
    verdict,
)

COUNT = "var n: Int := 0\nwhile (n < 3) invariant {0} {{ n := n + {1} }}\nassert n == 3"


def test_branches() -> None:
    assert check("var k: Int := 0\nif (b) { k := 1 } else { k := 2 }\nassert k == 1") == PASSED
    assert check("if (i < 0) { assert false } elseif (i == 3) { } else { assert false }") == PASSED
    assert check("if (x.f > 0) { }") == "if.failed:insufficient.permission"


def test_jumps_forward() -> None:
    assert check("if (b) { goto end }\nassert false\nlabel end\nassert i == 3") == PASSED
    assert check("goto end\nlabel end\nassert i == 4") == FALSE


def test_a_loop_is_run_and_its_invariant_checked() -> None:
    assert check(COUNT.format("n <= 3", 1)) == PASSED
    assert check(COUNT.format("n <= 2", 1)) == "invariant.not.preserved:assertion.false"
    assert check(COUNT.format("n > 0", 1)) == "invariant.not.established:assertion.false"
    assert check(COUNT.format("n <= 4", 2)) == FALSE


def test_only_the_invariant_is_there_inside() -> None:
    loop = "var n: Int := 0\nwhile (n < 1) invariant {0} {{ n := n + 1\n{1} }}\n"
    start = "inhale acc(x.f)\nx.f := 5\n"
    missing = start + loop.format("true", "x.f := 6")
    assert check(missing) == "assignment.failed:insufficient.permission"
    framed = start + loop.format("true", "") + "assert x.f == 5\nx.f := 6"
    assert check(framed) == PASSED
    given = start + loop.format("acc(x.f) && x.f >= 5", "x.f := x.f + 1") + "assert x.f == 6"
    assert check(given) == PASSED
    half = start + loop.format("acc(x.f, 1/2)", "assert x.f == 5") + "assert x.f == 5\nx.f := 6"
    assert check(half) == PASSED


def test_the_condition_needs_the_invariant_s_permissions() -> None:
    start = "inhale acc(x.f)\nx.f := 0\n"
    assert check(start + "while (x.f < 1) { }") == "while.failed:insufficient.permission"
    assert check(start + "while (x.f > 1) invariant acc(x.f) { }") == PASSED


def test_an_invariant_must_stand_on_its_own() -> None:
    start = "inhale acc(x.f)\nx.f := 0\nvar n: Int := 0\n"
    loop = "while (n < 1) invariant x.f == 0 { n := n + 1 }"
    assert check(start + loop) == "not.wellformed:insufficient.permission"


def test_verifiers_forget_what_the_invariant_does_not_say() -> None:
    weak = COUNT.format("true", 1)
    assert check(weak) == PASSED
    assert check(weak, ARBITRARY, tape(1)) == PASSED  # n is 1: the iteration ends the run
    assert check(weak, ARBITRARY, tape(7)) == FALSE  # n is 4 behind the loop
    strong = COUNT.format("n <= 3", 1)
    outcomes = [check(strong, ARBITRARY, tape(number)) for number in range(6)]
    assert set(outcomes) == {PASSED}


def test_an_arbitrary_iteration_can_break_the_invariant() -> None:
    text = COUNT.format("n != 7", 1)
    assert check(text) == PASSED
    loop = "var n: Int := 0\nwhile (n < 9) invariant n != 7 { n := n + 2 }"
    found = {check(loop, ARBITRARY, tape(number)) for number in range(12)}
    assert "invariant.not.preserved:assertion.false" in found


def test_a_loop_of_jumps_has_the_invariant_of_its_label() -> None:
    text = (
        "var n: Int := 0\nlabel head\n  invariant {0}\n"
        "n := n + 1\nif (n < 3) {{ goto head }}\nassert n == 3"
    )
    assert check(text.format("n <= 2")) == PASSED
    assert check(text.format("n <= 1")) == "invariant.not.preserved:assertion.false"


def test_leaving_a_loop_by_a_jump_gives_the_frame_back() -> None:
    text = (
        "inhale acc(x.f) && acc(x.g)\nvar n: Int := 0\n"
        "while (true) invariant acc(x.g)\n{ n := n + 1\nif (n == 2) { goto out } }\n"
        "label out\nx.f := 1\nx.g := 2"
    )
    assert check(text) == PASSED


def test_a_jump_into_a_loop_cannot_be_run() -> None:
    text = "if (b) { goto inside }\nwhile (i > 5) { label inside\nassert true }"
    assert check(text) == CANNOT


def test_a_loop_without_end() -> None:
    outcome = run(body("while (true) { }"), options=Options(steps=50))
    assert outcome == OutOfSteps(50)


def test_a_variable_declared_in_a_loop_is_fresh_each_time() -> None:
    text = (
        "var n: Int := 0\nwhile (n < 2) invariant n <= 2\n"
        "{ var k: Int\nif (n == 1) { assert k == 0 }\nk := 5\nn := n + 1 }"
    )
    assert check(text, decisions=Tape((0,), then=1)) == PASSED
    assert check(text, decisions=Tape((3,), then=1)) == FALSE


@pytest.mark.smoke
def test_inhale_false_ends_the_path() -> None:
    assert check("if (b) { inhale false }\nassert false") == INFEASIBLE
    assert verdict(run(body("assert true"))) == PASSED
