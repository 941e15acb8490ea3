"""What is said of a permission that is negated, or that is part of a condition."""

from __future__ import annotations

import re

from pitviper.source.span import Span
from pitviper.syntax import tree

_CONTRACT = ("requires", "ensures", "invariant")
_END = re.compile(r"\s*(?:$|[;{}]|(?:requires|ensures|invariant|decreases|method|function)\b)")

_SHORT = 70
"""Characters of a text that is repeated in advice."""


def about_negation(span: Span, place: str) -> str:
    """About `!acc(x.f)`: contracts ask for no such thing, and bodies ask for the amount."""
    text = span.file.text
    start = text.rfind("!", 0, span.start)
    words = list(re.finditer(r"\b[a-z]+\b|[{}]", text[:start]))
    clause = next((w for w in reversed(words) if w[0] in _ENDS), None)
    none = f"perm({place}) == none"
    if clause is None or clause[0] not in _CONTRACT:
        alone = clause is not None and not text[clause.end() : start].strip()
        whole = f"{clause[0]} {none}" if alone and clause is not None else none
        return f"a permission cannot be negated: that none is held is written `{whole}`"
    lead = "a permission cannot be negated: what no clause asks for is not there, so delete"
    if not text[clause.end() : start].strip() and _END.match(text, span.end):
        return f"{lead} `{' '.join(text[clause.start() : span.end].split())}`"
    if text[:start].rstrip().endswith("&&"):
        return f"{lead} `&& {text[start : span.end]}`"
    if text[span.end :].lstrip().startswith("&&"):
        return f"{lead} `{text[start : span.end]} &&`"
    return f"{lead} `{text[start : span.end]}`"


def _about_premise(left: tree.Expr, whole: Span) -> str | None:
    """About `acc(x.f) ==> d`."""
    right = whole.file.text[left.span.end : whole.end].strip().removeprefix("==>")
    both = " ".join(f"{left.span.text} && {right}".split())
    if len(both) > _SHORT:
        return None
    return (
        f"a permission cannot be a premise: write `{both}` if it is always there, else let a "
        f"Boolean say when it is, `b ==> {' '.join(left.span.text.split())}`"
    )


_ENDS = (*_CONTRACT, "assert", "assume", "inhale", "exhale", "{", "}")


def about_guard(left: tree.Expr, whole: Span, sign: str) -> str | None:
    """About `acc(x.f) && c ==> d`, of which only `c` is meant as the condition."""
    if left.span.file is not whole.file or left.span.start != whole.start:
        return None
    last = left.operands[-1] if isinstance(left, tree.And) else left
    if isinstance(last, tree.Acc | tree.Call):
        return _about_premise(left, whole) if sign == "==>" else None
    text, start = whole.file.text, last.span.start
    while text[start : whole.end].count("(") < text[start : whole.end].count(")"):
        start = text.rfind("(", whole.start, start)
        if start < 0:
            return None
    part = " ".join(text[start : whole.end].split())
    part = f"({part})" if len(part) <= _SHORT else f"({last.span.text} {sign} ...)"
    return (
        f"`{sign}` binds less than `&&`, so that all of this is its condition: put parentheses "
        f"around the part that is meant, `{part}`"
    )
