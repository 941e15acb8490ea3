"""Programs that once made exploration claim too much: a proof of a wrong method, a false alarm."""

from __future__ import annotations

import pytest

from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, inputs_at

HEAD = "field f: Int  field g: Ref\n"

WRONG = {
    "every number is at least 0 times in a multiset": """
method m(s: Multiset[Int]) requires |s| == 0
{ assert forall i: Int :: (i in s) >= 0 ==> i == 3 }""",
    "or more than -1 times": """
method m(s: Multiset[Int]) requires |s| == 0
{ assert forall i: Int :: (i in s) > -1 ==> i == 3 }""",
    "before its bounds a quantifier is evaluated for all numbers": """
method m() { assert forall i: Int :: 10 \\ i > 0 && 0 < i && i < 3 ==> true }""",
    "also between its bounds": """
method m(s: Seq[Int]) requires |s| < 3
{ assert forall i: Int :: 0 <= i && s[i] > 0 && i < |s| ==> s[i] > 0 }""",
    "a condition without its variables is evaluated where a quantifier has no values": """
method m(a: Int, s: Set[Int]) requires |s| == 0
{ assert forall z: Int :: 3 \\ a != 7 && z in s ==> z > 5 }""",
    "one between the bounds": """
method m(a: Int, n: Int) requires n <= 0
{ assert forall z: Int :: 0 <= z && 3 \\ a != 7 && z < n ==> z > 5 }""",
    "one before what is true anyway": """
method m(a: Int) { assert forall z: Int :: 3 \\ a != 7 ==> true }""",
    "the value that a variable has, before what is true anyway": """
method m(a: Int, s: Set[Int]) requires |s| == 1
{ assert forall z: Int, y: Int :: z in s && y == 3 \\ a ==> z >= 0 || true }""",
    "what it is below, before it is found in nothing": """
method m(a: Int, s: Set[Int]) requires |s| == 0
{ assert forall z: Int :: z < 3 \\ a && z in s ==> z == 5 }""",
    "a field in the condition of permissions to nothing": """
method m(x: Ref, s: Set[Ref]) requires |s| == 0
{ exhale forall y: Ref :: x.f == 5 && y in s ==> acc(y.f) }""",
    "a domain with one value": """
domain Unit { function unit(): Unit  axiom { forall x: Unit :: x == unit() } }
method m(i: Int) { var v: Unit := unit(); assert i < 100 }""",
    "a domain with two values, sometimes": """
domain Two { function one(): Two  function two(): Two  function few(): Bool
  axiom { few() ==> (forall x: Two :: x == one() || x == two()) } }
method m(i: Int) { if (few()) { assert i < 100 } }""",
    "there are as many truth values": """
method m(s: Set[Bool]) { assert |s| <= 1 }""",
    "and sets of them": """
method m(s: Set[Set[Bool]]) { assert |s| <= 3 }""",
    "keys of a map": """
method m(s: Map[Bool, Bool]) { assert |s| < 2 }""",
    "values of a domain that has two": """
domain D { function a(): D  function b(): D  axiom { forall x: D :: x == a() || x == b() } }
method m(s: Set[D]) { assert |s| <= 1 }""",
    "after a cut the assumed side of a pair is not known": """
method m(x: Ref) requires acc(x.f)
{ @cut() assert [acc(x.f) && x.f == 3, acc(x.f)]
  assert x.f == 3 }""",
    "nor are amounts what they were": """
method m(x: Ref, b: Bool) requires acc(x.f)
{ @cut() assert b ==> perm(x.f) == write
  assert !b }""",
    "half of an instance may have a location twice": """
predicate T(x: Ref, y: Ref) { acc(x.f) && acc(y.f) }
method m(x: Ref, y: Ref) requires acc(T(x, y), 1/2)
{ unfold acc(T(x, y), 1/2); assert x != y }""",
    "also where nobody opens it": """
predicate T(x: Ref, y: Ref) { acc(x.f) && acc(y.f) }
method m(x: Ref, y: Ref) requires acc(T(x, y), 1/2)
{ assert x != y }""",
    "and half of an instance inside of half of one": """
predicate T(x: Ref, y: Ref) { acc(x.f) && acc(y.f) }
predicate U(x: Ref, y: Ref) { T(x, y) }
method m(x: Ref, y: Ref, p: Perm) requires none < p && p < 1/2 && acc(U(x, y), p)
{ unfold acc(U(x, y), p); unfold acc(T(x, y), p); assert x != y }""",
    "and more than all of it": """
predicate R(x: Ref, p: Perm) { p >= none && acc(x.f, p) }
method m(x: Ref, p: Perm) requires acc(R(x, p), 1/2)
{ unfold acc(R(x, p), 1/2); assert p <= write }""",
    "out of a pair comes less than went in": """
predicate P(x: Ref) { [acc(x.f, 1/2), acc(x.f)] }
method m(x: Ref) requires acc(x.f)
{ fold P(x); unfold P(x); assert perm(x.f) == write }""",
    "out of a wand with a pair comes less than went in": """
method m(x: Ref, y: Ref) requires acc(x.f) && acc(y.f)
{ package acc(y.f) --* acc(y.f) && [acc(x.f, 1/2), acc(x.f)]
  apply acc(y.f) --* acc(y.f) && [acc(x.f, 1/2), acc(x.f)]
  assert perm(x.f) == write }""",
    "what a pair brings is brought anew": """
predicate P(x: Ref) { [acc(x.f), true] }
method m(x: Ref) requires P(x)
{ var v: Int := unfolding P(x) in x.f
  inhale acc(x.f); x.f := v + 1; exhale acc(x.f)
  var w: Int := unfolding P(x) in x.f
  assert v == w }""",
    "hardly an object": """
domain D { function of(r: Ref): Int  axiom { forall r: Ref :: { of(r) } of(r) == 0 }
  axiom { forall r: Ref, s: Ref :: { of(r), of(s) } r == null || s == null || r == s } }
method m(x: Ref, i: Int) { if (of(x) == 0 && x != null) { assert i < 100 } }""",
}

