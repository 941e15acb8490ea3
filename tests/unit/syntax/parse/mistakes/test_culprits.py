"""Errors stand at the word that is wrong, and say what to write in the words of the program."""

from __future__ import annotations

import pytest

from tests.unit.syntax.parsing import error, errors


@pytest.mark.parametrize(
    ("statement", "word", "help_"),
    [
        ("assert a + 1 mod (b + 2) == 0", "mod", "`1 % (b + 2)`"),
        ("assert x.f is null", "is", "`x.f == null`"),
        ("assert s contains 3", "contains", "`3 in s`"),
        ("assert a not in s", "not", "`!(a in s)`"),
        ("assert mp.get(1) == 2", "get", "`mp[1]`"),
        ("assert s.isEmpty()", "isEmpty", "`|s| == 0`"),
        ("assert 3 in range(0, a)", "range", "`[0..a)`"),
        ("fold P(x) with 1/2", "with", "`fold acc(P(x), 1/2)`"),
        ("x.f += a * 2", "+=", "`x.f := x.f + (a * 2)`"),
        ("assert a /= 3", "/=", "`a != 3`"),
        ("assert a <> 3", "<>", "`a != 3`"),
        ("assert a > 1 -> a > 0", "->", "`==>`"),
        ("assert a > 1 <=> a > 0", "<=>", "`<==>`"),
        ("assert a > 1 => a > 0", "=>", "`==>`"),
        ("assert a ^ 2 >= 0", "^", "there is no power: write `a * a`"),
        ("assert a ^ r >= 0", "^", "there is no power: multiply, or declare"),
        ("return a + 1", "return", "`r := a + 1`"),
        ("for k in range(1, a) { }", "for", "`var k: Int := 1`, then `while (k < a)"),
        ("while (a > 0) do { }", "do", "leave `do` out"),
        ("do { r := 1 } while (r < 3)", "do", "`r := 1; while (r < 3) { r := 1 }`"),
        ("do {\n r := 1\n a := 2 } while (r < 3)", "do", "then `while (r < 3) { ... }`"),
        ("switch (a) {\n case 1: r := 2\n case 2: r := 3 }", "switch", "`if (a == 1) { ... }"),
        ("s.append(3)", "append", "`var s2: Seq[Int] := s ++ Seq(3)`"),
    ],
)
def test_the_word_that_is_wrong(statement: str, word: str, help_: str) -> None:
    found = error(f"method m(a: Int, s: Seq[Int]) returns (r: Int) {{\n  {statement}\n}}")
    assert found.span is not None and found.span.text == word
    assert f"`{word}`" in found.message or f".{word}(" in found.message or word == "range"
    assert found.help is not None and help_ in found.help


def test_cases_name_the_parts_of_a_constructor() -> None:
    found = error(
        "adt L { Nil() Cons(head: Int, tail: L) }\n"
        "function f(l: L): Int { match l { case Nil => 0 case Cons(h, t) => 1 + f(t) } }"
    )
    assert found.message == "there is no `match`"
    assert found.help == "write `l.isNil ? 0 : 1 + f(l.tail)`"


def test_words_that_the_file_declares_are_not_to_blame() -> None:
    found = errors("define skip { }\nmethod m(x: Int) {\n  skip assert x ==\n}")
    assert all("skip" not in each.message for each in found)
    found = errors("method m(x: Int) {\n  assert x require y\n  asert x == 3\n}")
    assert all("there is no" not in each.message for each in found)


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("method m(x: Int): Int { }", "`method m(x: Int) returns (res: Int)`"),
        ("method m(x: Int) -> int { }", "`method m(x: Int) returns (res: Int)`"),
        ("def m(x: Int):\n  assert x == x", "`method m(x: Int) { ... }`"),
        ("fn f(x: Int) -> Int { x }", "`function f(x: Int): Int { ... }`"),
        ("domain D { }\naxiom { true }", "the braces of `domain D` in line 1"),
        ('from "lib.vpr" import f', '`import "lib.vpr"`'),
        ('include "lib.vpr"', '`import "lib.vpr"`'),
        ("method m() { var b: Real := 0.5 }", "write `var b: Perm := 1/2`"),
        ("method m(n: Int?) { }", "`null` is no Int: leave `?` out"),
        ("method m(n: Ref?) { }", "say `n != null` where it is not"),
        ("import os", "there is no library `os`"),
        ("method m() { var n: Ref := new(f := 3, g := null) }", "`n.f := 3`, `n.g := null`"),
        ('method m(x: Int) { assert "n" == x }', "`x` is of type Int"),
        ('method m() { assert "a" + "b" == "ab" }', "`Seq(97)`, joined by `++`"),
    ],
)
def test_cures_with_the_names_of_the_program(text: str, help_: str) -> None:
    found = error(text)
    assert found.help is not None and help_ in found.help
