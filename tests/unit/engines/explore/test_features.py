"""The feature table of the paper, row by row: each finds an input, and proves what is true."""

from __future__ import annotations

import pytest

from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines

FIELD = "field val: Int  field next: Ref\n"

ROWS = {
    "objects": """
method m(x: Ref) requires acc(x.val)
{
  x.val := x.val + 1
  assert x.val != 8
}""",
    "quantifiers over ranges": """
method m(s: Seq[Int]) requires |s| == 2 && forall i: Int :: 0 <= i && i < |s| ==> s[i] > 0
{
  assert forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> s[i] + s[j] > 1
  assert exists i: Int :: 0 <= i && i < |s| && s[i] > 1
}""",
    "quantifiers over collections": """
method m(s: Set[Ref]) requires |s| <= 2 && forall r: Ref :: r in s ==> acc(r.val)
{
  assert forperm r: Ref [r.val] :: r in s
  assert forall r: Ref :: r in s ==> r.val == 0
}""",
    "construction": """
method m(x: Ref)
{ var y: Ref
  y := new(val); assert x != y
  assert y.val == 0
}""",
    "old": """
method m(x: Ref) requires acc(x.val)
{
  x.val := x.val + 2; label l; assert old[l](x.val) == old(x.val) + 2
  x.val := 0; assert old(x.val) != 5
}""",
    "sets": """
method m(s: Set[Int], x: Int) requires |s| <= 2 && x in s
{ var t: Set[Int] := s setminus Set(x)
  assert !(x in t) && |t| == |s| - 1 && t subset s && (t union Set(x)) == s
  assert |t| == 0
}""",
    "sequences": """
method m(s: Seq[Int]) requires |s| == 3 && s[0] < s[1] && s[1] < s[2]
{
  assert s[0] < s[2] && |s ++ s| == 6 && s[1..][0] == s[1] && s[..1] == Seq(s[0])
  assert s[1] == s[0] + 1
}""",
    "abstract methods": """
method other(x: Int) returns (y: Int) ensures y >= x
method m(x: Int) { var y: Int
  y := other(x); assert y >= x
  assert y > x
}""",
    "nondeterministic values": """
method m()
{ var i: Int
  assert i == i
  assert i != 1000
}""",
    "such-that choice": """
method m()
{
  var i: Int; inhale 0 <= i && i < 10; assert i < 10
  assert i != 7
}""",
    "aliasing of arguments": """
method m(x: Ref, y: Ref) requires acc(x.val, 1/2) && acc(y.val, 1/2)
{
  assert x == y ==> x.val == y.val
  assert x != y
}""",
    "arrays": """
domain Array { function slot(a: Array, i: Int): Ref  function size(a: Array): Int
  function array_of(r: Ref): Array  function index_of(r: Ref): Int
  axiom { forall a: Array, i: Int :: { slot(a, i) }
    array_of(slot(a, i)) == a && index_of(slot(a, i)) == i }
  axiom { forall a: Array :: { size(a) } size(a) >= 0 } }
method m(a: Array)
  requires size(a) == 2 && forall i: Int :: 0 <= i && i < size(a) ==> acc(slot(a, i).val)
{ slot(a, 0).val := 3; slot(a, 1).val := 4; assert slot(a, 0).val == 3
  assert slot(a, 1).val == 3
}""",
    "multidimensional arrays": """
domain Array { function slot(a: Array, i: Int): Ref  function size(a: Array): Int
  function array_of(r: Ref): Array  function index_of(r: Ref): Int
  axiom { forall a: Array, i: Int :: { slot(a, i) }
    array_of(slot(a, i)) == a && index_of(slot(a, i)) == i }
  axiom { forall a: Array :: { size(a) } size(a) >= 0 } }
domain Matrix { function row(m: Matrix, i: Int): Array  function rows(m: Matrix): Int
  function matrix_of(a: Array): Matrix  function place_of(a: Array): Int
  axiom { forall g: Matrix, i: Int :: { row(g, i) }
    matrix_of(row(g, i)) == g && place_of(row(g, i)) == i } }
method m(g: Matrix, i: Int, j: Int)
  requires rows(g) == 2 && size(row(g, 0)) == 2 && size(row(g, 1)) == 2
  requires forall k: Int :: 0 <= k && k < 2 ==> acc(slot(row(g, 0), k).val)
  requires forall k: Int :: 0 <= k && k < 2 ==> acc(slot(row(g, 1), k).val)
  requires 0 <= i && i < rows(g) && 0 <= j && j < size(row(g, i))
{ slot(row(g, 0), 1).val := 3; slot(row(g, 1), 1).val := 4; assert slot(row(g, 0), 1).val == 3
  slot(row(g, i), j).val := 7; assert slot(row(g, i), j).val == 7
  assert slot(row(g, 1), 1).val == 4
}""",
    "maps": """
method m(p: Map[Int, Int]) requires |p| <= 2 && 1 in domain(p)
{ var q: Map[Int, Int] := p[2 := 5]
  assert q[2] == 5 && q[1] == p[1] && 5 in range(q) && |q| >= |p|
  assert p[1] != 5
}""",
    "multisets": """
method m(p: Multiset[Int]) requires |p| <= 2
{ var q: Multiset[Int] := p union Multiset(3)
  assert (3 in q) >= 1 && |q| == |p| + 1 && p subset q
  assert (3 in q) == 1
}""",
    "shapes that numbers decide": """
method m(n: Int, s: Seq[Int]) requires |s| == 2 && n < 5
{
  assert |s[n..]| <= 2 && |[0..n)| < 5 && |s[..n]| + |s[n..]| == 2
  assert |s[n..]| != 1
}""",
    "constants of domains": """
domain Colour { unique function red(): Colour  unique function blue(): Colour
  function chosen(): Colour }
method m(c: Colour) requires c == red() || c == blue()
{
  assert red() != blue()
  assert c == chosen()
}""",
    "algebraic data": """
adt Tree { Leaf() Node(left: Tree, item: Int) }
method m(t: Tree)
{
  assert t.isLeaf || t.isNode
  assert t.isNode ==> t.item != 7
}""",
    "abstract functions": """
function f(x: Int): Int ensures result > x
method m(a: Int, b: Int)
{
  assert f(a) > a && (a == b ==> f(a) == f(b))
  assert f(a) == f(b)
}""",
    "recursive functions": """
function fac(n: Int): Int requires 0 <= n { n == 0 ? 1 : n * fac(n - 1) }
method m(n: Int) requires 0 <= n && n < 5
{
  assert fac(n) > 0
  assert fac(n) != 24
}""",
    "predicates": """
predicate two(x: Ref) { acc(x.val) && acc(x.next) && x.val > 0 }
method m(x: Ref) requires two(x)
{
  assert unfolding two(x) in x.val > 0
  unfold two(x); x.val := x.val - 1; fold two(x)
}""",
    "permissions": """
method m(x: Ref, p: Perm) requires none < p && p < write && acc(x.val, p)
{
  assert x.val == x.val && perm(x.val) == p
  exhale acc(x.val, 1/2)
}""",
    "jumps": """
method m(n: Int) requires n < 3
{ var i: Int := 0; if (n > 1) { goto end }; i := 2; label end
  assert i == 0 || n < 2
  assert i != 2
}""",
}


def _last_but_one(text: str) -> int:
    return len((FIELD + text).splitlines()) - 1


@pytest.mark.parametrize("row", ROWS)
def test_only_the_last_check_fails(row: str) -> None:
    done = explored(FIELD + ROWS[row])

    assert failed_lines(done) == [_last_but_one(ROWS[row])]
    assert done.claim is Claim.FAILS


@pytest.mark.parametrize("row", ROWS)
def test_without_the_last_check_all_is_proved(row: str) -> None:
    lines = (FIELD + ROWS[row]).splitlines()
    done = explored("\n".join([*lines[:-2], lines[-1]]))

    assert done.open == ()
    assert done.claim in (Claim.PROVED, Claim.HOLDS)


def test_a_variable_whose_declaration_a_jump_passes_by_has_any_value() -> None:
    done = explored(
        "method m(b: Bool) { if (b) { goto l } var x: Int := 0 label l"
        " assert x % 2 < 2 assert x == 0 }"
    )
    assert done.claim is Claim.FAILS
