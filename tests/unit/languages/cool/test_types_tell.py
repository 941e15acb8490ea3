"""What types tell of the classes of objects is known in contracts, pure methods and fields."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions

SHAPES = """
interface Shape {
  predicate valid();
  pure int area() requires valid();
}
class Square implements Shape {
  int side;
  Square() ensures valid() && getSide() == 0; { side := 0; }
  predicate valid() { return acc(side); }
  pure int area() { return side * side; }
  pure int getSide() requires valid(); { return side; }
  void set(int v)
    requires valid();
    ensures valid() && side == v && getSide() == v;
  { side := v; }
}
class Chain implements Shape {
  int item; Chain next;
  Chain(Chain rest) requires rest != null ==> rest.valid(); ensures valid(); { next := rest; }
  predicate valid() { return acc(item) && acc(next) && (next != null ==> next.valid()); }
  pure int area() { return next == null ? item : item + next.area(); }
  pure int getItem() requires valid(); { return item; }
  void clear() requires valid(); ensures valid(); { if (next != null) { next.item := 0; } }
  int second() requires valid() && next != null; ensures valid();
  {
    Chain c := next;
    return c.item;
  }
}
Square q := new Square();
q.set(3);
assert q.getSide() == SIDE;
"""


def verdicts(text: str, backend: str) -> dict[str, str]:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    assert done.front.accepted, done.diagnostics
    return {name: member.verdict.value for name, member in done.members.items()}


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_a_class_of_an_interface_has_pure_methods_of_its_own(backend: str) -> None:
    right = verdicts(SHAPES.replace("SIDE", "3"), backend)
    assert set(right.values()) == {"verified"}, right
    wrong = verdicts(SHAPES.replace("SIDE", "4"), backend)
    assert {name for name, verdict in wrong.items() if verdict != "verified"} == {"main"}


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_a_variable_keeps_its_class_in_a_loop(backend: str) -> None:
    text = """
    interface Bag { predicate valid(); }
    class One implements Bag { int x; predicate valid() { return acc(x); } }
    class Two implements Bag {
      int y;
      Two() ensures valid(); { }
      predicate valid() { return acc(y) && y >= 0; }
      void many(int n)
      {
        int i := 0;
        Two t := new Two();
        while (i < n) invariant t != null && t.valid();
        { assert t.y >= LEAST; t := new Two(); i++; }
        t.y := 2;
      }
    }
    """
    assert set(verdicts(text.replace("LEAST", "0"), backend).values()) == {"verified"}
    wrong = verdicts(text.replace("LEAST", "1"), backend)
    assert {name for name, verdict in wrong.items() if verdict != "verified"} == {"Two.many"}


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_nothing_is_known_of_a_field_without_permission(backend: str) -> None:
    text = """
    interface Bag { predicate valid(); }
    class One implements Bag { int x; One o; predicate valid() { return acc(x); }
      void m() requires acc(o) && acc(x); ensures acc(o) && acc(x); { assert o == null; }
      void k(One p) { assert p == null; }
    }
    class Two implements Bag { predicate valid() { return true; }
      void m(Bag b) requires b != null && b.valid(); { assert false; }
    }
    """
    assert {n for n, v in verdicts(text, backend).items() if v == "refuted"} == {
        "One.m",
        "One.k",
        "Two.m",
    }
