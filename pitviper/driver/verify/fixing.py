"""Writes inferred ghost statements into the text of a program.

A statement is inserted only where it is needed on every path, in a file of its own language, and
the caller verifies the result: nothing is believed because it was inserted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from pitviper.base.record import record
from pitviper.languages.registry import language_of
from pitviper.results.ghost import GhostStep, Position
from pitviper.source.edit import step_of
from pitviper.source.span import SourceFile, Span
from pitviper.syntax import tree
from pitviper.syntax.parse.parser import parse_file
from pitviper.syntax.walk import descendants


@record
class Fixed:
    """The text with statements, and the steps that were left out, each with the reason."""

    text: str
    written: tuple[GhostStep, ...]
    left_out: tuple[tuple[GhostStep, str], ...]


def fixed(file: SourceFile, steps: Iterable[GhostStep]) -> Fixed:
    """Returns the text of a file with the inferred statements in their places."""
    written, left_out = list[GhostStep](), list[tuple[GhostStep, str]]()
    for step in dict.fromkeys(steps):
        reason = _reason_against(file, step)
        if reason is None:
            written.append(step)
        else:
            left_out.append((step, reason))
    around = [step for step in written if step.position is Position.AROUND]
    statements = [step for step in written if step.position is not Position.AROUND]
    places = sorted(
        statements, key=_offset
    )  # steps of one place stay in the order they were found in
    added = [_insertion(file.text, at, list(found)) for at, found in groupby(places, key=_offset)]
    added += [found for step in around for found in _around(file.text, step)]
    text = file.text
    for at, found in groupby(sorted(added, key=_place, reverse=True), key=_place):
        text = text[:at] + "".join([new for _, new in found]) + text[at:]
    return Fixed(text, tuple(written), tuple(left_out))


_RETURNED = re.compile(r"\breturn\b[^;{}]*;\s*}$")
"""A body of the object language whose last statement leaves it: nothing can stand behind."""


def _reason_against(file: SourceFile, step: GhostStep) -> str | None:
    if step.span.file.path != file.path:
        return f"it belongs into {step.span.file.path}"
    if any(macro.start <= step.span.start < macro.end for macro in _macros(file)):
        return "a macro stands there, which others may use"
    if step.position is Position.AROUND:
        written = step.span.text
        if written.count("(") != written.count(")") or _closes_first(written):
            return "a parenthesis stands in the way: write it by hand"
        return None
    if step.sometimes:
        return "only some of the paths there need it"
    if step.position is Position.ELSEIF:
        return "an `elseif` has no place for it: write `else { ... if ... }`"
    if step.position is not Position.BEFORE and file.text[step.span.end - 1] != "}":
        return "there is no closing brace"
    if step.position is not Position.BEFORE and _RETURNED.search(step.span.text):
        return "a `return` stands at the end: keep its value in a variable, and return that behind"
    return None


def _closes_first(text: str) -> bool:
    """Whether a parenthesis is closed that was opened in front of the text."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return True
    return False


def _macros(file: SourceFile) -> list[Span]:
    """The places of all macros that a file defines."""
    members = parse_file(file).tree.members
    nodes = [node for member in members for node in (member, *descendants(member))]
    return [node.span for node in nodes if isinstance(node, tree.Define)]


def _offset(step: GhostStep) -> int:
    """Of the statement that it goes before, or of the closing brace."""
    return step.span.start if step.position is Position.BEFORE else step.span.end - 1


def _place(insertion: tuple[int, str]) -> int:
    return insertion[0]


def _insertion(text: str, offset: int, steps: list[GhostStep]) -> tuple[int, str]:
    """Statements in lines of their own, if the place begins a line; else in front, with `;`.

    Returned are the place and what is put in there.
    """
    statements = [step.written for step in steps]
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if line.strip():
        gap = "" if line.endswith((" ", "\t", "{")) else " "
        end = " " if steps[0].position is not Position.BEFORE else ""
        return offset, f"{gap}{'; '.join(statements)};{end or ' '}"
    inner = line if steps[0].position is Position.BEFORE else f"{line}{step_of(text)}"
    end = "" if language_of(steps[0].span.file.path) is None else ";"
    lines = "".join(f"{inner}{statement}{end}\n" for statement in statements)
    return offset - len(line), lines


def _around(text: str, step: GhostStep) -> list[tuple[int, str]]:
    """What stands in front of an expression and behind it; in parentheses, unless it is so."""
    start, end = step.span.start, step.span.end
    before, behind = text[:start].rstrip(), text[end:].lstrip()
    is_whole = before.endswith("(") and behind.startswith(")")
    if is_whole or (before.endswith("return") and behind.startswith(";")):
        return [(start, f"{step.written} in ")]
    return [(start, f"({step.written} in "), (end, ")")]
