"""Writes inferred ghost statements into the text of a program.

A statement is inserted only where it is needed on every path, in a file of its own language, and
the caller verifies the result: nothing is believed because it was inserted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
class Added:
    """A text that is put into a place, over so many signs of what stands there."""

    at: int
    text: str
    over: int = 0


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
    places = sorted(statements, key=_turn)  # those of one turn stay as they were found
    added = [
        each
        for (at, _), found in groupby(places, key=_turn)
        for each in _insertions(file, at, list(found))
    ]
    added += [Added(at, new) for step in around for at, new in _around(file.text, step)]
    text = file.text
    for at, found in groupby(sorted(added, key=_place, reverse=True), key=_place):
        new = list(found)
        text = text[:at] + "".join([e.text for e in new]) + text[at + sum(e.over for e in new) :]
    return Fixed(text, tuple(written), tuple(left_out))


_RETURN = re.compile(r"\breturn\b\s*([^;{}]*);")
_CONSTANT = re.compile(r"-?\d+|true|false|null")
_RETURNED = re.compile(r"\breturn\b\s*([^;{}]*);\s*}$")
"""A body of the object language whose last statement leaves it: nothing can stand behind."""


def _is_kept(value: str, body: str) -> bool:
    """Whether what is returned is the same in front and behind: a number, a variable of it."""
    if not value or _CONSTANT.fullmatch(value):
        return True
    return value.isidentifier() and (bool(re.search(rf"[\w\]>]\s+{value}\s*(:=|:\||;)", body)))


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
    left = None if step.position is Position.BEFORE else _RETURNED.search(step.span.text)
    if left is not None and _kept_as(file, step, left) is None:
        return (
            "a `return` stands at the end: keep its value in a variable, and return that afterwards"
        )
    return None


def _kept_as(file: SourceFile, step: GhostStep, left: re.Match[str]) -> str | None:
    """How the value of a `return` at the end is kept: `int value`, "" if it is a variable already.

    None where that is not known.
    """
    if _is_kept(left[1].strip(), step.span.text[: left.start()]):
        return ""
    language = language_of(file.path)
    type_ = None
    if language is not None and language.result_at is not None:
        type_ = language.result_at(file, step.span.start)
    names = set(re.findall(r"\w+", file.text))
    name = next((word for word in ("value", "found", "kept") if word not in names), None)
    return None if type_ is None or name is None else f"{type_} {name}"


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
    """Of the statement that it goes before, or of the closing brace, or of a `return` there."""
    file, start = step.span.file, step.span.start
    if step.position is not Position.BEFORE:
        left = _RETURNED.search(step.span.text)
        return step.span.end - 1 if left is None else start + left.start()
    language = language_of(file.path)
    if language is None or language.statement_at is None:
        return start
    return language.statement_at(file, start)


def _turn(step: GhostStep) -> tuple[int, bool]:
    """What goes before a statement is before what ends the body in front of it, a `return`."""
    return _offset(step), step.position is not Position.BEFORE


def _place(insertion: Added) -> int:
    return insertion.at


def _insertions(file: SourceFile, offset: int, steps: list[GhostStep]) -> Iterator[Added]:
    """Statements at one place; those of the end stand in front of each `return` of the body, too.

    What is returned is kept before.
    """
    last = steps[0]
    returns = [] if last.position is Position.BEFORE else [*_RETURN.finditer(last.span.text)]
    if not any(last.span.start + left.start() == offset for left in returns):
        yield Added(*_insertion(file.text, offset, steps))
    for left in returns:
        yield from _returned(file, left, steps)


def _returned(file: SourceFile, left: re.Match[str], steps: list[GhostStep]) -> Iterator[Added]:
    """What ends a body, in front of a `return`."""
    start = steps[0].span.start + left.start()
    kept = _kept_as(file, steps[0], left)
    if not kept:
        yield Added(*_insertion(file.text, start, steps))
        return
    behind = steps[0].span.start + left.end()
    line = file.text[file.text.rfind("\n", 0, start) + 1 : start]
    gap = " " if line.strip() else f"\n{line}"
    statements = [step.written for step in steps] + [f"return {kept.split()[-1]}"]
    yield Added(start, f"{kept} :=", len("return"))
    yield Added(behind, "".join(f"{gap}{statement};" for statement in statements))


def _insertion(text: str, offset: int, steps: list[GhostStep]) -> tuple[int, str]:
    """Statements in lines of their own, if the place begins a line; else in front, with `;`.

    Returned are the place and what is put in there.
    """
    statements = [step.written for step in steps]
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if line.strip():
        gap = "" if line.endswith((" ", "\t", "{")) else " "
        return offset, f"{gap}{'; '.join(statements)}; "
    inner = line if text[offset] != "}" else f"{line}{step_of(text)}"
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
