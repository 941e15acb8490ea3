"""Ranges of arrays: an invariant that holds less than the method has.

requires forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].val)
invariant forall i: Int :: 0 <= i && i < k ==> acc(s[i].val)    // i < |s|
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.writing import replaced
from pitviper.program import assertion as a
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants
from pitviper.results.wording import VIPER, wording_of


def whole_range(case: Case) -> Iterator[Candidate]:
    """An invariant that holds a part of an array, where the precondition has all of it."""
    method = case.member
    if not isinstance(method, Method) or wording_of(method.span) is not VIPER:
        return
    asked = [p for p in method.preconditions if isinstance(p, a.QuantifiedPermission)]
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        parts = [p for p in loop.invariants if isinstance(p, a.QuantifiedPermission)]
        for part in parts:
            for whole in asked:
                text, held = whole.span.text, part.span.text
                if _resource(whole) != _resource(part) or text == held:
                    continue
                yield Candidate(
                    (replaced(part, text),),
                    f"the invariant of line {part.span.line} holds a part of what the method has: "
                    f"write `invariant {text}` there, as line {whole.span.line} asks",
                    further=True,
                )


def _resource(held: a.QuantifiedPermission) -> str:
    """What is held for each, with the same name for the variable that tells them apart."""
    text = text_of(held.resource)
    for variable in held.variables:
        text = re.sub(rf"\b{re.escape(variable.name)}\b", "?", text)
    return text
