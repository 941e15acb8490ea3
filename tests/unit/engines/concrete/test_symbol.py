"""Domain functions and algebraic data types."""

from __future__ import annotations

from pitviper.engines.concrete.options import Interpretation, meaning_of
from pitviper.engines.concrete.outcome import CannotRun, Failed
from pitviper.engines.shared.values import Token
from pitviper.program.types import DomainType
from tests.unit.engines.concrete.running import (
    CANNOT,
    FALSE,
    PASSED,
    TRUE,
    body,
    run,
    tape,
    verdict,
)

PLAIN = """
domain Color {
  unique function red(): Color
  unique function blue(): Color
  function hue(c: Color): Int
}
"""
SIZED = "domain Box { function size(b: Box): Int axiom { forall c: Box :: size(c) >= 0 } }\n"
TREES = """
adt Tree { Leaf() Node(left: Tree, label_: Int, right: Tree) }
adt Pair[T] { Mk(first: T, second: T) }
function height(t: Tree): Int
{ t.isLeaf ? 0 : 1 + (height(t.left) > height(t.right) ? height(t.left) : height(t.right)) }
"""


def check(declarations: str, statements: str, *numbers: int) -> str:
    return verdict(run(declarations + body(statements, ""), decisions=tape(*numbers)))


def test_functions_that_no_axiom_mentions_are_decided_once() -> None:
    assert check(PLAIN, "assert hue(red()) == hue(red()) && red() != blue()") == PASSED
    assert check(PLAIN, "assert hue(red()) == hue(blue())", 0, 0, 0, 1) == FALSE
    assert check(PLAIN, "assume hue(red()) == 5\nassert hue(red()) == 5") == PASSED


def test_functions_with_axioms_need_an_interpretation() -> None:
    text = SIZED + "method m(c: Box) { assert size(c) == 2 }"
    box = Token(DomainType("Box"), 1)
    outcome = run(text, {"c": box})
    assert isinstance(outcome, CannotRun)
    assert outcome.reason == "size has no interpretation"
    given = Interpretation({"size": meaning_of({(box,): 2})}, frozenset({"Box"}))
    assert verdict(run(text, {"c": box}, interpretation=given)) == PASSED
    other = Token(DomainType("Box"), 2)
    assert verdict(run(text, {"c": other}, interpretation=given)) == CANNOT


def test_values_of_constrained_domains_are_not_made_up() -> None:
    assert check(SIZED, "var c: Box\nvar d: Box\nassert c == d") == CANNOT
    assert check(SIZED, "var c: Box\nassert c == c") == PASSED


def test_a_failure_assumes_that_axioms_have_a_model() -> None:
    outcome = run(SIZED + body("assert false", ""))
    assert isinstance(outcome, Failed)
    assert outcome.assuming == ("Box",)


def test_algebraic_data_types() -> None:
    tree = "Node(Node(Leaf(), 1, Leaf()), 2, Leaf())"
    assert check(TREES, f"assert height({tree}) == 2 && {tree}.label_ == 2") == PASSED
    assert check(TREES, f"assert {tree}.isNode && !({tree}.isLeaf)") == PASSED
    assert check(TREES, "assert Mk(1, 2).first == 1 && Mk(1, 2) != Mk(2, 1)") == PASSED
    assert check(TREES, "assert Leaf().label_ == Leaf().label_") == PASSED
    assert check(TREES, "assert Leaf().label_ == 0", 3) == FALSE
    assert check(TREES, "var t: Tree\nassert t.isLeaf", 0) == PASSED
    assert check(TREES, "var t: Tree\nassert t.isLeaf", 1) == FALSE
    assert TRUE == (PASSED, FALSE)
