"""Sentences in lines of a width: no word and no code is broken."""

from __future__ import annotations

import pytest

from pitviper.views.terminal.paragraph import NARROWEST, paragraph, words_of

HELP = "ask for it, `requires 0 <= i && i < |s|`; with that, `m` verifies"


def test_code_is_one_word_with_what_touches_it() -> None:
    assert words_of("write `a b`, or (`c d`) here") == ["write", "`a b`,", "or", "(`c d`)", "here"]


def test_a_backquote_without_partner_is_a_letter() -> None:
    assert words_of("this ` is alone") == ["this", "`", "is", "alone"]


@pytest.mark.parametrize("columns", range(NARROWEST, 100))
def test_no_line_is_wider_than_the_terminal_but_for_code(columns: int) -> None:
    lines = paragraph(words_of(HELP), columns, 8)
    assert " ".join(lines) == HELP
    for line in lines:
        assert len(line) + 8 <= columns or (line.count("`") == 2 and line[0] == "`")
        assert line.count("`") % 2 == 0


def test_a_narrow_terminal_breaks_lines_itself() -> None:
    assert paragraph(words_of(HELP), 1, 8) == paragraph(words_of(HELP), NARROWEST, 8)


def test_wide_letters_take_two_cells() -> None:
    assert paragraph(["一" * 15, "一" * 10], 40, 8) == ["一" * 15, "一" * 10]
