"""The feature table of exploration (3.1 of its paper), row by row in the object language.

In each row all checks hold but the last one: exploration finds an input for that one, the verifier
refutes it, and without it all is proved.
"""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.completion import runnable
from pitviper.engines.explore.options import SearchOptions
from pitviper.results.exploration import Claim, MethodExploration

NODE = """\
interface Shape { pure int sides(); }
class Square implements Shape { Square() { } pure int sides() { return 4; } }
class Triangle implements Shape { Triangle() { } pure int sides() { return 3; } }
class Cell {
  int x; Cell next;
  Cell(int v) ensures acc(x) * acc(next) && x == v && next == null; { x := v; }
  void put(int v) requires acc(x); ensures acc(x) && x == v; { x := v; }
  int other(int a) ensures result >= a;
"""

ROWS = {
    "classes and methods": """
  void m(int v) requires acc(x);
  {
    put(v); assert x == v;
    assert v != 7;
  }""",
    "objects": """
  void m(Cell c) requires c != null && acc(c.x);
  {
    c.x := c.x + 1; assert c != null;
    assert c.x != 8;
  }""",
    "quantifiers over ranges": """
  void m(seq<int> s) requires |s| == 2 && forall int i in 0..|s| :: s[i] > 0;
  {
    assert forall int i in 0..|s| :: s[i] >= 1;
    assert exists int i in 0..|s| :: s[i] > 1;
  }""",
    "quantifiers over collections": """
  void m(set<Cell> s) requires |s| <= 2 && forall Cell c in s :: c != null && acc(c.x);
  {
    assert forall Cell c in s :: c != null;
    assert forall Cell c in s :: c.x == 0;
  }""",
    "object construction": """
  void m(Cell c)
  {
    Cell d := new Cell(3); assert c != d && d.x == 3;
    assert d.next != null;
  }""",
    "old": """
  void m() requires acc(x);
  {
    x := x + 2; assert x == old(x) + 2;
    assert old(x) != 5;
  }""",
    "sets": """
  void m(set<int> s, int k) requires |s| <= 2 && k in s;
  {
    set<int> t := s setminus set<int>(k); assert !(k in t) && (t union set<int>(k)) == s;
    assert |t| == 0;
  }""",
    "sequences": """
  void m(seq<int> s) requires |s| == 3 && s[0] < s[1] && s[1] < s[2];
  {
    assert s[0] < s[2] && |s ++ s| == 6 && s[1..][0] == s[1] && s[..1] == seq<int>(s[0]);
    assert s[1] == s[0] + 1;
  }""",
    "uninterpreted methods": """
  void m(int k)
  {
    int r := other(k); assert r >= k;
    assert r > k;
  }""",
    "non-deterministic values": """
  void m()
  {
    int k := *; assert k == k;
    assert k != 1000;
  }""",
    "assign-such-that": """
  void m(int k) requires k > 0;
  {
    int i :| 0 <= i && i < k; assert i < k;
    assert i != 5;
  }""",
    "aliasing of arguments": """
  void m(Cell c, Cell d) requires c != null && d != null && acc(c.x, 1/2) * acc(d.x, 1/2);
  {
    assert c == d ==> c.x == d.x;
    assert c != d;
  }""",
    "arrays": """
  void m(int[] a) requires a != null * acc(a.elems) && a.length == 3;
  {
    a[1] := 5; assert a[1] == 5 && a.length == 3;
    assert a[0] != 9;
  }""",
    "multidimensional arrays": """
  void m(int k)
  {
    int[][] a := new int[2][2]; a[1][0] := k; assert a[0][0] == 0 && a[1][0] == k;
    assert a[1][0] != 9;
  }""",
    "arrays of arrays as arguments": """
  void m(int[][] a)
    requires a != null * acc(a.elems) && a.length == 1 && a[0] != null * acc(a[0].elems);
  {
    assert a[0].length >= 0;
    assert a[0].length != 2;
  }""",
    "subtypes": """
  void m(Shape s) requires s != null;
  {
    Square q := new Square(); Shape t := q; assert t != null;
    assert s.sides() != 3;
  }""",
}


def whole(row: str, *, wrong: bool) -> str:
    lines = (NODE + ROWS[row].lstrip("\n") + "\n}\n").splitlines()
    return "\n".join(lines if wrong else [*lines[:-3], *lines[-2:]]) + "\n"


def last_check(text: str) -> int:
    return len(text.splitlines()) - 2


def explored(text: str) -> MethodExploration:
    front = runnable(load_text(text, "it.cool"))
    assert front.program is not None, front.diagnostics
    options = ExploreOptions(methods=("Cell.m",), search=SearchOptions(runs=300))
    explorer = Explorer(front.program, "it.cool", options)
    try:
        return explorer.explore("Cell.m")
    finally:
        explorer.close()


@pytest.mark.parametrize("row", ROWS)
def test_a_run_fails_in_the_last_check_only(row: str) -> None:
    text = whole(row, wrong=True)
    done = explored(text)
    failed = {r.finding.span.line for r in done.certain_failures if r.finding is not None}
    assert failed == {last_check(text)}
    assert done.claim is Claim.FAILS


@pytest.mark.parametrize("row", ROWS)
def test_without_the_last_check_no_run_fails(row: str) -> None:
    done = explored(whole(row, wrong=False))
    assert done.open == ()
    assert done.claim in (Claim.PROVED, Claim.HOLDS)


@pytest.mark.parametrize("row", ROWS)
def test_the_verifier_says_the_same(row: str) -> None:
    wrong = pitviper.verify(whole(row, wrong=True), name="it.cool")
    found = wrong.members["Cell.m"].findings
    assert {f.span.line for f in found} == {last_check(whole(row, wrong=True))}, found
    right = pitviper.verify(whole(row, wrong=False), name="it.cool")
    assert right.members["Cell.m"].verdict.value == "verified", right.members["Cell.m"].findings
