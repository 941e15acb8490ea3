"""Lays out a file of the object language: tokens and comments stay, lines are indented regularly.

- Lines stay as they are broken; at most one empty line in a row, none at the start.
- Two blanks of indentation for each brace; clauses of contracts and what goes on from the line
  before stand two blanks further in.
- One blank around operators that compare, assign and connect, and behind commas.
"""

from __future__ import annotations

from itertools import pairwise

from pitviper.languages.cool.lexer import END, Token, lex
from pitviper.languages.cool.parser import parse
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile

INDENT = "  "

_CLAUSES = frozenset(["requires", "ensures", "decreases", "invariant"])
_SPACED = frozenset(":= == != && || ==> <==> <= >= :: :|".split())
_TIGHT_AFTER = frozenset(["(", "[", ".", "!"])
_TIGHT_BEFORE = frozenset([")", "]", ".", ",", ";"])


def format_cool(source: SourceFile) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text of a file in regular form, or what is wrong with it."""
    parsed = parse(source)
    if any(d.severity is Severity.ERROR for d in parsed.diagnostics):
        return None, parsed.diagnostics
    text = _laid_out(source, [*parsed.tokens, *parsed.comments])
    before = [t.text for t in parsed.tokens]
    after = [t.text for t in lex(SourceFile(source.path, text))[0]]
    if before != after:
        raise ValueError(f"formatting {source.name} changes the program")
    return text, parsed.diagnostics


def _laid_out(source: SourceFile, pieces: list[Token]) -> str:
    ordered = sorted([t for t in pieces if t.kind != END], key=lambda token: token.start)
    lines: list[str] = []
    margin = _Margin()
    for line in _lines(source.text, ordered):
        if line:
            lines.append(margin.of(line) + _joined(line))
        elif lines and lines[-1]:
            lines.append("")
    return "\n".join(lines).strip("\n") + "\n" if ordered else ""


def _lines(text: str, tokens: list[Token]) -> list[list[Token]]:
    """The tokens of each line that has some, with empty lists for empty lines."""
    found: list[list[Token]] = []
    last = 0
    for token in tokens:
        breaks = text.count("\n", last, token.start)
        if not found or breaks:
            found += [[] for _ in range(breaks - 1)]
            found.append([])
        found[-1].append(token)
        last = token.end
    return found


class _Margin:
    """How far in a line stands, from what stands before it."""

    def __init__(self) -> None:
        self._depth = 0
        self._inside = 0
        self._is_open = False
        self._in_clauses = False

    def of(self, line: list[Token]) -> str:
        first = line[0]
        depth = self._depth - (1 if first.kind == "}" else 0)
        if _is_comment(first):
            further = 0
        elif first.kind in _CLAUSES:
            further, self._in_clauses = 1, True
        elif first.kind in ("{", "}"):
            further = 0
        elif self._is_open:
            further = 2 if self._in_clauses else 1
        else:
            further, self._in_clauses = 0, False
        self._pass(line)
        return INDENT * (depth + further)

    def _pass(self, line: list[Token]) -> None:
        for token in line:
            if _is_comment(token):
                continue
            match token.kind:
                case "{":
                    self._depth += 1
                    self._in_clauses = False
                case "}":
                    self._depth -= 1
                    self._in_clauses = False
                case "(" | "[":
                    self._inside += 1
                case ")" | "]":
                    self._inside -= 1
            self._is_open = self._inside > 0 or token.kind not in (";", "{", "}")


def _is_comment(token: Token) -> bool:
    return token.text.startswith(("//", "/*"))


def _joined(line: list[Token]) -> str:
    out = line[0].text
    for before, token in pairwise(line):
        had_blank = before.end < token.start
        out += (" " if _has_blank(before, token, had_blank=had_blank) else "") + token.text
    return out


def _has_blank(before: Token, token: Token, *, had_blank: bool) -> bool:
    if _is_comment(token) or _is_comment(before):
        return True
    if before.kind in _SPACED or token.kind in _SPACED:
        return True
    if token.kind in _TIGHT_BEFORE or before.kind in _TIGHT_AFTER:
        return False
    if before.kind in (",", ";", "{") or token.kind in ("{", "}"):
        return True
    return had_blank
