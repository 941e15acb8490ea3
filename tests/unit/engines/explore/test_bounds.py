"""What bounds an input is used wherever it stands: sizes, ranges, the order of preconditions."""

from __future__ import annotations

import pytest

from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at

ALL = "forall i: Int :: 0 <= i && i < |s| ==> s[i] >= 0"


@pytest.mark.parametrize("clauses", [(ALL, "|s| <= 3"), ("|s| <= 3", ALL)])
def test_preconditions_bound_sizes_in_either_order(clauses: tuple[str, str]) -> None:
    wanted = "".join([f" requires {c}" for c in clauses])
    done = explored(f"method m(s: Seq[Int]){wanted} {{ assert |s| == 2 ==> s[0] + s[1] >= 0 }}")

    assert done.claim is Claim.PROVED, done.open


@pytest.mark.parametrize(
    "every",
    [
        "forall k: Int :: k in t ==> 0 <= k && k < 2 && t[k] == k",
        "forall k: Int :: k in domain(t) ==> k in [0..2) && t[k] == k",
    ],
)
def test_a_map_is_bounded_behind_what_is_said_of_its_values(every: str) -> None:
    text = f"method m(t: Map[Int, Int]) requires {every} requires |t| <= 2 {{ assert !(2 in t) }}"

    assert explored(text).claim is Claim.PROVED


def test_a_sequence_is_bounded_behind_a_range_of_indices() -> None:
    every = "forall i: Int :: i in [0..|s|) ==> s[i] >= 0"
    text = f"method m(s: Seq[Int]) requires {every} requires |s| < 3 {{ assert |s| < 3 }}"

    assert explored(text).claim is Claim.PROVED


def test_a_value_of_a_map_needs_its_key_before_the_bound() -> None:
    done = explored("method m(t: Map[Int, Int])\nrequires t[2] > 0\nrequires |t| < 2 { }")

    assert failed_lines(done) == [2]


def test_a_condition_does_not_repair_what_stands_before_it() -> None:
    done = explored("method m(s: Seq[Int])\nrequires s[2] > 0\nrequires |s| > 5 { }")

    assert failed_lines(done) == [2]


def test_a_field_is_not_read_before_its_permission() -> None:
    text = "field f: Int method m(x: Ref, n: Int)\nrequires n > x.f\nrequires acc(x.f) && n < 3 { }"
    assert failed_lines(explored(text)) == [2]


@pytest.mark.parametrize("clause", ["|s| == 40", "|s| <= 41 && |s| > 39", "|s| == n && n == 40"])
def test_a_size_that_the_path_bounds_is_not_too_large(clause: str) -> None:
    text = f"""method m(s: Seq[Int], n: Int, k: Int) requires {clause} && 0 <= k && k < 40 {{
      var t: Seq[Int] := s[k := 5]
      assert t[k] == 5
      assert t[3] != 7
    }}"""
    done = explored(text)

    assert failed_lines(done) == [4]
    assert done.open == ()


def test_a_size_that_nothing_bounds_still_is() -> None:
    done = explored("method m(s: Seq[Int]) { assert |s| > 0 ==> s[|s| - 1] == s[|s| - 1] }")

    assert any("input too large" in why for why in done.open)


@pytest.mark.parametrize(
    ("body", "claim"),
    [
        ("assume forall i: Int :: 0 <= i && i < 1000000000 ==> i * 2 != n  assert n != 8",
         Claim.PROVED),
        ("assert forall i: Int :: 0 <= i && i < 1000000000 ==> i * 2 != n", Claim.FAILS),
        ("assert exists i: Int :: 0 <= i && i < 1000000000 && i > 5", Claim.PROVED),
        ("assert forall i: Int :: 0 <= i && i < n ==> i + 1 > 0", Claim.PROVED),
        ("assert forall i: Int :: 0 <= i && i < n ==> i * i >= i", Claim.PROVED),
        ("assert forall i: Int :: 0 <= i && i < n ==> i * i != 10000", Claim.FAILS),
    ],
)  # fmt: skip
def test_wide_ranges_are_left_to_the_solver(body: str, claim: Claim) -> None:
    done = explored(f"method m(n: Int) requires n >= 0 {{ {body} }}", runs=100)

    assert done.claim is claim, done.open


@pytest.mark.parametrize(
    ("clause", "least"),
    [("i != s[0]", 1000), ("i > s[k]", 2000), ("i + s[0] > 0", 50)],
)
def test_elements_that_do_not_depend_on_the_value_are_said(clause: str, least: int) -> None:
    text = f"""method m(s: Seq[Int], n: Int, k: Int)
  requires n <= 1000000000 && 0 < |s| && |s| < 3 && 0 <= k && k < |s|
  requires forall i: Int :: 0 <= i && i < n ==> {clause}
{{
  assert n < {least} }}"""

    done = explored(text)
    assert failed_lines(done) == [5]
    assert int(inputs_at(done, 5)["n"]) >= least


@pytest.mark.parametrize(("at", "claim"), [("0", "n <= 0 || |s| > 0"), ("i", "n <= |s|")])
def test_an_element_that_may_not_be_there_is_not_said(at: str, claim: str) -> None:
    """Behind a quantifier without a value nothing fails for certain."""
    text = f"""method m(s: Seq[Int], n: Int) requires n <= 1000000000 && |s| < 3 {{
      inhale forall i: Int :: 0 <= i && i < n ==> s[{at}] > i
      assert {claim}
    }}"""

    assert failed_lines(explored(text)) == [2]


def test_the_value_that_breaks_a_wide_range_is_found() -> None:
    text = (
        "method m(n: Int) requires 0 < n {\nassert forall i: Int :: 0 <= i && i < n ==> i < 5000 }"
    )

    assert int(inputs_at(explored(text), 2)["n"]) > 5000


def test_no_run_is_spent_on_objects_that_permission_rules_out() -> None:
    names = [f"x{i}" for i in range(6)]
    params = ", ".join([f"{name}: Ref" for name in names])
    wanted = " && ".join([f"acc({name}.f)" for name in names])
    done = explored(f"field f: Int method m({params}) requires {wanted} {{ assert x0 != x5 }}")

    assert done.claim is Claim.PROVED
    assert [run.status for run in done.runs] == ["passed"]