CONTRADICTION = """domain Bad { function h(i: Int): Int
  axiom { forall i: Int :: { h(i) } h(i) > h(i) } }
method m(i: Int) { var k: Int := h(3); assert i < 100 }
method n(i: Int) { assert i < 100 }"""

RIGHT = {
    "two thirds of an instance do not have a location twice": """
predicate T(x: Ref, y: Ref) { acc(x.f) && acc(y.f) }
method m(x: Ref, y: Ref) requires acc(T(x, y), 2/3)
{ unfold acc(T(x, y), 2/3); assert x != y }""",
    "nor do two halves": """
predicate T(x: Ref, y: Ref) { acc(x.f) && acc(y.f) }
method m(x: Ref, y: Ref) requires T(x, y)
{ unfold acc(T(x, y), 1/2); unfold acc(T(x, y), 1/2); assert x != y }""",
    "out of a pair comes more than went in": """
predicate P(x: Ref) { [acc(x.f), acc(x.f, 1/2)] }
method m(x: Ref) requires acc(x.f, 1/2) && x.f == 1
{ fold P(x); unfold P(x); assert x.f == 1 && perm(x.f) == write; x.f := 2 }""",
    "out of a wand with a pair comes more than went in": """
method m(x: Ref, y: Ref) requires acc(x.f, 1/2) && acc(y.f) && x != y
{ package acc(y.f) --* acc(y.f) && [acc(x.f), acc(x.f, 1/2)]
  apply acc(y.f) --* acc(y.f) && [acc(x.f), acc(x.f, 1/2)]
  assert perm(x.f) == write }""",
    "who applies a wand with a pair is promised something": """
method m(x: Ref) requires acc(x.f)
{ package acc(x.f) --* acc(x.f) && [x.f > 0, true]
  apply acc(x.f) --* acc(x.f) && [x.f > 0, true]
  assert x.f > 0 }""",
    "also more than there can be": """
predicate P(x: Ref) { [acc(x.f), acc(x.f, 1/2)] }
method m(x: Ref) requires acc(x.f)
{ fold P(x); unfold P(x); assert false }""",
    "who opens a pair is promised something": """
predicate P(x: Ref) { acc(x.f) && [x.f > 0, true] }
method m(x: Ref) requires acc(x.f)
{ fold P(x); unfold P(x); assert x.f > 0 }""",
    "what a variable is equal to is not evaluated where nothing is between the bounds": """
method m(a: Int) { assert forall z: Int :: 0 <= z && z < 0 ==> z != 3 \\ a }""",
    "nor with bounds of the input": """
method m(a: Int, i: Int) requires i <= 0
{ inhale forall z: Int :: 0 <= z && z < i ==> z != 3 \\ a }""",
    "nor with bounds that leave nothing": """
method m(a: Int) { assert forall z: Int :: z > 3 && z < 2 && z == 3 \\ a ==> z >= 0 }""",
    "what another variable is equal to is not evaluated for no elements": """
method m(a: Int, s: Set[Int]) requires |s| == 0
{ assert forall y: Int, z: Int :: z in s && y == 3 \\ a ==> y == 5 }""",
    "two variables below each other": """
method m(b: Int) { assert forall z: Int, y: Int :: z < y && y < z ==> z >= b }""",
    "a condition before bounds guards them": """
method m(k: Int, s: Seq[Seq[Int]]) requires |s| <= 1
{ assert forall i: Int :: 0 <= k && k < |s| && 0 <= i && i < |s[k]| ==> s[k][i] == s[k][i] }""",
    "so does a permission": """
method m(b: Bool, x: Ref) requires b ==> acc(x.f)
{ inhale b ==> x.f < 4; assert forall i: Int :: b && 0 <= i && i < x.f ==> i < x.f }""",
    "and what is known of an outer variable": """
method m(s: Seq[Set[Int]], t: Set[Int]) requires |s| <= 1 && |t| <= 1
{ assert forall i: Int, j: Int :: i in t && 0 <= i && i < |s| && j in s[i] ==> j in s[i] }""",
    "an axiom about sequences speaks about another domain": """
domain A { function height(x: Int): Int }
domain B { axiom { forall s: Seq[Int] :: { height(|s|) } height(|s|) > 0 } }
method m(s: Seq[Int]) { assert height(|s|) > 0 }""",
    "and through a third one": """
domain A { function height(x: Int): Int }
domain B { axiom { forall s: Seq[Int] :: { height(|s|) } height(|s|) > 0 } }
domain C { function size(x: Int): Int  axiom { forall i: Int :: { size(i) } size(i) == height(i) } }
method m(s: Seq[Int]) { assert size(|s|) > 0 }""",
    "the relation that data types derive": """
import <adt/derives.vpr>
adt Tree { Leaf()  Node(left: Tree, mark: Int) } derives { contains }
method m(t: Tree) { assert contains(t, Node(t, 3)) }""",
    "a predicate instance that cannot exist": """
predicate cell(x: Ref) { acc(x.f) }
method m(x: Ref) requires cell(x) { assert x != null }""",
    "two of them that do not fit together": """
predicate cell(x: Ref) { acc(x.f) }
method m(x: Ref) requires cell(x) && acc(x.f, 1/2) { assert false }""",
    "one inside of another": """
predicate cell(x: Ref) { acc(x.f) && x.f > 0 }
predicate twice(x: Ref) { acc(cell(x), 1/2) && acc(x.f, 1/2) && x.f == 0 }
method m(x: Ref) requires twice(x) { assert false }""",
    "axioms about ever larger types": """
domain P[T] { function nest(x: T): P[T]  function sz(x: P[T]): Int
  axiom { forall x: T :: { nest(x) } sz(nest(nest(x))) > 0 } }
method m() { assert sz(nest(nest(3))) > 0 }""",
    "there are two truth values": """
method m(s: Set[Bool]) { assert |s| <= 2 }""",
    "so a map has two keys": """
method m(s: Map[Bool, Int]) { assert |s| <= 2 }""",
    "and there are four sets of them": """
method m(s: Set[Set[Bool]]) { assert |s| <= 4 }""",
    "data without end on no side": """
adt E { one() two() }
adt F { pair(x: Bool, y: E) none_of_them() }
method m(s: Set[F]) { assert |s| <= 5 }""",
    "axioms leave few values of a domain": """
domain D { function a(): D  function b(): D  axiom { forall x: D :: x == a() || x == b() } }
method m(x: D, y: D, z: D) { assert x == y || x == z || y == z }""",
    "so a set has few of them": """
domain D { function a(): D  function b(): D  axiom { forall x: D :: x == a() || x == b() } }
method m(s: Set[D]) { assert |s| <= 2 }""",
    "or not many": """
domain D { function a(): D  function b(): D  axiom { forall x: D :: x == a() || x == b() } }
method m(s: Set[D]) { assert |s| <= 30 }""",
    "few bit vectors": """
domain B interpretation (SMTLIB: "(_ BitVec 2)")
{ function bv(i: Int): B interpretation "(_ int2bv 2)" }
method m(s: Set[B]) { assert |s| <= 4 }""",
    "an axiom with triggers that nobody applies": """
domain W[T] { function v(w: W[T]): T
  axiom { forall w: W[T], u: W[T] :: { v(w), v(u) } v(w) == v(u) ==> w == u } }
method m(r: W[Bool], s: W[Bool], t: W[Bool]) { assert r == s || r == t || s == t }""",
    "an axiom of another domain": """
domain D {}
domain X { axiom { forall r: D, s: D :: r == s } }
method m(r: D, s: D) { assert r == s }""",
    "an axiom about all references": """
domain X { axiom { forall r: Ref, s: Ref :: r == s } }
method m(r: Ref) { assert r == null }""",
    "a false axiom": """
domain X { axiom { false } }
method m(i: Int) { assert i != 3 }""",
    "axioms that contradict each other about a function that nobody applies": """
domain X { function h(i: Int): Int  axiom { h(0) == 1 }  axiom { h(0) == 2 } }
method m(i: Int) { assert i != 3 }""",
    "an axiom without trigger": """
domain Unit { function unit(): Unit  axiom { forall x: Unit :: x == unit() } }
method m(u: Unit) { assert u == unit() }""",
}


