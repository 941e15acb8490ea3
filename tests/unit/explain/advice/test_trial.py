"""Values for which an assertion is false: found by running, so they have to be right."""

from __future__ import annotations

import pytest

import pitviper

FACULTY = "function fac(n: Int): Int requires n >= 0 { n == 0 ? 1 : n * fac(n - 1) }\n"

CASES = (
    (
        "function dbl(x: Int): Int ensures result > x { x + x }",
        "`dbl(0)` is 0 (line 2, `x + x`); mend the body, exclude that, `requires x > 0`, or",
    ),
    (
        "method max(a: Int, b: Int) returns (r: Int) ensures r >= a && r >= b\n"
        "{ if (a > b) { r := a } else { r := a } }",
        "false for `a == 0` and `b == 1`: `r` is 0 there (line 3, `r := a`)",
    ),
    (
        "method m(x: Int) { if (x > 0) { goto done }\n label done\n assert x <= 0 }",
        "false for `x == 1`, on the path of `goto done` (line 2)",
    ),
    ("method m(x: Int) requires x > 0 { assert x < 0 }", "for all other values that were tried"),
    ("method m(x: Int, y: Int) { assert y < x }", "`requires y < x`"),
    ("method m(x: Int) { assert x \\ 2 * 2 == x }", "false for `x == 1`"),
    ("method m(x: Int) { assert -x % 3 == -1 || x >= 0 }", "a remainder is not negative"),
    ("method m(n: Int) requires n >= 0 { assert fac(n) >= n + 1 }", "false for `n == 1`"),
    (
        "method m(b: Bool, c: Bool) returns (r: Bool) ensures r == (b && c) { r := b || c }",
        "false for `!b` and `c`: `r` is true there",
    ),
    (
        "method m(n: Int) { var i: Int := 0\n"
        "  while (i < n) invariant i >= 0 { i := i + 2 }\n  assert i == n }",
        "false for `n == 1`: `i` is 2 there (line 3, `i := i + 2`)",
    ),
    (
        "method m(n: Int) requires n >= 0 { var i: Int := 0\n"
        "  while (i < n) invariant i >= 0 { i := i + 1 }\n  assert i == n }",
        "add `invariant i <= n`, which says where the loop ends",
    ),
    (
        "method m(n: Int) returns (s: Int) requires n >= 0 ensures s == 2 * n { s := 0\n"
        "  var i: Int := 0\n  while (i < n) invariant 0 <= i && i <= n { i := i + 1\n"
        "    s := s + 2 } }",
        "such as `invariant s == 2 * i`",
    ),
    (
        "adt List[T] { Nil() Cons(head: T, tail: List[T]) }\n"
        "function all(xs: List[Bool]): Bool { xs.isNil || (xs.head && all(xs.tail)) }\n"
        "method m(xs: List[Bool]) { assert all(xs) }",
        "false for `xs == Cons(false, Nil())`",
    ),
    (
        "adt List { Nil() Cons(head: Int, tail: List) }\n"
        "function len(xs: List): Int { xs.isNil ? 0 : 1 + len(xs.tail) }\n"
        "method m(xs: List) { assert len(xs) != 1 }",
        "false for `xs == Cons(0, Nil())`",
    ),
)


def said(text: str) -> list[str]:
    return [finding.advice or "" for finding in pitviper.verify(FACULTY + text).findings]


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_small_values_tell_why(text: str, wanted: str) -> None:
    advice = said(text)
    assert any(wanted in one for one in advice), advice


@pytest.mark.parametrize(
    "text",
    [
        "method m(x: Int) returns (y: Int) { assert y == x }",
        "method g() returns (r: Int)\nmethod m(x: Int) { var y: Int := g()\n assert y == x }",
        "method m(x: Int) { var y: Int := 3\n while (true) invariant y >= 3 { y := y * y }\n"
        " assert x > 2 }\nmethod n(x: Int) { var y: Int\n assert y > 2 }",
    ],
)
def test_a_run_that_cannot_be_followed_tells_nothing(text: str) -> None:
    assert not [one for one in said(text) if "false for" in one]


@pytest.mark.parametrize(
    "body",
    [
        "assert forall i: Int :: 0 <= i && i < 1000000000000000 ==> i * i != 1099511627776",
        "assert exists i: Int :: 0 <= i && i < 1000000000000000 && i * i == 1099511627777",
        "var s: Seq[Int] := Seq(1)\n  var i: Int := 0\n"
        "  while (i < 60) { s := s ++ s\n    i := i + 1 }\n  assert |s| < 5",
    ],
)
def test_trials_need_little_memory(body: str) -> None:
    """A range of numbers is not listed, and sequences that double do not grow without end."""
    assert said(f"method m() {{\n  {body}\n}}")
