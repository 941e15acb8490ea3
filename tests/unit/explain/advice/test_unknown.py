"""Advice that names what nothing is known of, and never asks for what cannot be true."""

from __future__ import annotations

import pytest

import pitviper

PRELUDE = """field f: Int
adt List { Nil() Cons(head: Int, tail: List) }
function hd(l: List): Int { l.head }
method touch(x: Ref) requires acc(x.f) ensures acc(x.f)
method zero(s: Set[Ref]) requires forall r: Ref :: r in s ==> acc(r.f)
  ensures forall r: Ref :: r in s ==> acc(r.f)
"""

CASES = (
    (
        "method m(x: Ref, y: Ref) requires acc(x.f, 1/2) && acc(y.f, 1/2) && x.f == 1\n"
        "{ assert y.f == 1 }",
        "nothing says what `y.f` is, as `x` and `y` may be two objects: ask for it, "
        "`requires y.f == 1`, or say that they are one, `requires x == y`",
    ),
    (
        "method m(x: Ref, y: Ref) requires acc(x.f) && acc(y.f, 1/2) { assert x == y }",
        "so `x` and `y` are two objects, and this is never true",
    ),
    ("method m(x: Ref) requires acc(x.f) { assert x == null }", "so `x` is not null"),
    (
        "method m(s: Seq[Int]) requires |s| > 2\n"
        "{ assert forall i: Int :: 0 <= i && i < |s| ==> s[i] > 0 }",
        "nothing says what the elements of `s` are: ask for it, `requires forall i: Int",
    ),
    (
        "method m(l: List) requires l.isCons { assert hd(l) > 0 }",
        "nothing says what `l.head` is",
    ),
    ("method m(s: Set[Int]) { assert false }", "`false` holds only where no run can come"),
    (
        "method m(x: Ref) requires x.f > 0 && acc(x.f, 1/2) { }",
        "so move `acc(x.f, 1/2)` before this",
    ),
    ("method m(s: Set[Int]) requires 1 in s { assert |s| > 1 }", "`requires |s| > 1`"),
    (
        "method m(x: Ref) requires acc(x.f) && x.f == 3 { touch(x)\n assert x.f == 3 }",
        "add `ensures x.f == old(x.f)` there, if it does not change it",
    ),
    (
        "method m(s: Set[Ref], x: Ref)\n"
        "  requires x in s && forall r: Ref :: r in s ==> acc(r.f)\n"
        "{ zero(s)\n assert x.f == 0 }",
        "`ensures forall r: Ref :: r in s ==> r.f == 0`",
    ),
    (
        "method swap(x: Ref, y: Ref) requires acc(x.f) && acc(y.f) ensures acc(x.f) && acc(y.f)\n"
        "  ensures x.f == old(y.f) && y.f == old(x.f) { x.f := y.f\n  y.f := x.f }",
        "keep its earlier value, `var t: Int := x.f` before `x.f := y.f`",
    ),
    (
        "method m(x: Ref) requires acc(x.f) && x.f == 0 ensures acc(x.f) && x.f == 10\n"
        "{ while (x.f < 10) invariant acc(x.f) { x.f := x.f + 1 } }",
        "add `invariant x.f <= 10`",
    ),
    (
        "method m(s: Seq[Int]) requires forall i: Int :: 0 <= i ==> s[i] > 0 { }",
        "write `0 <= i && i < |s| ==> s[i] > 0`",
    ),
    (
        "method m(n: Int) decreases { var i: Int := 0\n"
        "  while (i < n) decreases n - i { i := i - 1 } }",
        "gets larger, by `i := i - 1`",
    ),
    (
        "function even(n: Int): Bool decreases n { n <= 0 ? true : odd(n - 1) }\n"
        "function odd(n: Int): Bool { n <= 0 ? false : even(n - 1) }",
        "`odd` (line 8) calls `even` again and has no measure",
    ),
)


def said(text: str) -> list[str]:
    return [finding.advice or "" for finding in pitviper.verify(PRELUDE + text).findings]


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_advice_names_the_value(text: str, wanted: str) -> None:
    advice = said(text)
    assert any(wanted in one for one in advice), advice


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("method m(s: Seq[Int]) requires |s| == 0 { assert |s| > 2 }", "requires |s|"),
        (
            "method m(x: Ref, y: Ref) requires acc(x.f) && x == y && x.f == 1 { assert y.f == 2 }",
            "requires",
        ),
        (
            "method m(x: Ref, y: Ref) requires acc(x.f) && acc(y.f) && x.f == 1\n"
            "{ assert y.f == 1 }",
            "requires x == y",
        ),
        (
            "method m(x: Ref) requires acc(x.f) && x.f == 20 ensures acc(x.f) && x.f == 10\n"
            "{ while (x.f < 10) invariant acc(x.f) { x.f := x.f + 1 } }",
            "x.f <= 10",
        ),
        (
            "method m(x: Ref) requires acc(x.f) { if (x.f < 0) { assert x.f > 3 } }",
            "nothing says",
        ),
    ],
)
def test_nothing_is_asked_for_that_contradicts(text: str, wrong: str) -> None:
    advice = said(text)
    assert advice
    assert not [one for one in advice if wrong in one], advice