@pytest.mark.parametrize("why", WRONG)
def test_a_wrong_method_is_not_proved(why: str) -> None:
    assert explored(HEAD + WRONG[why]).claim in (Claim.FAILS, Claim.OPEN)


@pytest.mark.parametrize("why", RIGHT)
def test_a_right_method_does_not_fail(why: str) -> None:
    done = explored(HEAD + RIGHT[why])

    assert not done.certain_failures
    assert done.claim is not Claim.FAILS


def test_names_of_a_program_are_not_ours() -> None:
    names = "$heap: Int, $1: Int, $2: Int, $result: Int, $old: Int"
    done = explored(f"method m({names}) {{\n  assert 10 \\ ($1 * $1 + 1) != 1 || $heap != 3\n}}")

    found = inputs_at(done, 2)
    assert found["$heap"] == "3"
    assert abs(int(found["$1"])) in (2, 3)


def test_a_check_that_fails_for_impossible_instances_only_is_not_proved() -> None:
    """A verifier does not look into them, and reports it."""
    done = explored(HEAD + RIGHT["a predicate instance that cannot exist"])

    assert done.claim is Claim.OPEN
    assert "a check fails for predicate instances or sets that cannot exist" in done.open


def test_inputs_of_a_failure_have_the_instances_of_the_precondition() -> None:
    text = """
predicate list(x: Ref) { acc(x.f) && acc(x.g) && x.f > 4 && (x.g != null ==> list(x.g)) }
method m(x: Ref, i: Int) requires list(x)
{ assert i != 3 }"""
    found = inputs_at(explored(HEAD + text), 5)

    assert found["x"] == "object1"
    assert int(found["object1.f"]) > 4


