"""Inputs of many shapes: few ways for what is alike, small ones first, large ones last."""

from __future__ import annotations

from pitviper.engines.explore.runtime.run import RunLimits
from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at


def test_a_set_of_objects_is_the_same_in_any_order() -> None:
    done = explored(
        "method m(s: Set[Ref]) requires |s| == 4 { assert null in s || !(null in s) }",
        frontier="mixed",
    )

    assert done.claim is Claim.PROVED
    assert done.counts["passed"] == 2  # with null, and without


def test_an_element_is_looked_for_in_the_set() -> None:
    done = explored(
        """field f: Int
method m(s: Set[Ref], x: Ref, y: Ref)
  requires x in s && y in s && x != y && forall r: Ref :: r in s ==> acc(r.f)
{ x.f := 1; y.f := 2
  assert x.f == 2
}""",
        frontier="mixed",
        runs=40,
    )

    assert failed_lines(done) == [5]


def test_inputs_above_the_limit_come_last() -> None:
    done = explored(
        "method m(s: Seq[Int]) requires |s| > 10\n{ assert s[9] != 3 }", frontier="mixed"
    )

    assert failed_lines(done) == [2]
    assert inputs_at(done, 2)["s"].startswith("Seq(")
    assert any(why.startswith("input too large") for why in done.open)


def test_no_input_of_any_size_is_forgotten() -> None:
    done = explored(
        "method m(s: Seq[Int]) { assert s == s ++ Seq[Int]() }",
        frontier="mixed",
        limits=RunLimits(500, 20, 2),
    )

    assert done.claim is Claim.OPEN
    assert done.counts["input too large"] == 1
    assert done.counts["passed"] == 6  # sizes from 0 to 5
