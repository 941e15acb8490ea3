"""What is called a counterexample is possible: true assertions have none, wrong ones do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import Counterexample, Result, Standing

LIST = """field next: Ref
field val: Int
predicate list(x: Ref) { x != null ==> acc(x.next) && acc(x.val) && list(x.next) }
predicate full(x: Ref) { acc(x.next) && (x.next != null ==> full(x.next)) }
predicate wrapped(x: Ref) { acc(x.next) && full(x.next) }
function len(x: Ref): Int requires list(x)
{ x == null ? 0 : unfolding list(x) in 1 + len(x.next) }
function elems(x: Ref): Seq[Int] requires list(x)
{ x == null ? Seq[Int]() : unfolding list(x) in Seq(x.val) ++ elems(x.next) }
"""
FUNCTIONS = """
function fact(n: Int): Int requires n >= 0 { n == 0 ? 1 : n * fact(n - 1) }
function even(n: Int): Bool requires n >= 0 { n == 0 ? true : odd(n - 1) }
function odd(n: Int): Bool requires n >= 0 { n == 0 ? false : even(n - 1) }
function sum(s: Seq[Int]): Int { |s| == 0 ? 0 : s[0] + sum(s[1..]) }
function up(n: Int): Int { n > 1000 ? 0 : up(n + 1) }
"""
SOLVER = """
domain Solver {
  function floored(p: Perm): Int interpretation "to_int"
  function size(i: Int): Int interpretation "abs"
}
"""
NUMBERED = """
domain D {
  function h(r: Ref): Int
  function of(i: Int): Ref
  axiom { forall i: Int :: { of(i) } h(of(i)) == i }
}
"""
TREE = "adt L { Nil() Cons(head: Int, tail: L) }\n"
OWNED = """field f: Int
field next: Ref
predicate P(x: Ref) { acc(x.f) }
predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
"""


def answers(text: str, folder: Path) -> tuple[Result, ...]:
    path = folder / "program.vpr"
    path.write_text(text)
    return counterexamples(path, CounterexampleOptions()).results


def is_confirmed(result: Result) -> bool:
    return isinstance(result, Counterexample) and result.standing is not Standing.CANDIDATE


TRUE = [
    "method m() { assert exists x: Int :: x > 5 }",
    "method m(y: Int) { assert exists x: Int :: x > y + 100 }",
    SOLVER + "method m(p: Perm) requires p == 7/2 { assert floored(p) + size(-3) == 6 }",
    "method m(y: Int) { assert exists x: Int :: y < x && x < y + 2 }",
    "method m(r: Ref, q: Ref) { assert exists x: Ref :: x != r && x != q && x != null }",
    "method m(p: Perm) { assert p > none ==> exists q: Perm :: none < q && q < p }",
    "method m(p: Perm, q: Perm) requires p < q { assert exists r: Perm :: p < r && r < q }",
    "method m() { assert !(forall p: Perm :: p <= write) }",
    "method m(s: Seq[Int]) { assert exists t: Seq[Int] :: |t| == |s| + 1 }",
    "method m(s: Set[Int]) { assert exists t: Set[Int] :: |t| > |s| }",
    "method m(s: Multiset[Int]) { assert exists t: Multiset[Int] :: |t| == |s| + 2 }",
    "method m(s: Map[Int, Int]) { assert exists t: Map[Int, Int] :: t != s }",
    "method m(s: Seq[Seq[Int]]) { assert exists t: Seq[Int] :: !(t in s) }",
    "method m(r: Ref) { assert exists s: Set[Ref] :: r in s }",
    "method m(s: Set[Ref]) requires null in s && |s| < 3 { assert exists t: Ref :: !(t in s) }",
    NUMBERED + "method m() { assert exists r: Ref :: h(r) > 5 }",
    NUMBERED + "method m() { assert exists r: Ref, q: Ref :: h(r) != h(q) }",
    TREE + "method m(l: L) { assert exists k: L :: k.isCons && k.tail == l }",
    TREE + "method m() { assert !(forall l: L :: l.isCons ==> l.head >= 0) }",
    FUNCTIONS + "method m() { assert fact(5) == 120 }",
    FUNCTIONS + "method m() { assert even(6) }",
    FUNCTIONS + "method m() { assert sum(Seq(1, 2, 3)) == 6 }",
    FUNCTIONS + "method m() { assert up(0) == 0 }",
    LIST + "method m(x: Ref) requires list(x) { assert len(x) >= 0 }",
    LIST + "method m(x: Ref) requires list(x) && x != null { assert len(x) > 0 }",
    LIST + "method m(x: Ref) requires list(x) { assert |elems(x)| == len(x) }",
    LIST + "method m(a: Ref, b: Ref) requires wrapped(a) && full(b)\n"
    "{ assert (unfolding wrapped(a) in a.next) != b }",
    LIST + "method m(a: Ref, b: Ref) requires full(a) && full(b) { assert a != b }",
    LIST + "method m(a: Ref, b: Ref) requires full(a) && full(b)\n"
    "{ assert (unfolding full(a) in a.next) != b }",
    "adt L { N() C(h: Int, t: L) } function ln(l: L): Int { l.isN ? 0 : 1 + ln(l.t) }"
    " method m() { assert exists l: L :: ln(l) == 4 }",
    OWNED + "method m(x: Ref) { inhale P(x) exhale P(x) assert x != null }",
    OWNED + "method m(x: Ref, y: Ref)\n"
    "{ inhale P(x) inhale P(y) exhale P(x) exhale P(y) assert x != y }",
    OWNED + "method m(x: Ref, y: Ref)\n"
    "{ inhale list(x) inhale list(y) unfold list(x) exhale acc(x.next) assert x != y }",
    OWNED + "method m(x: Ref, y: Ref, b: Bool)\n"
    "{ if (b) { inhale P(x) inhale P(y) exhale P(x) exhale P(y) } assert b ==> x != y }",
    OWNED + "method give(x: Ref) requires P(x)\n"
    "method m(x: Ref, y: Ref) { inhale P(x) inhale P(y) give(x) give(y) assert x != y }",
    OWNED + "method m(x: Ref, y: Ref) requires list(y)\n{\n"
    "  unfold list(y)\n  var c: Ref := y.next\n"
    "  while (c != null) invariant c != null ==> list(c)\n"
    "  { assert c != y unfold list(c) c := c.next }\n}",
    OWNED + "method m(x: Ref, i: Int) requires acc(x.f) && x.f == 1\n"
    "{ while (i < 3) invariant acc(x.f, 1/2) { assert x.f == 1 } }",
    OWNED + "method m(x: Ref, y: Ref) requires acc(x.f, 1/2) && acc(y.f, 1/2)\n{\n"
    "  var v: Int := x.f\n  var w: Int := y.f\n"
    "  exhale acc(x.f, 1/2)\n  exhale acc(y.f, 1/2)\n  assert x == y ==> v == w\n}",
    OWNED + "method m(y: Ref) requires acc(y.next)\n"
    "{ exhale acc(y.next) var x: Ref x := new() assert x != old(y.next) }",
    OWNED + "method m(s: Set[Ref], x: Ref, i: Int)\n"
    "  requires (forall z: Ref :: z in s ==> acc(z.f, 1/2)) && x in s && acc(x.f, 1/2)\n"
    "{ var v: Int := x.f while (i < 3) invariant acc(x.f, 1/2) { assert x.f == v } }",
    OWNED + "method m(x: Ref, y: Ref) requires acc(y.f) && acc(x.next)\n"
    "{ package acc(x.next) --* acc(x.next) && acc(y.f) inhale acc(x.f) assert x != y }",
    OWNED + "method m(x: Ref, y: Ref) requires acc(x.f) && (true --* acc(y.f)) { assert x != y }",
    OWNED + "method m(x: Ref, y: Ref) requires (true --* acc(x.f)) && (true --* acc(y.f))"
    " { assert x != y }",
    OWNED + "method m(x: Ref, y: Ref) requires acc(x.f) && (acc(x.f) --* acc(x.f) && acc(y.next))"
    " { assert y != null }",
    OWNED + "method m(x: Ref, n: Int) requires acc(x.f) && (acc(x.f) --* acc(x.f) && n > 0)"
    " { assert n > 0 }",
    OWNED + "method m(s: Set[Ref], x: Ref) requires acc(x.f)"
    " && (forall r: Ref :: r in s ==> (true --* acc(r.f))) { assert !(x in s) }",
    OWNED + "method m(x: Ref, y: Ref) { inhale true --* acc(y.f) inhale acc(x.f)"
    " exhale acc(x.f) apply true --* acc(y.f) assert x != y }",
    OWNED + "method m(k: Map[Int, Ref]) { var x: Ref x := new(f) assert 1 in k ==> k[1] != x }",
    OWNED + "method m(b: Multiset[Ref]) { var x: Ref x := new(f) assert (x in b) == 0 }",
    OWNED + "adt D { End() One(o: Ref, r: D) }\n"
    "method m(d: D) { var x: Ref x := new(f) assert d.isOne ==> d.o != x }",
    OWNED + "adt D { End() One(o: Ref, r: D) } field d: D predicate Q(x: Ref) { acc(x.d) }\n"
    "method m(z: Ref) requires Q(z)\n"
    "{ var x: Ref x := new(f) unfold Q(z) assert z.d.isOne ==> z.d.o != x }",
    OWNED + "domain A { function at(i: Int): Ref } method n() returns (v: Ref)\n"
    "method m() { var v: Ref v := n() inhale v == at(3) v := null\n"
    "  var x: Ref x := new(f) assert x != at(3) }",
]


@pytest.mark.parametrize("text", TRUE)
def test_true_assertion_has_no_confirmed_counterexample(text: str, tmp_path: Path) -> None:
    found = answers(text, tmp_path)
    assert not [result for result in found if is_confirmed(result)]


WRONG = [
    "method m(y: Int) { assert exists x: Int :: x * 2 == y }",
    FUNCTIONS + "method m() { assert fact(5) == 121 }",
    FUNCTIONS + "method m() { assert even(7) }",
    FUNCTIONS + "method m() { assert sum(Seq(1, 2, 3)) == 7 }",
    LIST + "method m(x: Ref) requires list(x) { assert len(x) != 2 }",
    LIST + "method m(a: Ref, b: Ref) requires full(a) && full(b)\n"
    "{ assert (unfolding full(a) in a.next) != null }",
    "domain D { function g(x: Int): Int axiom { forall i: Int :: { g(i) } g(i) > 0 } }\n"
    "method m() { assert g(3) == 7 }",
    SOLVER + "method m(p: Perm) requires p > 5/2 { assert floored(p) == 2 }",
    SOLVER + "method m(i: Int) { assert size(i) == i }",
    "method m(p: Perm, q: Perm) { assert exists r: Perm :: p < r && r < q }",
    "method m(s: Set[Ref]) { assert forall r: Ref :: r in s }",
    "method m(s: Set[Ref]) { assert exists r: Ref :: r in s }",
    "method m(s: Set[Ref]) requires |s| > 0 { assert forall r: Ref :: r in s ==> r == null }",
    "domain D { function h(r: Ref): Int } method m() { assert exists r: Ref :: h(r) > 5 }",
    "domain D {} method m(d: D) { assert exists e: D :: e != d }",
    OWNED + "method m(x: Ref, y: Ref) { inhale P(x) exhale P(x) inhale P(y) assert x != y }",
    OWNED + "method m(x: Ref, y: Ref, b: Bool)\n"
    "{ if (b) { inhale P(x) exhale P(x) } else { inhale P(y) exhale P(y) } assert x != y }",
    OWNED + "method m(x: Ref, y: Ref)\n"
    "{ inhale P(x) inhale acc(P(y), 1/2) exhale P(x) inhale acc(P(x), 1/2) assert x == y }",
    OWNED + "method m(x: Ref, y: Ref) requires acc(y.f, 1/2) && acc(x.next)\n"
    "{ package acc(x.next) --* acc(x.next) && acc(y.f, 1/2) inhale acc(x.f, 1/2) assert x != y }",
    OWNED + "method m(y: Ref) requires acc(y.next)\n"
    "{ exhale acc(y.next) var x: Ref x := new() inhale acc(y.next) assert x != y.next }",
    OWNED + "method m(x: Ref, y: Ref, i: Int) requires P(x)\n"
    "{ while (i < 3) invariant acc(y.f, 1/2) { assert y.f == 1 } }",
    OWNED + "method m(x: Ref, y: Ref) requires acc(x.f, 1/2)"
    " && (acc(x.f) --* acc(x.f) && acc(y.f)) { assert x != y }",
    OWNED + "method m(x: Ref, y: Ref) requires acc(x.f) && (acc(x.f) --* acc(x.f) && acc(y.f))"
    " { apply acc(x.f) --* acc(x.f) && acc(y.f) assert y.f > 0 }",
    OWNED + "method m(x: Ref, y: Ref) requires acc(x.f) && (acc(x.f) --* P(x) && acc(y.f))"
    " { apply acc(x.f) --* P(x) && acc(y.f) assert y.f > 0 }",
    OWNED + "method m(k: Map[Int, Ref]) { var x: Ref x := new(f) assert 1 in k ==> k[1] != null }",
    OWNED + "domain A { function at(i: Int): Ref }\n"
    "method m() { var x: Ref x := new(f) assert x != at(3) }",
]


@pytest.mark.parametrize("text", WRONG)
def test_wrong_assertion_has_a_confirmed_counterexample(text: str, tmp_path: Path) -> None:
    (found,) = answers(text, tmp_path)
    assert is_confirmed(found)


def test_candidate_says_what_is_free(tmp_path: Path) -> None:
    (found,) = answers(FUNCTIONS + "method m() { assert up(0) == 0 }", tmp_path)
    assert isinstance(found, Counterexample)
    assert found.doubts[0].startswith("values of up follow from its body: it was unrolled often")


def test_contents_are_shown_at_every_depth(tmp_path: Path) -> None:
    text = LIST + "method m(x: Ref) requires list(x) { assert len(x) != 2 }"
    (found,) = answers(text, tmp_path)
    assert isinstance(found, Counterexample)
    owned = [(at.object, at.field, at.value.text) for at in found.heaps[0].instances[0].owns]
    assert ("Ref1", "next", "Ref2") in owned
    assert ("Ref2", "next", "null") in owned


def test_a_statement_inside_of_what_it_speaks_about(tmp_path: Path) -> None:
    """Its value is an argument of a function, over whose arguments it quantifies."""
    text = """
    domain D { function d(b: Bool, i: Int): Bool }
    method m(c: Bool) { assert forall i: Int :: d(forall j: Int :: d(c, j), i) }
    """
    (found,) = answers(text, tmp_path)
    assert isinstance(found, Counterexample)
    assert any("depends on itself" in doubt for doubt in found.doubts)
