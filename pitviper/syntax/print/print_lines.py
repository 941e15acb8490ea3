"""Collects the lines of printed text: indents each, and breaks the ones that are too long."""

from __future__ import annotations

from pathlib import Path

from pitviper.source.file import SourceFile
from pitviper.syntax.format.items import STEP, WIDTH, Before, Items, Mark, Start
from pitviper.syntax.format.layout import lay_out
from pitviper.syntax.format.spacing import find_choices
from pitviper.syntax.parse.lexer import lex

_BRACKETS = {"(": Mark.OPEN, "[": Mark.OPEN, ")": Mark.CLOSE, "]": Mark.CLOSE}


class Lines:
    """Printed lines; `depth` counts levels of indentation."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def __str__(self) -> str:
        return "\n".join(self._lines)

    def unit(self, depth: int, text: str) -> None:
        """A statement or declaration, or its first line up to and including a `{`."""
        self._add(depth, text, Start.UNIT)

    def clause(self, depth: int, text: str) -> None:
        """A part of a declaration or statement at `depth`, on a line of its own."""
        self._add(depth, text, Start.CLAUSE)

    def body(self, depth: int, text: str) -> None:
        """An expression between braces that stand on other lines."""
        self._add(depth, text, Start.NOTHING)

    def empty(self) -> None:
        self._lines.append("")

    def _add(self, depth: int, text: str, start: Start) -> None:
        indent = STEP * (depth + (start is Start.CLAUSE))
        if indent + len(text) > WIDTH:
            self._lines.append(lay_out(_items(text, start), STEP * depth))
        else:
            self._lines.append(" " * indent + text)


def _items(text: str, start: Start) -> Items:
    """The tokens of one line of printed text, with its blanks."""
    tokens, _ = lex(SourceFile(Path("<printed>"), text))
    choices = find_choices(tokens.kinds)
    items = Items()
    for at in range(len(tokens.kinds) - 1):
        mark = _BRACKETS.get(tokens.kinds[at], Mark.PLAIN)
        if at in choices:
            mark = Mark.CHOICE
        glued = at > 0 and tokens.starts[at] == tokens.ends[at - 1]
        before = Before.NOTHING if glued else Before.BLANK
        items.add(tokens.text(at), mark, before, start if at == 0 else Start.NOTHING)
    _mark_braces(items)
    return items


def _mark_braces(items: Items) -> None:
    """Braces in the middle are those of triggers; at the ends they belong to blocks."""
    for at, text in enumerate(items.texts):
        if text == "{":
            block = at == len(items.texts) - 1
            items.marks[at] = Mark.BLOCK_OPEN if block else Mark.OPEN
        elif text == "}":
            items.marks[at] = Mark.CLOSE if at else Mark.BLOCK_CLOSE
