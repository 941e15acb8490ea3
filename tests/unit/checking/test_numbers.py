"""What is said of a value that is no number where one has to stand."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text

HEAD = """
field val: Int
field next: Ref
adt Shape { Circle(r: Int) Square(side: Int) }
adt Color { Red() Green() }
domain Array { function len(a: Array): Int }
function twice(n: Int): Int { 2 * n }
function sum(s: Seq[Int]): Int { |s| == 0 ? 0 : s[0] + sum(s[1..]) }
method get(x: Ref) returns (r: Int)
"""


def told(statement: str) -> tuple[str, str]:
    """Message and help of the only error of a statement."""
    method = (
        "method m(x: Ref, y: Ref, n: Int, b: Bool, s: Seq[Int], t: Set[Int], a: Array, c: Shape, "
        "o: Seq[Ref])\n  returns (k: Int, d: Color)\n"
    )
    (error,) = load_text(f"{HEAD}{method}{{\n  {statement}\n}}\n", "m.vpr").diagnostics
    return error.message, error.help or ""


@pytest.mark.parametrize(
    ("statement", "message", "cure"),
    [
        ("k := x + 1", "`x` is a `Ref`: `+` needs numbers", "`x.val`"),
        ("k := 2 * x", "`x` is a `Ref`: `*` needs numbers", "`x.val`"),
        ("k := -x", "`x` is a `Ref`: `-` needs numbers", "`x.val`"),
        ("assert x <= y", "`x` is a `Ref`: `<=` needs numbers", "`x.val <= y.val`"),
        ("assert x > 0", "`x` is a `Ref`: `>` needs numbers", "`x.val`"),
        ("assert s > 0", "`s` is a `Seq[Int]`: `>` needs numbers", "`|s|`"),
        ("assert n < t", "`t` is a `Set[Int]`: `<` needs numbers", "`|t|`"),
        ("k := s % 2", "`s` is a `Seq[Int]`: `%` needs numbers", "`|s|`"),
        ("k := a + 1", "`a` is an `Array`: `+` needs numbers", "`len(a)`"),
        ("k := c * c", "`c` is a `Shape`: `*` needs numbers", "`c.r` or `c.side`"),
        ("k := b + 1", "`b` is a `Bool`: `+` needs numbers", "`(b ? 1 : 0)`"),
        ("k := s - n", "`s` is a `Seq[Int]`: `-` needs numbers", "`s[..i] ++ s[i + 1..]`"),
        ("k := twice(x)", "found incompatible type `Ref`, expected `Int`", "`x.val`"),
        ("k := twice(s)", "found incompatible type `Seq[Int]`, expected `Int`", "`|s|`"),
        ("k := sum(|s|)", "found incompatible type `Int`, expected `Seq[Int]`", "write `s`"),
        ("k := sum(s[0])", "found incompatible type `Int`, expected `Seq[Int]`", "`s[1..]`"),
        ("assert s == n", "found incompatible type `Int`, expected `Seq[Int]`", "`n in s`"),
        ("assert s in n", "found incompatible type `Int`, expected `Set[Seq[Int]]`", "`n in s`"),
        ("assert o[x] == x", "found incompatible type `Ref`, expected `Int`", "write `x` for"),
        ("assert s", "found incompatible type `Seq[Int]`, expected `Bool`", "`|s| > 0`"),
        ("assert n == 0 ? 1 : 0", "found incompatible type `Int`, expected `Bool`", "`n == 0`"),
        ("assert n + 1", "found incompatible type `Int`, expected `Bool`", "`(n + 1) != 0`"),
        ("d := get(x)", "found incompatible type `Color`, expected `Int`", "returns `Int`"),
        ("d := Color.Red", "there is no `Color.Red`", "`Red()`"),
        ("c := Shape.Circle(3)", "there is no `.Circle(...)`", "`Circle(3)`"),
        ("assert c.isCircle()", "there is no `.isCircle(...)`", "`c.isCircle`"),
        ("k := c.r()", "there is no `.r(...)`", "`c.r`"),
        ("d := Color::Red()", "expected a statement, found `::`", "`Red()`"),
        ("d := new Red()", "expected `(`, found `Red`", "without `new`"),
    ],
)
def test_what_it_is_and_what_is_meant(statement: str, message: str, cure: str) -> None:
    said, help_ = told(statement)
    assert said.removeprefix("Parse error: ") == message
    assert cure in help_
    assert "Perm" not in said


def test_an_amount_stays_an_amount() -> None:
    said, _ = told("assert perm(x.val) > 0")
    assert said == "found incompatible type `Int`, expected `Perm`"