GIVEN_AWAY = (
    HEAD
    + """
predicate P(x: Ref) { acc(x.f) }
predicate list(x: Ref) { acc(x.g) && (x.g != null ==> list(x.g)) }
method take(x: Ref) requires P(x)
"""
)


@pytest.mark.parametrize(
    "body",
    [
        "inhale P(x) exhale P(x) assert x != null",
        "inhale P(x) inhale P(y) exhale P(x) exhale P(y) assert x != y",
        "inhale list(x) inhale list(y) unfold list(x) exhale acc(x.g) assert x != y",
        "inhale P(x) inhale P(y) take(x) take(y) assert x != y",
        "inhale P(x) && P(y) assert x != y",
        "inhale P(x) inhale acc(y.f, 1/2) exhale P(x) assert x != y",
        "inhale acc(x.f) && acc(x.g) package acc(x.g) --* acc(x.g) && acc(x.f)"
        " inhale acc(y.f) assert x != y",
    ],
)
def test_what_was_held_on_the_way_to_a_failure_can_be(body: str) -> None:
    found = explored(GIVEN_AWAY + f"method m(x: Ref, y: Ref) {{ {body} }}", "m")
    assert found.claim is not Claim.FAILS


def test_what_was_held_at_different_times_may_be_the_same() -> None:
    body = "inhale P(x) exhale P(x) inhale P(y) assert x != y"
    found = explored(GIVEN_AWAY + f"method m(x: Ref, y: Ref) {{ {body} }}", "m")
    assert found.claim is Claim.FAILS


