"""Where inference fails, the attempt that came furthest is told: it shows what is missing.

In each program a predicate of the class lacks something that a method uses.
"""

from __future__ import annotations

import pytest

from pitviper.results.wording import advice_for
from pitviper.source.edit import edited
from tests.unit.languages.cool.curing import findings

LACKING = {
    "a condition": (
        "limit",
        """
class Account {
  int bal; int limit;
  predicate valid() { return acc(bal) && bal >= 0; }
  Account(int l) ensures valid(); { bal := 0; limit := l; }
  void deposit(int n) requires valid() && n >= 0; ensures valid();
  { if (bal + n <= limit) { bal := bal + n; } }
}
""",
    ),
    "a pure method": (
        "limit",
        """
class Account {
  int bal; int limit;
  predicate valid() { return acc(bal); }
  Account() ensures valid(); { bal := 0; limit := 10; }
  pure int room() requires valid(); { return limit - bal; }
}
""",
    ),
    "elements of an array": (
        "a[n]",
        """
class Queue {
  int[] a; int n;
  predicate valid() { return acc(a) && acc(n) && a != null && 0 <= n && n <= a.length; }
  Queue() ensures valid(); { a := new int[4]; n := 0; }
  void add(int x) requires valid(); ensures valid();
  { if (n < a.length) { a[n] := x; n := n + 1; } }
}
""",
    ),
    "an object of another class": (
        "valid()",
        """
class Shop {
  Till till; int sold;
  predicate valid() { return acc(till) && acc(sold) && till != null; }
  Shop(Till t) requires t != null && t.valid(); ensures valid(); { till := t; sold := 0; }
  void sell(int p) requires valid() && p > 0; ensures valid();
  { till.put(p); sold := sold + 1; }
}
class Till {
  int sum;
  predicate valid() { return acc(sum) && sum >= 0; }
  Till() ensures valid(); { sum := 0; }
  void put(int n) requires valid() && n > 0; ensures valid(); { sum := sum + n; }
}
""",
    ),
    "the value of an assignment": (
        "b",
        """
class Pair {
  int a; int b;
  predicate valid() { return acc(a); }
  Pair() ensures valid(); { a := 1; b := 2; }
  void swap() requires valid(); ensures valid();
  { int t := a; a := b; b := t; }
}
""",
    ),
    "a list": (
        "size",
        """
class List {
  Node head; int size;
  predicate valid() { return acc(head) && (head != null ==> head.list()); }
  List() ensures valid(); { head := null; size := 0; }
  void add(int v) requires valid(); ensures valid();
  { head := new Node(v, head); size := size + 1; }
}
class Node {
  int v; Node next;
  predicate list() { return acc(v) && acc(next) && (next != null ==> next.list()); }
  Node(int x, Node n) requires n != null ==> n.list(); ensures list(); { v := x; next := n; }
}
""",
    ),
    "the condition of a loop": (
        "m",
        """
class Clock {
  int h; int m;
  predicate valid() { return acc(h) && 0 <= h && h < 24; }
  Clock() ensures valid(); { h := 0; m := 0; }
  void tick() requires valid(); ensures valid();
  {
    while (h > 0 && m > 0) invariant valid(); { h := h - 1; }
  }
}
""",
    ),
    "a part only": (
        "on := !on",
        """
class Light {
  bool on; int uses;
  predicate valid() { return acc(on, 1/2) && acc(uses); }
  void flip() requires valid(); ensures valid();
  { uses := uses + 1; on := !on; }
}
""",
    ),
    "one of two objects": (
        "valid()",
        """
class Team {
  Player a; Player b;
  predicate valid() { return acc(a) && acc(b) && a != null && b != null && a.valid(); }
  void both() requires valid(); ensures valid();
  { a.score(); b.score(); }
}
class Player {
  int s;
  predicate valid() { return acc(s); }
  Player() ensures valid(); { s := 0; }
  void score() requires valid(); ensures valid(); { s := s + 1; }
}
""",
    ),
    "after an assignment": (
        "max",
        """
class Temp {
  int c; int max;
  predicate valid() { return acc(c); }
  Temp(int v) ensures valid() && get() == v; { c := v; max := v; }
  pure int get() requires valid(); { return c; }
  void set(int v) requires valid(); ensures valid() && get() == v;
  { c := v; if (c > max) { max := c; } }
}
""",
    ),
}


@pytest.mark.parametrize("kind", LACKING)
def test_what_a_predicate_lacks_is_named_and_can_be_written_into_it(kind: str) -> None:
    marked, text = LACKING[kind]
    first, *_ = findings(text)
    told = advice_for(first) or ""
    assert (first.offending or first.span).text.rstrip(";") == marked
    assert ("does not contain" in told or "contains a part" in told) and "verifies" in told
    assert not findings(edited(text, first.cures[0].edits))


@pytest.mark.parametrize("kind", LACKING)
def test_both_engines_name_the_same_place(kind: str) -> None:
    marked, text = LACKING[kind]
    found = findings(text, backend="vcg")
    assert marked in [(f.offending or f.span).text.rstrip(";") for f in found]
