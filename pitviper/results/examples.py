"""Programs in which a construct fails, each beside the same program without the error.

`catalogue.py` says what the first half of an id means; here is what it looks like, and the cure.
"""

from __future__ import annotations

from pitviper.base.record import record


@record
class Example:
    """`bad` fails with the construct for this reason, `good` does not; `cure` is what was done."""

    reason: str
    cure: str
    bad: str
    good: str


_VAL = "field val: Int\n"
_CELL = _VAL + "predicate cell(x: Ref) { acc(x.val) && x.val > 0 }\n"
_NEEDS = "method needs(n: Int) requires n > 0\n"
_HALF = "function half(n: Int): Int requires n % 2 == 0 { n / 2 }\n"
_INDEX = "{0} in range has to be known: ask for it, or test it first."
_READ = "What it reads needs permission first: ask for it."

CONSTRUCT_EXAMPLES = {
    "assignment.failed": Example(
        "insufficient.permission",
        "Ask for the permission that it needs; writing needs the whole.",
        _VAL + "method m(x: Ref) { x.val := 1 }",
        _VAL + "method m(x: Ref) requires acc(x.val) { x.val := 1 }",
    ),
    "call.failed": Example(
        "seq.index.length",
        _INDEX.format("An index"),
        "method f(n: Int)\nmethod m(s: Seq[Int]) { f(s[0]) }",
        "method f(n: Int)\nmethod m(s: Seq[Int]) requires |s| > 0 { f(s[0]) }",
    ),
    "call.precondition": Example(
        "assertion.false",
        "Make sure of it before the call, or ask for it.",
        _NEEDS + "method m(n: Int) { needs(n) }",
        _NEEDS + "method m(n: Int) { if (n > 0) { needs(n) } }",
    ),
    "application.precondition": Example(
        "assertion.false",
        "Make sure of it where the function is applied, or ask for it.",
        _HALF + "method m(n: Int) { assert half(n) <= n || n < 0 }",
        _HALF + "method m(n: Int) requires n % 2 == 0 { assert half(n) <= n || n < 0 }",
    ),
    "not.wellformed": Example(
        "insufficient.permission",
        "The permission stands before what reads the field.",
        _VAL + "method m(x: Ref) requires x.val > 0 && acc(x.val) { }",
        _VAL + "method m(x: Ref) requires acc(x.val) && x.val > 0 { }",
    ),
    "function.not.wellformed": Example(
        "division.by.zero",
        "What the body needs, the precondition asks for.",
        "function share(all: Int, n: Int): Int { all / n }",
        "function share(all: Int, n: Int): Int requires n != 0 { all / n }",
    ),
    "predicate.not.wellformed": Example(
        "insufficient.permission",
        "The permission stands before what reads the field.",
        _VAL + "predicate P(x: Ref) { x.val > 0 && acc(x.val) }",
        _VAL + "predicate P(x: Ref) { acc(x.val) && x.val > 0 }",
    ),
    "postcondition.violated": Example(
        "assertion.false",
        "Mend the body, promise less, or ask for more.",
        "method m(n: Int) returns (r: Int) ensures r > n { r := n }",
        "method m(n: Int) returns (r: Int) ensures r > n { r := n + 1 }",
    ),
    "exhale.failed": Example(
        "insufficient.permission",
        "Only what is held can be given away: ask for it.",
        _VAL + "method m(x: Ref) { exhale acc(x.val) }",
        _VAL + "method m(x: Ref) requires acc(x.val) { exhale acc(x.val) }",
    ),
    "inhale.failed": Example(
        "insufficient.permission",
        "Take the permission in, too, before the fact.",
        _VAL + "method m(x: Ref) { inhale x.val > 0 }",
        _VAL + "method m(x: Ref) { inhale acc(x.val) && x.val > 0 }",
    ),
    "assert.failed": Example(
        "assertion.false",
        "Ask for what makes it true, or assert less.",
        "method m(x: Int) { assert x > 0 }",
        "method m(x: Int) requires x > 0 { assert x > 0 }",
    ),
    "cut.failed": Example(
        "assertion.false",
        "Keep only what is true.",
        "method m(x: Int) { @cut() assert x > 0 }",
        "method m(x: Int) requires x > 0 { @cut() assert x > 0 }",
    ),
    "if.failed": Example(
        "insufficient.permission",
        _READ,
        _VAL + "method m(x: Ref) { if (x.val > 0) { } }",
        _VAL + "method m(x: Ref) requires acc(x.val, 1/2) { if (x.val > 0) { } }",
    ),
    "while.failed": Example(
        "insufficient.permission",
        "A loop has what its invariants ask for: let one ask for the permission.",
        _VAL + "method m(x: Ref) requires acc(x.val) { while (x.val > 0) { } }",
        _VAL
        + "method m(x: Ref) requires acc(x.val)\n{ while (x.val > 0) invariant acc(x.val) { } }",
    ),
    "invariant.not.established": Example(
        "assertion.false",
        "It has to hold before the first iteration, too: start otherwise, or weaken it.",
        "method m() { var i: Int := 0\n  while (i < 9) invariant i > 0 { i := i + 1 } }",
        "method m() { var i: Int := 0\n  while (i < 9) invariant i >= 0 { i := i + 1 } }",
    ),
    "invariant.not.preserved": Example(
        "assertion.false",
        "It has to hold at the end of each iteration, too: weaken it, or mend the body.",
        "method m() { var i: Int := 0\n  while (i < 9) invariant i < 9 { i := i + 1 } }",
        "method m() { var i: Int := 0\n  while (i < 9) invariant i <= 9 { i := i + 1 } }",
    ),
    "fold.failed": Example(
        "assertion.false",
        "Make the body of the predicate true before the `fold`.",
        _CELL + "method m(x: Ref) requires acc(x.val) { fold cell(x) }",
        _CELL + "method m(x: Ref) requires acc(x.val) { x.val := 1  fold cell(x) }",
    ),
    "unfold.failed": Example(
        "insufficient.permission",
        "The instance has to be held: ask for it, or `fold` it first.",
        _CELL + "method m(x: Ref) { unfold cell(x) }",
        _CELL + "method m(x: Ref) requires cell(x) { unfold cell(x) }",
    ),
    "package.failed": Example(
        "assertion.false",
        "The right side has to follow from the left one: say more on the left.",
        _VAL + "method m(x: Ref) { package acc(x.val) --* acc(x.val) && x.val > 0 }",
        _VAL + "method m(x: Ref)\n{ package acc(x.val) && x.val > 0 --* acc(x.val) && x.val > 0 }",
    ),
    "apply.failed": Example(
        "wand.not.found",
        "The wand has to be held, by the same text: `package` it first, or ask for it.",
        _VAL + "method m(x: Ref) requires acc(x.val) { apply acc(x.val) --* acc(x.val) }",
        _VAL + "method m(x: Ref) requires acc(x.val)\n"
        "{ package acc(x.val) --* acc(x.val)  apply acc(x.val) --* acc(x.val) }",
    ),
    "termination.failed": Example(
        "tuple.false",
        "Choose what gets smaller with each call or iteration, and does not go below 0.",
        "import <decreases/int.vpr>\n"
        "function f(n: Int): Int requires n >= 0 decreases n { n == 0 ? 0 : f(n) }",
        "import <decreases/int.vpr>\n"
        "function f(n: Int): Int requires n >= 0 decreases n { n == 0 ? 0 : f(n - 1) }",
    ),
    "quasihavoc.failed": Example(
        "seq.index.length",
        _INDEX.format("An index"),
        _VAL + "method m(s: Seq[Ref]) { quasihavoc s[0].val }",
        _VAL + "method m(s: Seq[Ref]) requires |s| > 0 { quasihavoc s[0].val }",
    ),
    "quasihavocall.failed": Example(
        "quasihavocall.not.injective",
        "No object may come twice: speak of the objects themselves.",
        _VAL + "method m(s: Seq[Ref])\n{ quasihavocall i: Int :: 0 <= i && i < |s| ==> s[i].val }",
        _VAL + "method m(s: Seq[Ref])\n{ quasihavocall r: Ref :: r in s ==> r.val }",
    ),
    "wand.not.wellformed": Example(
        "insufficient.permission",
        "Each side reads only what it has permission to, before what reads it.",
        _VAL + "method m(x: Ref) { inhale acc(x.val) --* (x.val > 0 && acc(x.val)) }",
        _VAL + "method m(x: Ref) { inhale acc(x.val) --* (acc(x.val) && x.val > 0) }",
    ),
    "refute.failed": Example(
        "refutation.true",
        "It is always true there: refute something else, or leave it out.",
        "method m(x: Int) requires x > 0 { refute x >= 0 }",
        "method m(x: Int) requires x > 0 { refute x > 1 }",
    ),
}
"""By the first half of an id."""

SAME_AS = {
    "close.failed": "fold.failed",
    "open.failed": "unfold.failed",
    "assume.failed": "inhale.failed",
    "join.failed": "cut.failed",
    "pure.not.wellformed": "function.not.wellformed",
}
"""Constructs of the object language, with those of Viper that fail alike."""


def example_of(construct: str) -> Example | None:
    """The programs for a construct, if there are some."""
    return CONSTRUCT_EXAMPLES.get(SAME_AS.get(construct, construct))