@pytest.mark.parametrize("method", ["m", "n"])
def test_contradictory_axioms_prove_nothing_and_refute_nothing(method: str) -> None:
    """A verifier proves all of them: there is no input."""
    assert explored(CONTRADICTION, method).claim is Claim.OPEN


FUNCTIONS = """
adt Box { Full(inside: Ref) Empty() }
domain D { function at(i: Int): Ref  function loc(a: D, i: Int): Ref
  function owner(r: Ref): D  function index(r: Ref): Int
  axiom { forall a: D, i: Int :: {loc(a, i)} owner(loc(a, i)) == a && index(loc(a, i)) == i } }
function any(i: Int): Ref
function of_list(s: Seq[Int]): Ref
function some(i: Int): Seq[Ref]
"""


@pytest.mark.parametrize(
    "body",
    [
        "requires acc(at(i).f) { exhale acc(at(i).f); x := new(); assert at(i) != x }",
        "{ x := at(i); x := null; x := new(); assert at(i) != x }",
        "{ var y: Ref := any(i); y := null; x := new(); assert any(i) != x }",
        "{ if (at(i) != null) { x := new(); assert at(i) != x } }",
        "requires acc(loc(d, i).f) { exhale acc(loc(d, i).f); x := new(); assert loc(d, i) != x }",
        "{ var y: Ref := of_list(s); y := null; x := new(); assert of_list(s) != x }",
        "{ if (|some(i)| == 1) { x := new(); assert !(x in some(i)) } }",
        "{ if (b == Empty() && b.inside != null) { x := new(); assert b.inside != x } }",
        "requires at(i) != null { var k: Int := 0; while (k < 2) { x := new(); k := k + 1 }"
        " assert at(i) != x }",
        "requires at(i) != null { x := made(); assert at(i) != x }",
    ],
)
def test_a_value_of_a_function_that_nobody_has_may_be_a_new_object(body: str) -> None:
    """No verifier proves these: see NOTE(older values)."""
    text = f"""{HEAD}{FUNCTIONS}
method made() returns (r: Ref) {{ r := new() }}
method m(i: Int, s: Seq[Int], b: Box, d: D) returns (x: Ref) {body}"""

    assert explored(text).claim not in (Claim.PROVED, Claim.HOLDS)


@pytest.mark.parametrize(
    "body",
    [
        "requires acc(at(i).f) { x := new(); assert at(i) != x }",
        "requires acc(at(i).f) { x := new(f); x.f := 3; at(i).f := 4; assert x.f == 3 }",
        "{ var z: Ref := any(i); x := new(); assert any(i) != x }",
        "requires acc(y.g) && y.g == at(i) { x := new(); assert at(i) != x }",
        "requires acc(loc(d, i).f) { x := new(); assert loc(d, i) != x }",
        "{ x := new(); var z: Ref; z := new(); assume at(i) == x; assert at(i) != z }",
        "requires at(i) != null && at(i) != y { x := new(f); x.f := 3; assert x.f == 3 && x != y }",
    ],
)
def test_what_somebody_has_is_older_than_a_new_object(body: str) -> None:
    text = f"""{HEAD}{FUNCTIONS}
method m(i: Int, y: Ref, d: D) returns (x: Ref) {body}"""

    assert explored(text).claim is Claim.PROVED


def test_parts_of_data_that_variables_have_count_as_older_than_a_new_object() -> None:
    """A known gap: verifiers know that of references, and of sets and sequences of them."""
    text = f"""{HEAD}{FUNCTIONS}
method m(b: Box) {{ var x: Ref; x := new(); assert b == Full(x) ==> false }}"""

    assert explored(text).claim is Claim.PROVED
