"""Input that is too deep, too long or no program at all gives messages, quickly."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitviper.source.diagnostic import Severity
from pitviper.source.span import SourceFile
from pitviper.syntax.parse.cursor import MAX_NESTING
from pitviper.syntax.parse.lexer import SYMBOLS
from pitviper.syntax.parse.literals import MAX_DIGITS
from pitviper.syntax.parse.parser import MAX_ERRORS, parse_expression
from pitviper.syntax.token import KEYWORDS
from tests.unit.syntax.parsing import error, errors, parsed

DEEP_EXPRESSIONS = {
    "parentheses": ("(", "x", ")"),
    "negations": ("!", "x", ""),
    "minus signs": ("- ", "x", ""),
    "calls": ("f(", "x", ")"),
    "calls with two arguments": ("f(a, ", "x", ")"),
    "collections": ("Seq(", "x", ")"),
    "maps": ("Map(a := ", "x", ")"),
    "cardinalities": ("| ", "x", " |"),
    "indices": ("a[", "x", "]"),
    "ranges": ("[a..", "x", ")"),
    "implications": ("a ==> ", "x", ""),
    "equalities": ("a == ", "x", ""),
    "wands": ("a --* ", "x", ""),
    "conditionals": ("a ? b : ", "x", ""),
    "conditions": ("a ? ", "x", " : b"),
    "quantifiers": ("forall x: Int :: ", "x", ""),
    "triggers": ("forall x: Int :: {", "x", "} x"),
    "lets": ("let x == (", "x", ") in x"),
    "annotated": ("@a() (", "x", ")"),
    "old": ("old(", "x", ")"),
    "unfoldings": ("unfolding P(x) in ", "x", ""),
    "permissions": ("acc(P(", "x", "))"),
}

DEEP_STATEMENTS = {
    "blocks": ("{ ", "x := 1", "}"),
    "conditionals": ("if (a) { ", "x := 1", "}"),
    "else branches": ("if (a) { } else { ", "x := 1", "}"),
    "loops": ("while (a) { ", "x := 1", "}"),
    "packages": ("package a --* b { ", "x := 1", "}"),
    "annotated blocks": ("@a() { ", "x := 1", "}"),
    "macros": ("define M { ", "x := 1", "}"),
    "types": ("var x: Seq[", "Int", "]"),
}


@pytest.fixture
def low_recursion_limit() -> Iterator[None]:
    """The parser must make the room that it needs by itself."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("low_recursion_limit")
@pytest.mark.parametrize("form", DEEP_EXPRESSIONS.values(), ids=DEEP_EXPRESSIONS.keys())
def test_expressions_nest_up_to_the_limit(form: tuple[str, str, str]) -> None:
    opening, core, closing = form
    deep = MAX_NESTING // 2 - 10
    accepted, _ = parse_expression(
        SourceFile(Path("t.vpr"), opening * deep + core + closing * deep)
    )
    assert accepted is not None
    too_deep = MAX_NESTING + 10
    rejected, diagnostics = parse_expression(
        SourceFile(Path("t.vpr"), opening * too_deep + core + closing * too_deep)
    )
    assert rejected is None
    assert "nested too deeply" in diagnostics[-1].message


@pytest.mark.usefixtures("low_recursion_limit")
@pytest.mark.parametrize("form", DEEP_STATEMENTS.values(), ids=DEEP_STATEMENTS.keys())
def test_statements_nest_up_to_the_limit(form: tuple[str, str, str]) -> None:
    opening, core, closing = form
    deep = MAX_NESTING - 10
    inner = "Seq[" if core == "Int" else opening
    deep_text = opening + inner * (deep - 1) + core + closing * deep
    assert errors("method m() { " + deep_text + " }") == []
    too_deep = opening + inner * (MAX_NESTING + 10) + core + closing * (MAX_NESTING + 11)
    assert "nested too deeply" in error("method m() { " + too_deep + " }").message


@pytest.mark.parametrize("operator", ["+", "-", "++", "*", "/", "union", "subset"])
def test_left_nested_chains_are_limited(operator: str) -> None:
    chain = f"a {operator} " * (MAX_NESTING - 1)
    assert parsed(f"function f(): Int {{ {chain} a }}").diagnostics == ()
    longer = f"a {operator} " * (MAX_NESTING + 1)
    assert "nested too deeply" in error(f"function f(): Int {{ {longer} a }}").message


