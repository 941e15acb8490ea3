"""Token kinds, places, comments and text that is no token."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitviper.source.span import SourceFile
from pitviper.syntax.parse.lexer import MAX_DIAGNOSTICS, SYMBOLS, lex
from pitviper.syntax.token import BAD, END, INT, KEYWORDS, NAME, SMOKE_KEYWORDS, STRING, Tokens


def tokens_of(text: str) -> Tokens:
    return lex(SourceFile(Path("t.vpr"), text))[0]


def kinds(text: str) -> list[str]:
    return tokens_of(text).kinds[:-1]


def texts(text: str) -> list[str]:
    tokens = tokens_of(text)
    return [tokens.text(at) for at in range(len(tokens.kinds) - 1)]


@pytest.mark.smoke
def test_kinds_of_a_small_method() -> None:
    assert kinds("method m(x: Int) { x := 1 }") == [
        "method", NAME, "(", NAME, ":", "Int", ")", "{", NAME, ":=", INT, "}",
    ]  # fmt: skip


def test_the_last_token_is_the_end() -> None:
    tokens = tokens_of("a \n")
    assert (tokens.kinds, tokens.starts, tokens.ends) == ([NAME, END], [0, 3], [1, 3])
    assert tokens_of("").kinds == [END]


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_every_symbol_is_its_own_kind(symbol: str) -> None:
    assert kinds(f"a {symbol} b") == [NAME, symbol, NAME]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<==>", ["<==>"]),
        ("==>", ["==>"]),
        ("a==>b", [NAME, "==>", NAME]),
        ("--*", ["--*"]),
        ("--a", ["-", "-", NAME]),
        ("a--*b", [NAME, "--*", NAME]),
        ("0..n", [INT, "..", NAME]),
        (":::=", ["::", ":="]),
        ("+++", ["++", "+"]),
        ("|a||b|", ["|", NAME, "||", NAME, "|"]),
        ("<=>", ["<=", ">"]),
    ],
)
def test_the_longest_symbol_wins(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_a_keyword_is_its_own_kind_and_no_longer_word_is(word: str) -> None:
    assert kinds(f"{word} {word}x {word}_ {word}$ {word}1 x{word}") == [word, *[NAME] * 5]


def test_names_are_ascii_and_may_contain_dollars() -> None:
    assert texts("_ $a a$1 A_b") == ["_", "$a", "a$1", "A_b"]
    assert kinds("é") == [BAD]


def test_numbers_have_no_sign_and_no_letters() -> None:
    assert texts("007 -1 1x") == ["007", "-", "1", "1", "x"]


def test_extra_keywords_are_reserved_on_request() -> None:
    file = SourceFile(Path("t.vpr"), "unreachable")
    assert lex(file)[0].kinds == [NAME, END]
    assert lex(file, KEYWORDS | SMOKE_KEYWORDS)[0].kinds == ["unreachable", END]


def test_a_string_may_span_lines() -> None:
    assert kinds('"a\nb" "c"') == [STRING, STRING]


def test_an_annotation_key_is_one_token_with_dots() -> None:
    assert texts('@a.b.c("x") @domain()') == ["@a.b.c", "(", '"x"', ")", "@domain", "(", ")"]
    assert kinds("@a.b") == ["@"]


def test_comments_are_kept_apart() -> None:
    tokens = tokens_of("a // one\n/* two\n */b/**/c// end")
    assert tokens.kinds == [NAME, NAME, NAME, END]
    found = [tokens.file.text[start:end] for start, end in tokens.comments]
    assert found == ["// one", "/* two\n */", "/**/", "// end"]


def test_block_comments_do_not_nest() -> None:
    assert texts("/* /* */ a */") == ["a", "*", "/"]


@pytest.mark.parametrize("text", ["/* a", "/*/", "/*", "/***"])
def test_an_unclosed_comment_is_reported_at_its_start(text: str) -> None:
    tokens, diagnostics = lex(SourceFile(Path("t.vpr"), "x\n " + text))
    assert tokens.kinds == [NAME, BAD, END]
    assert [(d.code, d.span and d.span.start_position) for d in diagnostics] == [
        ("parser.error", (2, 2))
    ]


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("a = b", ":="),
        ("a => b", "==>"),
        ("a =< b", "<="),
        ("a & b", "&&"),
        ("a === b", "`==`"),
        ("a += b", "x := x + e"),
        ("~a", "!"),
        ("a ≠ b", "!="),
        ('a " b', "at its end"),
        ("@ a", "@key"),
    ],
)
def test_unknown_symbols_get_advice(text: str, help_: str) -> None:
    _, diagnostics = lex(SourceFile(Path("t.vpr"), text))
    assert len(diagnostics) == 1
    assert help_ in (diagnostics[0].help or "")


def test_control_characters_are_shown_as_code_points() -> None:
    _, diagnostics = lex(SourceFile(Path("t.vpr"), "a \0 b"))
    assert "U+0000" in diagnostics[0].message


def test_a_form_feed_is_no_white_space() -> None:
    assert kinds("a\fb") == [NAME, BAD, NAME]
    assert kinds("a\tb\r\nc") == [NAME, NAME, NAME]


def test_the_number_of_diagnostics_is_bounded() -> None:
    _, diagnostics = lex(SourceFile(Path("t.vpr"), "\0 " * 10_000))
    assert len(diagnostics) == MAX_DIAGNOSTICS


@given(st.text(max_size=200))
def test_tokens_and_comments_cover_everything_but_white_space(text: str) -> None:
    tokens = tokens_of(text)
    places = [*zip(tokens.starts, tokens.ends, strict=True), *tokens.comments]
    covered = {offset for start, end in places for offset in range(start, end)}
    rest = [c for offset, c in enumerate(text) if offset not in covered]
    assert set(rest) <= set(" \t\r\n")
    assert all(a <= b for a, b in zip(tokens.starts, tokens.starts[1:], strict=False))
