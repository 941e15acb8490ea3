"""Programs with one mistake each, as a first course sees them: cause and cure are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.results.wording import advice_for
from pitviper.source.edit import edited
from tests.unit.languages.cool.curing import findings

FOLDER = Path(__file__).parent / "students"

SEEN = {
    "elevator": "`requires this.floor < this.top`",
    "student": "`requires this.tests != 0`",
    "light": "is the condition `colour == 3` (line 7) what you mean? Write `colour == 2`",
    "library": "add `ensures !this.isLent()` to `Book.giveBack`",
    "max": "Write `a[i] > m`",
    "person": "`requires a >= 0`",
    "transfer": "add `ensures this.get() == old(this.get()) + n` to `Account.deposit`",
    "vending": "write `if (coins > 0 && cans > 0)`",
    "point": "Write `y := b;`",
}
"""Cures that were seen to work."""

NAMED = {
    "stack": "test `0 <= this.n && this.n < this.data.length` first by an `if`",
    "friend": "`Person.valid` (line 3) does not contain `friend.age`",
    "shape": "the body reads `h` and `w`, of which only what the precondition says is known: let "
    "`Rect.valid` say what makes it true",
    "queue": "the `if` of line 7 has no `else`, and where its condition is false nothing changes",
    "timer": "`left := left - 2` (line 7) changes what it is about",
    "set": "`this.items()` is `this.s` (line 4); `s := set<int>(x)` (line 7) changes it",
}
"""Causes, where no edit is known that mends them."""


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.cool").read_text()


@pytest.mark.parametrize("name", SEEN)
def test_the_cure_is_told_and_works(name: str) -> None:
    first, *_ = findings(text_of(name))
    told = advice_for(first) or ""
    assert SEEN[name] in told and "verifies" in told
    assert not findings(edited(text_of(name), first.cures[0].edits))


@pytest.mark.parametrize("name", NAMED)
def test_the_cause_is_named(name: str) -> None:
    first, *_ = findings(text_of(name))
    assert NAMED[name] in (advice_for(first) or "")


def test_each_program_is_looked_at() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted([*SEEN, *NAMED])


def test_what_is_false_is_told_by_fields_as_they_are_written() -> None:
    (found,) = findings(text_of("point"))
    assert any("`this.x == 0`" in note for note in found.notes)
    assert not any("Point.x" in note for note in found.notes)


NULL = """
class Cell { int v; Cell() ensures acc(v); { v := 0; } }
Cell c;
c.v := 5;
"""

OTHER_CLASS = """
class Stack {
  Node head;
  predicate valid() { return acc(head) && (head != null ==> head.list()); }
  int top() requires valid() && head != null; ensures valid(); { int r := head.item; return r; }
}
class Node {
  int item; Node next;
  predicate list() { return acc(item) && acc(next) && (next != null ==> next.list()); }
}
"""

INTERFACE = """
interface Shape { pure int area(); }
class Square implements Shape {
  int side;
  Square(int n) { side := n; }
  pure int area() { return side * side; }
}
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (NULL, "`c` is `null` since line 3, and `null` has no fields: write `Cell c := new Cell("),
        (
            OTHER_CLASS,
            "`pure int itemOf() requires list(); { return item; }`, and write `this.head",
        ),
        (
            INTERFACE,
            "`predicate valid();` in `Shape`, `requires valid();` after `area(...)` there",
        ),
    ],
)
def test_what_another_class_has_to_give_is_told(text: str, told: str) -> None:
    first, *_ = findings(text)
    assert told in (advice_for(first) or "")


def test_a_method_of_an_interface_with_one_class_can_be_chosen() -> None:
    """What is known by the class of an object stays with every member that is chosen."""
    (found,) = findings(text_of("shape"), select=("Shape.area",))
    assert found.member == "Shape.area"
    assert "the body is that of `Rect.area` (line 9)" in found.notes
