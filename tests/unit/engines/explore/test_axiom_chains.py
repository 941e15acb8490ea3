"""Failures that rest on axioms count only where somebody can know when all axioms were used."""

from __future__ import annotations

import pytest

from pitviper.driver.explore.explore import explore_program
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.results.exploration import Claim, MethodExploration
from pitviper.results.wizard import Colour

CHAIN = """domain D { function P(i: Int): Bool
  axiom { P(0) }
  axiom { forall i: Int :: { P(i) } 0 <= i && P(i) ==> P(i + 1) } }
method m() { assert P(50) }
"""

ROUND_ABOUT = """domain D { function P(i: Int): Bool  function Q(i: Int): Bool
  axiom { P(0) }
  axiom { forall i: Int :: { P(i) } 0 <= i && P(i) ==> Q(i + 1) }
  axiom { forall i: Int :: { Q(i) } Q(i) ==> P(i) } }
method m() { assert Q(50) }
"""

ENDS = """domain D { function h(i: Int): Int
  axiom { forall i: Int :: { h(i) } h(i) > i } }
method m(n: Int) { assert h(n) != 8 }
"""

ARRAYS = """field val: Int
domain Array { function loc(a: Array, i: Int): Ref  function len(a: Array): Int
  function first(r: Ref): Array  function second(r: Ref): Int
  axiom { forall a: Array, i: Int :: { loc(a, i) } first(loc(a, i)) == a && second(loc(a, i)) == i }
  axiom { forall a: Array :: { len(a) } len(a) >= 0 } }
method m(a: Array) requires len(a) == 2 && acc(loc(a, 0).val) { assert loc(a, 0).val != 3 }
"""

NEW_BY_A_FUNCTION = """domain D { function P(i: Int): Bool  function next(i: Int): Int
  axiom { P(0) }
  axiom { forall i: Int :: { P(i) } P(i) ==> P(next(i)) }
  axiom { forall i: Int :: { next(i) } next(i) == i + 1 } }
method m() { assert P(50) }
"""

LISTS = """domain List[T] { function nil(): List[T]  function cons(x: T, xs: List[T]): List[T]
  function length(xs: List[T]): Int
  axiom { length((nil(): List[T])) == 0 }
  axiom { forall x: T :: forall xs: List[T] :: length(cons(x, xs)) == length(xs) + 1 } }
method m(x: Int, xs: List[Int]) { assert length(cons(x, xs)) != 3 }
"""

PAIRS = """domain Pair[A] { function pair(a: A, b: A): Pair[A]  function one(p: Pair[A]): A
  function same(p: Pair[A], q: Pair[A]): Bool
  axiom { forall a: A, b: A :: { one(pair(a, b)) } one(pair(a, b)) == a }
  axiom { forall p: Pair[A], q: Pair[A] :: same(p, q) == (one(p) == one(q)) } }
method m(a: Int, b: Int) { assert same(pair(a, b), pair(b, a)) }
"""


def explored(text: str) -> MethodExploration:
    (done,) = explore_program(load_text(text, "p.vpr"), ExploreOptions())
    return done


@pytest.mark.parametrize("text", [CHAIN, ROUND_ABOUT, NEW_BY_A_FUNCTION])
def test_an_endless_chain_leaves_a_failure_doubtful(text: str) -> None:
    done = explored(text)
    assert done.claim is Claim.OPEN
    assert all("found a model of the axioms of D" in run.doubts[0] for run in done.failures)


@pytest.mark.parametrize("text", [ENDS, ARRAYS, LISTS, PAIRS])
def test_axioms_that_end_do_not(text: str) -> None:
    assert explored(text).claim is Claim.FAILS


def test_the_wizard_says_the_same() -> None:
    front = load_text(CHAIN.replace("50", "5000"), "p.vpr")
    report = run_wizard(front, ExploreOptions())
    assert not report.with_colour(Colour.RED)
