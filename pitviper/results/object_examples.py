"""What ids of the object language mean, and programs that show each: one that has it, one not."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.results.examples import Example


@record
class Told:
    """What a construct of the object language needs, with an example."""

    meaning: str
    example: Example


_CELL = "class Cell {\n  int x;\n  predicate valid() { return acc(x) && x > 0; }\n  "

OBJECT_CONSTRUCTS = {
    "close.failed": Told(
        "A `close` needs all that the body of the predicate says: permissions and facts.",
        Example(
            "assertion.false",
            "Make the body of the predicate true first.",
            _CELL + "Cell() ensures valid(); { x := 0; close valid(); }\n}",
            _CELL + "Cell() ensures valid(); { x := 1; close valid(); }\n}",
        ),
    ),
    "open.failed": Told(
        "An `open` needs the instance of the predicate to be held.",
        Example(
            "insufficient.permission",
            "Ask for the instance, or close it first.",
            _CELL + "void m() { open valid(); }\n}",
            _CELL + "void m() requires valid(); { open valid(); }\n}",
        ),
    ),
    "assume.failed": Told(
        "What an `assume` takes in may not make sense.",
        Example(
            "insufficient.permission",
            "Ask for the permission that the fact needs.",
            "class Cell {\n  int x;\n  void m() { assume x > 0; }\n}",
            "class Cell {\n  int x;\n  void m() requires acc(x); { assume x > 0; }\n}",
        ),
    ),
    "join.failed": Told(
        "What a `join` keeps is not proved, or makes no sense without the rest of the state.",
        Example(
            "assertion.false",
            "Keep only what is true.",
            "class C {\n  void m(int n) { join n > 0; }\n}",
            "class C {\n  void m(int n) requires n > 0; { join n > 0; }\n}",
        ),
    ),
    "pure.not.wellformed": Told(
        "The body of a pure method may not make sense in some state.",
        Example(
            "division.by.zero",
            "What the body needs, the precondition asks for.",
            "class C {\n  pure int share(int all, int n) { return all / n; }\n}",
            "class C {\n  pure int share(int all, int n) requires n != 0; { return all / n; }\n}",
        ),
    ),
}
"""By the first half of an id that only the object language has."""

_COUNTER = "class Counter {\n  int n;\n  "

OBJECT_EXAMPLES = {
    "postcondition.violated": Example(
        "assertion.false",
        "Mend the body, promise less, or ask for more.",
        _COUNTER
        + "void inc() requires acc(n); ensures acc(n) && n == old(n) + 1;\n  { n := n; }\n}",
        _COUNTER
        + "void inc() requires acc(n); ensures acc(n) && n == old(n) + 1;\n  { n := n + 1; }\n}",
    ),
    "assignment.failed": Example(
        "insufficient.permission",
        "Ask for the permission.",
        _COUNTER + "void reset() { n := 0; }\n}",
        _COUNTER + "void reset() requires acc(n); { n := 0; }\n}",
    ),
    "call.precondition": Example(
        "assertion.false",
        "Make the precondition of the callee true before the call.",
        "class C {\n  void half(int n) requires n > 0; { }\n  void m() { half(0); }\n}",
        "class C {\n  void half(int n) requires n > 0; { }\n  void m() { half(2); }\n}",
    ),
    "assert.failed": Example(
        "assertion.false",
        "Ask for what is missing.",
        "class C {\n  void m(int n) { assert n > 0; }\n}",
        "class C {\n  void m(int n) requires n > 0; { assert n > 0; }\n}",
    ),
    "invariant.not.established": Example(
        "assertion.false",
        "Start with values of which the invariant is true.",
        "class C {\n  void m() { int i := 0; while (i < 9) invariant i > 0; { i := i + 1; } }\n}",
        "class C {\n  void m() { int i := 1; while (i < 9) invariant i > 0; { i := i + 1; } }\n}",
    ),
    "invariant.not.preserved": Example(
        "assertion.false",
        "Say what every iteration keeps.",
        "class C {\n  void m() { int i := 9; while (i > 0) invariant i > 0; { i := i - 1; } }\n}",
        "class C {\n  void m() { int i := 9; while (i > 0) invariant i >= 0; { i := i - 1; } }\n}",
    ),
    "not.wellformed": Example(
        "insufficient.permission",
        "The permission stands before what reads the field.",
        _COUNTER + "void m() requires n > 0; { }\n}",
        _COUNTER + "void m() requires acc(n) && n > 0; { }\n}",
    ),
}
"""By the first half of an id that both languages have."""
