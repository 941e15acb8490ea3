"""Arrays as domains have them: places are told apart without a solver, indices stay undecided."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.engines.explore.viper.arrays import arrays_of
from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at

INVERSES = """field val: Int
domain Array { function slot(a: Array, i: Int): Ref  function len(a: Array): Int
  function first(r: Ref): Array  function second(r: Ref): Int
  axiom { forall a: Array, i: Int :: { slot(a, i) }
    first(slot(a, i)) == a && second(slot(a, i)) == i }
  axiom { forall a: Array :: { len(a) } len(a) >= 0 } }
"""

PAIRWISE = """field val: Int
domain Array { function slot(a: Array, i: Int): Ref  function len(a: Array): Int
  axiom { forall a: Array, i: Int, b: Array, j: Int :: { slot(a, i), slot(b, j) }
    slot(a, i) == slot(b, j) ==> a == b && i == j } }
"""

MATRIX = """field val: Int
domain Matrix { function at(t: Matrix, i: Int, j: Int): Ref  function owner(r: Ref): Matrix
  function row(r: Ref): Int  function column(r: Ref): Int
  axiom { forall t: Matrix, i: Int, j: Int :: { at(t, i, j) } owner(at(t, i, j)) == t &&
    row(at(t, i, j)) == i && column(at(t, i, j)) == j } }
"""


def has(array: str, size: str) -> str:
    return f"(forall i: Int :: 0 <= i && i < {size} ==> acc(slot({array}, i).val))"


SIGNATURE = "method m(a: Array, b: Array, x: Ref, k: Int, j: Int, v: Int)"


@pytest.mark.parametrize("head", [INVERSES, PAIRWISE])
@pytest.mark.parametrize(
    ("contract", "body", "claim"),
    [
        (f"{has('a', '9')} && 0 <= k && k < 9", "slot(a, k).val := 5  assert slot(a, k).val == 5",
         Claim.PROVED),
        (f"{has('a', '9')} && 0 <= k && k < 9", "slot(a, k).val := 5  assert slot(a, 3).val == 5",
         Claim.FAILS),
        (f"{has('a', '9')} && 0 <= k && k <= 9", "slot(a, k).val := 5", Claim.FAILS),
        (f"{has('a', '4')} && 0 <= k && k < 4 && 0 <= j && j < 4",
         "slot(a, k).val := 1  slot(a, j).val := 2  assert slot(a, k).val == 1 || k == j",
         Claim.PROVED),
        (f"{has('a', '3')} && (a != b ==> {has('b', '3')})",
         "slot(a, 1).val := 1  slot(b, 1).val := 2  assert slot(a, 1).val == 1", Claim.FAILS),
        (f"{has('a', '3')} && {has('b', '3')}", "assert a != b", Claim.PROVED),
        ("true", "assert slot(a, k) != null", Claim.FAILS),
        (f"{has('a', '3')}", "assert slot(a, 1) != null", Claim.PROVED),
        ("acc(slot(a, k).val)", "assert slot(a, k) != x", Claim.FAILS),
        ("acc(slot(a, k).val) && acc(x.val)", "assert slot(a, k) != x", Claim.PROVED),
        ("true", "assert slot(a, k) == slot(b, j) ==> a == b && k == j", Claim.PROVED),
        ("true", "assert slot(a, k) != slot(b, k)", Claim.FAILS),
        (f"{has('a', '5')} && 0 <= k && k < 5", "slot(a, k).val := v"
         "  assert forall i: Int :: 0 <= i && i < 5 && i != k ==> "
         "slot(a, i).val == old(slot(a, i).val)", Claim.PROVED),
    ],
)  # fmt: skip
def test_what_is_known_of_places(head: str, contract: str, body: str, claim: Claim) -> None:
    done = explored(f"{head}{SIGNATURE} requires {contract} {{ {body} }}")

    assert done.claim is claim, done.open


def test_arrays_are_shown_as_lists() -> None:
    text = f"""{INVERSES}{SIGNATURE} requires {has("a", "len(a)")} && len(a) == 3 && a == b {{
      assert slot(a, 2).val != 7 }}"""
    line = text.count("\n", 0, text.index("assert")) + 1

    shown = inputs_at(explored(text), line)

    assert (shown["a"], shown["b"], shown["len(a)"]) == ("[0, 0, 7]", "a", "3")


def test_two_dimensions() -> None:
    text = f"""{MATRIX}method m(t: Matrix, r: Int, c: Int)
      requires forall i: Int, j: Int :: 0 <= i && i < 3 && 0 <= j && j < 2 ==> acc(at(t, i, j).val)
      requires 0 <= r && r < 3 && 0 <= c && c < 2 {{
      at(t, r, c).val := 5
      assert at(t, r, c).val == 5
      assert at(t, 1, 0).val != 5 }}"""
    line = text.count("\n", 0, text.index("assert at(t, 1, 0)")) + 1
    done = explored(text)

    assert failed_lines(done) == [line]
    assert inputs_at(done, line)["t"].count("[") == 4


def test_a_write_costs_no_way_for_each_element() -> None:
    def attempts(size: int) -> int:
        contract = f"{has('a', str(size))} && 0 <= k && k < {size}"
        done = explored(f"{INVERSES}{SIGNATURE} requires {contract} {{ slot(a, k).val := v }}")
        assert done.claim is Claim.PROVED
        return len([run for run in done.runs if run.test is not None])

    assert attempts(40) <= attempts(5) + 2


@pytest.mark.parametrize(
    "axiom",
    [
        "forall a: Array, i: Int :: { slot(a, i) } first(slot(a, i)) == a",  # no index
        "forall a: Array, i: Int :: 0 <= i ==> first(slot(a, i)) == a && second(slot(a, i)) == i",
        "forall a: Array, i:Int :: first(slot(a, i)) == a && second(slot(a, i)) == i && len(a) > 0",
        "forall a: Array :: first(slot(a, 0)) == a && second(slot(a, 0)) == 0",
    ],
)
def test_a_function_of_which_less_or_more_is_said_is_no_array(axiom: str) -> None:
    text = f"""domain Array {{ function slot(a: Array, i: Int): Ref  function len(a: Array): Int
      function first(r: Ref): Array  function second(r: Ref): Int  axiom {{ {axiom} }} }}"""
    program = load_text(text, "p.vpr").program

    assert program is not None
    assert not arrays_of(program).functions


def test_inverses_that_the_program_uses_are_left_to_the_solver() -> None:
    done = explored(f"{INVERSES}{SIGNATURE} {{ assert second(slot(a, k)) == k }}")

    assert done.claim is Claim.PROVED
