"""Domains that the solver knows are run with its functions, and axioms may use functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.explore.explore import explore_file
from pitviper.driver.explore.options import ExploreOptions
from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at

BITS = """domain Bit interpretation (SMTLIB: "(_ BitVec 1)", Boogie: "bv1") {
  function zero(): Bit interpretation "#b0"
  function flip(b: Bit): Bit interpretation "bvnot"
}
domain Byte interpretation (SMTLIB: "(_ BitVec 8)", Boogie: "bv8") {
  function byte(i: Int): Byte interpretation "(_ int2bv 8)"
  function plus(a: Byte, b: Byte): Byte interpretation "bvadd"
  function xor(a: Byte, b: Byte): Byte interpretation "bvxor"
  function below(a: Byte, b: Byte): Bool interpretation "bvult"
  function number(a: Byte): Int interpretation "bv2int"
}
field f: Byte
"""
HERE = BITS.count("\n") + 1


@pytest.mark.parametrize(
    "method",
    [
        "method m(a: Bit, b: Bit, c: Bit) { assert a == b || b == c || a == c }",
        "method m(a: Bit) { assert flip(flip(a)) == a && flip(a) != a }",
        "method m(a: Bit) requires a != zero() { assert flip(a) == zero() }",
        "method m(a: Byte, b: Byte) { assert xor(xor(a, b), b) == a }",
        "method m(a: Byte) { assert 0 <= number(a) && number(a) < 256 }",
        """method m(s: Seq[Byte]) requires |s| == 2 {
          assert s[0] == s[1] || below(s[0], s[1]) || below(s[1], s[0]) }""",
    ],
)
def test_what_is_true_of_all_values_is_proved(method: str) -> None:
    assert explored(BITS + method).claim is Claim.PROVED


@pytest.mark.parametrize(
    "method",
    [
        "method m(a: Bit, b: Bit) { assert a == b }",
        "method m(a: Byte) { assert below(a, plus(a, byte(1))) }",
        "method m(x: Ref) requires acc(x.f) { assert number(plus(x.f, x.f)) != 6 }",
    ],
)
def test_what_is_not_fails(method: str) -> None:
    assert failed_lines(explored(BITS + method)) == [HERE]


def test_the_value_is_one_that_fails() -> None:
    done = explored(BITS + "method m(a: Byte) { assert number(a) < 255 }")
    inputs = inputs_at(done, HERE)

    assert inputs[f"number({inputs['a']})"] == "255"


def test_text_that_the_solver_does_not_read_rejects_the_program(tmp_path: Path) -> None:
    file = tmp_path / "bad.vpr"
    file.write_text(
        """domain Bit interpretation (SMTLIB: "(_ BitVec 1)") {
  function zero(): Bit interpretation "nonsense"
}
method m(a: Bit) { assert a == zero() }""",
        encoding="utf-8",
    )
    front, done = explore_file(file, ExploreOptions())

    assert done is None
    assert [e.code for e in front.errors] == ["consistency.error"]
    assert [e.span.line for e in front.errors if e.span is not None] == [2]


def test_axioms_may_apply_functions_of_the_program() -> None:
    text = """function next(i: Int): Int { let j == (i + 1) in j }
domain D {
  function two(i: Int): Int
  axiom { forall i: Int :: { two(i) } two(i) == next(next(i)) }
}
method m() {
  assert two(4) == 6
  assert two(14) == 14
}"""
    done = explored(text)

    assert failed_lines(done) == [8]
    assert inputs_at(done, 8)["two(14)"] == "16"


def test_variables_of_an_opened_function_are_not_those_of_the_axiom() -> None:
    text = """function least(c: Int): Bool { forall b: Int :: big(b) ==> c <= b }
domain D {
  function big(i: Int): Bool
  function low(a: Int, b: Int): Bool
  axiom { forall a: Int, b: Int :: { low(a, b) } low(a, b) ==> least(b) }
}
method m(b: Int)
  requires low(0, b) && big(3)
{
  assert b <= 3
  assert b <= 2
}"""
    done = explored(text)

    assert [r.finding.span.line for r in done.runs if r.finding is not None] == [11]


def test_a_recursive_function_in_an_axiom_is_not_looked_at() -> None:
    text = """function sum(i: Int): Int { i <= 0 ? 0 : i + sum(i - 1) }
domain D {
  function f(i: Int): Int
  axiom { forall i: Int :: { f(i) } f(i) == sum(i) }
}
method m() { assert f(2) == 3 }"""

    assert explored(text).claim is Claim.OPEN


def test_promises_that_lead_back_to_the_same_arguments_are_whole() -> None:
    text = """function even(i: Int): Bool ensures result == !odd(i)
function odd(i: Int): Bool ensures result == !even(i)
method m(i: Int) {
  assert even(i) != odd(i)
  assert even(i)
}"""

    assert failed_lines(explored(text)) == [5]