@pytest.mark.parametrize("suffix", [".f", "[0]", "[0 := 1]", "[0..1]"])
def test_chains_of_suffixes_are_limited(suffix: str) -> None:
    assert parsed(f"function f(): Int {{ a{suffix * (MAX_NESTING - 1)} }}").diagnostics == ()
    text = f"function f(): Int {{ a{suffix * (MAX_NESTING + 1)} }}"
    assert "nested too deeply" in error(text).message


def test_chains_within_nested_parentheses_add_up() -> None:
    text = "(" * 300 + "a" + ("+ b" * 5 + ")") * 300
    assert "nested too deeply" in error(f"function f(): Int {{ {text} }}").message
    assert parsed(f"function f(): Int {{ {'(' * 300 + 'a' + '+ b)' * 300} }}").diagnostics == ()


def test_flat_chains_are_not_limited() -> None:
    for operator in ("&&", "||", "<="):
        text = f"a {operator} " * 5000 + "a"
        assert parsed(f"function f(): Bool {{ {text} }}").diagnostics == ()
    statements = "x := 1 " * 5000
    assert parsed(f"method m() {{ {statements} }}").diagnostics == ()


def test_long_numbers() -> None:
    assert parsed(f"function f(): Int {{ {'1' * MAX_DIGITS} }}").diagnostics == ()
    assert "too long" in error(f"function f(): Int {{ {'1' * (MAX_DIGITS + 1)} }}").message


NASTY = {
    "ten thousand parentheses": "method m() { assert " + "(" * 10_000,
    "hundred thousand negations": "method m() { assert " + "!" * 100_000,
    "five thousand blocks": "method m() " + "{" * 5_000,
    "many elseifs": "method m() { if (a) { }" + " elseif (b) { }" * 5_000 + "}",
    "long name as statement": "method m() { a. " + "x" * 1_000_000 + " ) }",
    "long number": "method m() { assert " + "1" * 1_000_000,
    "zero bytes": "\0" * 1_000_000,
    "spaced zero bytes": "\0 " * 300_000,
    "bytes": bytes(range(256)).decode("latin-1") * 2_000,
    "surrogates": "\ud800 method \udfff",
    "quotes": '"' * 200_001,
    "open comments": "/*" * 200_000,
    "stars": "/*" + "*" * 300_000,
    "closing braces": "}" * 200_000,
    "opening braces": "{" * 200_000,
    "keywords": "method " * 100_000,
    "broken methods": "method m " * 100_000,
    "annotations": "@a() " * 50_000,
    "bars": "method m() { assert " + "|" * 100_001,
    "indices": "method m() { assert " + "a[" * 100_000,
    "types": "method m() { var x: " + "Seq[" * 100_000,
    "forperms": "method m() { assert " + "forperm x: D [" * 20_000,
    "imports": "import <" * 50_000,
    "measures": "method m() " + "decreases @a " * 20_000,
    "macro parameters": "define M(" + "a, " * 100_000,
}


@cache
def usual_time() -> float:
    """Processor time for a program of 600 KB; nothing above takes three times as long."""
    before = time.process_time()
    parsed("method m(a: Int) requires a > 0 { var b: Int := a + 1 assert b > a }\n" * 9_000)
    return time.process_time() - before


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
def test_nasty_input_gives_a_message_quickly(text: str) -> None:
    before = time.process_time()
    diagnostics = parsed(text).diagnostics
    assert time.process_time() - before < 10 * usual_time()
    assert diagnostics
    assert all(d.severity is Severity.ERROR for d in diagnostics)
    assert all(len(d.message) < 300 for d in diagnostics)


def test_the_number_of_errors_is_bounded() -> None:
    diagnostics = parsed("method m \n" * 1000).diagnostics
    assert len(diagnostics) == MAX_ERRORS + 1
    assert "too many errors" in diagnostics[-1].message


@given(st.text(max_size=300))
@settings(deadline=None)
def test_no_text_makes_the_parser_raise(text: str) -> None:
    result = parsed(text)
    assert result.tree.span.end == len(text)


WORDS = sorted({*SYMBOLS, *KEYWORDS, "x", "f", "P", "1", '"s"', "@a", "_", "=", "\n"})


@given(st.lists(st.sampled_from(WORDS), max_size=60), st.sampled_from(["", "method m() {"]))
@settings(deadline=None, max_examples=300)
def test_no_row_of_tokens_makes_the_parser_raise(words: list[str], prefix: str) -> None:
    text = prefix + " ".join(words)
    for diagnostic in parsed(text).diagnostics:
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
