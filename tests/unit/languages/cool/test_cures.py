"""Cures in the object language: edits of the file that were seen to work, advice in its words."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.results.wording import advice_for
from pitviper.source.edit import edited
from tests.unit.languages.cool.curing import findings
from tests.unit.languages.cool.twins import TWINS, Twin

MENDED = {
    "bank": "Write `balance := balance - amount;`; with that, `Account.withdraw` verifies",
    "ring": "Write `count := count + 1;`; with that, `RingBuffer.put` verifies",
    "stack": "Write `items := items[1..];`; with that, `Stack.pop` verifies",
    "cache": "Write `known := n * n;`; with that, `Square.get` verifies",
    "observer": "Write `observer.notify(v);`; with that, `Subject.change` verifies",
    "order": "Write `next.first() <= v`; with that, `Node.insert` verifies",
    "lost": "Write `head := new Node(v, head);`; with that, `SortedList.add` verifies",
}


def helps(text: str, select: tuple[str, ...] = ()) -> list[str]:
    return [advice_for(finding) or "" for finding in findings(text, select=select)]


@pytest.mark.parametrize("twin", [t for t in TWINS if t.name in MENDED], ids=lambda t: t.name)
def test_a_wrong_twin_is_told_with_what_mends_it(twin: Twin) -> None:
    first, *_ = findings(twin.text)
    assert (advice_for(first) or "").endswith(MENDED[twin.name])
    assert not findings(edited(twin.text, first.cures[0].edits))


def test_a_call_that_is_missing_is_told_by_what_the_others_promise() -> None:
    (twin,) = [t for t in TWINS if t.name == "skipped"]
    (told,) = helps(twin.text, select=(twin.select,))
    assert told == (
        "`this.nodes()` is `1 + this.inside.nodes()` (line 48); `inside.accept(v)` (line 50) "
        "promises `v.seen() == old(v.seen()) + old(this.inside.nodes())`: mend that, or promise "
        "less"
    )


THERMOSTAT = """
class Thermostat {
  int lowest; int wanted;
  predicate valid() { return acc(lowest) && acc(wanted) && lowest <= wanted; }
  pure int least() requires valid(); { return lowest; }
  pure int target() requires valid(); { return wanted; }
  void lower(int by)
    requires valid() && by > 0;
    ensures valid() && target() == old(target()) - by && least() == old(least());
  { wanted := wanted - by; }
}
"""


def test_what_a_predicate_needs_is_asked_for_by_its_pure_methods() -> None:
    (told,) = helps(THERMOSTAT)
    assert "ask for it, `requires this.least() <= this.target() - by`" in told
    assert told.endswith("with that, `Thermostat.lower` verifies")


NUMBERS = """
class Numbers {
  int sum(int[] a)
    requires a != null && acc(a.elems);
    ensures acc(a.elems);
  {
    int total := 0;
    int i := 0;
    while (i <= a.length)
      invariant acc(a.elems) && 0 <= i;
    { total := total + a[i]; i := i + 1; }
    return total;
  }
}
"""


def test_a_loop_that_runs_too_far_is_mended_in_its_condition() -> None:
    (told,) = helps(NUMBERS)
    assert told.endswith("Write `i < a.length`; with that, `Numbers.sum` verifies")


LARGEST = """
class Numbers {
  int max(int[] a)
    requires a != null && acc(a.elems) && a.length > 0;
    ensures acc(a.elems) && forall int k in 0..a.length :: a[k] <= result;
  {
    int m := a[0];
    int i := 1;
    while (i < a.length)
      invariant 0 <= i && i <= a.length;
      invariant forall int k in 0..i :: a[k] <= m;
    { if (a[i] > m) { m := a[i]; } i++; }
    return m;
  }
}
"""


def test_an_invariant_that_reads_an_array_keeps_the_permission_in_front() -> None:
    (finding,) = findings(LARGEST)
    assert "write `invariant acc(a.elems)` before this one" in (advice_for(finding) or "")
    assert not findings(edited(LARGEST, finding.cures[0].edits))


LAMP = """
class Lamp {
  bool on;
  predicate valid() { return acc(on); }
  pure bool isOn() requires valid(); { return opening valid() in on; }
  void toggle()
    requires valid();
    ensures valid() && isOn() == !old(isOn());
  {
    open valid();
    on := !on;
  }
}
"""


def test_a_close_that_was_forgotten_is_written_in_words_of_the_language() -> None:
    (finding,) = findings(LAMP, no_inference=True)
    assert advice_for(finding) == (
        "`this.valid()` was opened in line 10: `close this.valid()` at the end of the body; with "
        "that, `Lamp.toggle` verifies"
    )
    mended = edited(LAMP, finding.cures[0].edits)
    assert "    close this.valid();\n  }" in mended
    assert not findings(mended, no_inference=True)


SHAPES = """
interface Shape {
  predicate valid();
  pure int area() requires valid(); ensures result >= 0;
  void scale(int factor) requires valid() && factor >= 1; ensures valid();
}
class Square implements Shape {
  int side;
  predicate valid() { return acc(side); }
  pure int area() { return side * side; }
  void scale(int factor) requires valid() && factor >= 2; ensures valid();
  { side := side * factor; }
}
class Dot implements Shape {
  int weight;
  predicate valid() { return acc(weight); }
  pure int area() { return 0 - weight; }
  void scale(int factor) { weight := weight * factor; }
}
"""


def test_a_class_that_does_not_do_what_its_interface_says_is_named() -> None:
    area, scale = findings(SHAPES)
    assert "this fails for `Dot.area` (line 17)" in area.notes
    assert advice_for(scale) == (
        "who calls it as `Shape` knows the `requires` of line 5 only, so `Square.scale` must not "
        "ask for more: write `factor >= 1` for `factor >= 2`, or ask for it in `Shape.scale`"
    )


PURSE = """
class Purse {
  int coins;
  Purse() ensures valid() && total() == 0; { }
  predicate valid() { return acc(coins); }
  pure int total() requires valid(); { return coins; }
  void put(int n) requires valid(); ensures valid() && total() == old(total()) + n;
  { coins := coins + n; }
  void swap(Purse one, Purse two) requires one.valid() && two.valid(); ensures one.valid(); { }
}
Purse a := new Purse();
Purse b := a;
a.put(5);
"""


def test_an_object_with_two_names_is_told_with_the_line_that_makes_it_so() -> None:
    (told,) = helps(f"{PURSE}b.put(1);\nassert a.total() == 5;\n")
    assert told == (
        "`b.put(1)` in line 14 may have changed what `a.total()` depends on: it takes `b.valid()` "
        "(`b` is `a` since line 12) and promises `b.total() == old(b.total()) + 1`"
    )
    (told,) = helps(f"{PURSE}Purse c := new Purse();\nc.swap(a, b);\n")
    assert told.startswith(
        "`Purse.swap` asks for `a.valid()` and `b.valid()`, and `a` is `b` since line 12: an "
        "instance is held once"
    )


CELL = """
class Cell {
  int v;
  Cell() { v := 0; }
  void set(int n) requires acc(v); ensures acc(v) && v == n; { v := n; }
}
Cell c := new Cell();
c.set(3);
"""


def test_a_constructor_that_keeps_the_fields_is_told_to_give_them() -> None:
    (found,) = findings(CELL)
    assert advice_for(found) == (
        "`Cell.Cell` (line 7) takes the permission and does not give it back: add "
        "`ensures acc(v)` to `Cell.Cell`; with that, `main` verifies"
    )
    assert not findings(edited(CELL, found.cures[0].edits))


WALK = """
class Node {
  int v; Node next;
  predicate list() { return acc(v) && acc(next) && (next != null ==> next.list()); }
  void walk() requires list(); ensures list();
  {
    Node c := this;
    while (c != null) invariant c != null ==> c.list(); { c := c.next; }
  }
}
"""


def test_a_loop_that_leaves_a_list_is_not_told_to_use_a_wand() -> None:
    (told,) = helps(WALK)
    assert told == (
        "the loop of line 8 moves on and keeps only `c.list()`: what its body opened is left "
        "behind, so call a method for the rest in place of the loop"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class A { int x; void m() requires acc(x); ensures acc(x) && x == x + 1; { x++; } }",
         "`this.x == old(this.x) + 1`"),
        ("class A { int x; void m(A o) { o.k(); } void k() { } }", "`requires o != null`"),
        ("class A { void k() { } } A a; a.k();", "make an object first, `a := new"),
        ("class A { int x; predicate p() { return acc(x); } void k() requires p(); { } }"
         "A a := new A(); a.k();", "has to have it in its `ensures`"),
    ],
)  # fmt: skip
def test_a_cure_can_be_applied_where_it_is_told(text: str, said: str) -> None:
    done = pitviper.verify(text, name="it.cool")
    advice = [f.advice or "" for member in done.members.values() for f in member.findings]
    assert any(said in one for one in advice), advice


def test_a_bound_that_only_equal_values_meet_is_not_asked_for() -> None:
    (told, *_) = helps(
        "class Range {\n  int lo; int hi;\n"
        "  predicate valid() { return acc(lo) * acc(hi) && lo <= hi; }\n"
        "  Range(int l, int h) requires l <= h; ensures valid();\n  { lo := h; hi := l; }\n}\n"
    )
    assert "`requires h <= l`" not in told
    assert "exchanged? Write `l` in the first and `h` in the other" in told


def test_a_field_that_the_claim_does_not_read_is_not_blamed() -> None:
    (told, *_) = helps(
        "class Point {\n  int x; int y;\n  predicate valid() { return acc(x) * acc(y); }\n"
        "  pure int getY() requires valid(); { return y; }\n"
        "  void up(int d) requires valid(); ensures valid() && getY() == old(getY()) + d;\n"
        "  { x := x + d; }\n}\n"
    )
    assert "nothing in the body changes `y`" in told


def test_a_client_is_told_the_number_that_is_true() -> None:
    (told,) = helps(
        "class Counter {\n  int n;\n  Counter() ensures valid() && get() == 0; { n := 0; }\n"
        "  predicate valid() { return acc(n); }\n"
        "  pure int get() requires valid(); { return n; }\n"
        "  void inc() requires valid(); ensures valid() && get() == old(get()) + 1;\n"
        "  { n := n + 1; }\n}\n"
        "Counter c := new Counter();\nc.inc();\nc.inc();\nassert c.get() == 3;\n"
    )
    assert "`c.get() == 2` is, so assert that, or mend what comes before it" in told


def test_a_precondition_is_what_the_interface_has_about_the_same() -> None:
    text = """interface Shape {
  predicate valid();
  void grow(int by) requires valid() && by >= 0; ensures valid();
}
class Square implements Shape {
  int side;
  predicate valid() { return acc(side) && side >= 0; }
  void grow(int by) requires valid() && by > 0; ensures valid(); { side := side + by; }
}
"""
    (told,) = helps(text)
    assert "must not ask for more: write `by >= 0` for `by > 0`, or ask for it" in told
    assert not findings(text.replace("by > 0", "by >= 0"))
