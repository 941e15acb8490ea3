"""Prose in lines of a width: breaks stand between words, never within code."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pitviper.views.terminal.style import cells_of

COLUMNS = 80
"""The width of a terminal that does not tell its own."""

NARROWEST = 40
"""In a narrower terminal lines are as long as here, and the terminal breaks them."""


_WORD = re.compile(r"(?:`[^`]*`|[^\s`])+")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def words_of(text: str) -> list[str]:
    """The words of a text; code in backquotes is one word, with all that touches it."""
    is_paired = text.count("`") % 2 == 0
    return (_WORD.findall(text) if is_paired else text.split()) or [""]


def paragraph(words: Iterable[str], columns: int, lead: int) -> list[str]:
    """Lines of the words, painted or not, all behind a lead of that width: a word too long has its
    own line."""
    room = max(columns, NARROWEST) - lead
    lines, used = list[str](), 0
    for word in words:
        width = cells_of(_ESCAPE.sub("", word))
        if lines and used + 1 + width <= room:
            lines[-1] += f" {word}"
            used += 1 + width
        else:
            lines.append(word)
            used = width
    return lines


DEEPER = 4
"""How far further lines of a sentence stand behind its first one."""


def folded(line: str, columns: int) -> list[str]:
    """The line as lines that fit, deeper from the second on; painted text stays painted."""
    bare = _ESCAPE.sub("", line)
    if cells_of(bare) <= max(columns, NARROWEST):
        return [line]
    lead = len(bare) - len(bare.lstrip())
    first, *rest = paragraph(words_of(line), columns, lead + DEEPER)
    return [" " * lead + first, *[" " * (lead + DEEPER) + each for each in rest]]
