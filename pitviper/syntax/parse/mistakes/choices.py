"""Conditional expressions that lack a part: `c ? a`, `c ? : b`, `c then a else b`."""

from __future__ import annotations

from pitviper.syntax.parse.mistakes.look import Culprit, CulpritRule, Look, Rule
from pitviper.syntax.token import INT, NAME

_BEGINS = (
    ":=", "(", "{", "}", ";", "requires", "ensures", "invariant", "assert", "assume", "inhale",
    "exhale", "::", ",", "==>",
)  # fmt: skip
"""What a condition stands behind."""

_FORMULAS = ("requires", "ensures", "invariant", "assert", "assume", "inhale", "exhale")


def _start(look: Look, mark: int) -> int | None:
    """The first token of the condition in front of a token."""
    opened = look.enclosing(mark)
    for back in range(mark - 1, max(mark - 40, -1), -1):
        if back == opened:
            return back + 1
        if look.kind(back) in _BEGINS and look.enclosing(back) == opened:
            return back + 1
    return None


def _no_other(look: Look, at: int, expected: str) -> str | None:
    """`c ? a`, and `c ? a else b`."""
    mark = look.before(at, "?")
    start = None if mark is None else _start(look, mark)
    if expected != "`:`" or mark is None or start is None or look.line(start) != look.line(at - 1):
        return None
    condition, value = look.between(start, mark), look.between(mark + 1, at)
    if not value or len(condition) + len(value) > _LONG:
        return None
    joined = look.text(at) in ("else", ",", "|", ";", "otherwise") and look.line(at) == look.line(
        mark
    )
    other = look.formula(at + 1) if joined else ""
    if look.kind(start - 1) in _FORMULAS and not other:
        return f"where the condition is false, nothing is said: write `{condition} ==> {value}`"
    if other and len(other) <= _LONG:
        return f"write `:` between the two values: `{condition} ? {value} : {other}`"
    return f"say the other value as well: `{condition} ? {value} : ...`"


_LONG = 60
"""Characters that are repeated."""


def _no_first(look: Look, at: int, expected: str) -> str | None:
    """`c ? : b`."""
    mark = at - 1
    start = _start(look, mark) if look.kind(mark) == "?" else None
    if expected != "an expression" or look.kind(at) != ":" or start is None:
        return None
    condition, other = look.between(start, mark), look.formula(at + 1)
    if not condition or not other or len(condition) + len(other) > _LONG:
        return None
    return f"say the first value as well: `{condition} ? ... : {other}`"


def _exchanged(look: Look, at: int, expected: str) -> str | None:
    """`c : a ? b`."""
    mark = look.behind(at, "?", ";", "}")
    start = _start(look, at)
    if expected != "a statement" or look.kind(at) != ":" or start is None or mark is None:
        return None
    if look.kind(mark) != "?" or look.line(mark) != look.line(at) or look.begins_line(start):
        return None
    values = look.between(at + 1, mark), look.formula(mark + 1)
    written = f"{look.between(start, at)} ? {values[0]} : {values[1]}"
    return f"`?` stands before the first value, `:` of the other: `{written}`"


def chosen_by_words(look: Look, then: int) -> str | None:
    """`c then a else b`, with or without `if` in front."""
    otherwise, start = look.behind(then, "else"), _start(look, then)
    if otherwise is None or start is None or look.line(otherwise) != look.line(then):
        return None
    if look.kind(then + 1) == "{" or look.kind(start) == "if":
        return None
    values = look.between(then + 1, otherwise), look.formula(otherwise + 1)
    return f"write `{look.between(start, then)} ? {values[0]} : {values[1]}`"


def _behind_value(look: Look, at: int, _: str) -> Culprit | None:
    """`a if c else b`, which goes wrong at the `if`, at the condition, or behind it."""
    places = range(at, max(look.first_of_line(at), at - _SPAN), -1)
    word = next((i for i in places if look.kind(i) == "if"), None)
    if word is None or look.kind(word - 1) not in _ENDS or look.line(word) != look.line(word - 1):
        return None
    otherwise, brace = look.behind(word, "else"), look.behind(word, "{", ";", "}")
    start = _start(look, word)
    if otherwise is None or start is None or (brace is not None and brace < otherwise):
        return None
    other = look.rest_of_formula(otherwise + 1)
    value, condition = look.between(start, word), look.between(word + 1, otherwise)
    if not value or not other or "\n" in value + condition:
        return None
    if look.kind(word + 1) == "(" and look.closing(word + 1) == otherwise - 1:
        condition = look.between(word + 2, otherwise - 1)
    end, last = look.tokens.starts[otherwise + 1] + len(other), otherwise + 1
    while look.kind(last + 1) not in ("", "end") and look.tokens.starts[last + 1] < end:
        last += 1
    told = f"write `{condition} ? {value} : {other}`"
    return Culprit(start, last, "there is no `... if ... else ...`", told)


_SPAN = 30
"""Tokens between the parts of a choice."""

_ENDS = (NAME, INT, ")", "]", "|", "true", "false", "null", "result", "none", "write")
"""What a value ends with."""

CULPRITS: tuple[CulpritRule, ...] = (_behind_value,)
RULES: tuple[Rule, ...] = (_no_other, _no_first, _exchanged)
"""In the order in which they are asked."""
