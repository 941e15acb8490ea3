"""Parts of permissions: an instance that is held in part, and wildcards that do not add up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from pitviper.explain.advice.case import Case, conjuncts, substituted
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.writing import replaced
from pitviper.program import assertion as a
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants


def opened_in_part(case: Case) -> Iterator[Candidate]:
    """A part of an instance is asked for: the same part is opened and closed."""
    method, construct = case.member, case.construct
    if not isinstance(method, Method) or not isinstance(construct, s.Unfold | s.Fold):
        return
    own = text_of(construct.predicate)
    for clause in (*method.preconditions, *method.postconditions):
        for node in conjuncts(clause):
            if not isinstance(node, a.Access) or text_of(node.location) != own:
                continue
            part = node.span.text
            steps = [
                n
                for n in descendants(method)
                if isinstance(n, s.Unfold | s.Fold) and n.predicate.span.text == own
            ]
            if not part.startswith("acc(") or text_of(node.amount) == "write":
                continue
            written = " and ".join([f"`{_word(n)} {part}` in line {n.span.line}" for n in steps])
            yield Candidate(
                tuple([replaced(n.predicate, part) for n in steps]),
                f"only a part of `{own}` is held: open that part and close it again, {written}",
            )


def _word(step: s.Unfold | s.Fold) -> str:
    return "unfold" if isinstance(step, s.Unfold) else "fold"


def evened(case: Case, wanted: str) -> Iterator[Candidate]:
    """Parts that are exhaled and inhaled again, and are not as much together."""
    method = case.member
    assert isinstance(method, Method)
    held = [_part(text, wanted) for text in case.finding.held]
    known = [part for part in held if part is not None]
    if case.finding.error != "postcondition.violated" or len(known) != 1:
        return
    for node in reversed([n for n in descendants(method) if isinstance(n, s.Inhale)]):
        for access in [n for n in descendants(node) if isinstance(n, a.Access)]:
            own = _part(access.span.text, wanted)
            if own is None or text_of(access.location) != wanted:
                continue
            amount = own + 1 - known[0]
            text = f"{amount.numerator}/{amount.denominator}"
            yield Candidate(
                (replaced(access.amount, text),),
                f"{known[0]} of it is held at the end, and 1 was at the start: does line "
                f"{node.span.line} give back all that was exhaled? Write "
                f"`inhale acc({wanted}, {text})`",
            )


def _part(text: str, place: str) -> Fraction | None:
    """The fraction in `acc(x.f, 1/2)`."""
    found = re.fullmatch(rf"acc\({re.escape(place)}, (\d+)/(\d+)\)", text)
    return Fraction(int(found[1]), int(found[2])) if found and int(found[2]) else None


def fixed_part(case: Case, wanted: str) -> Iterator[Candidate]:
    """A callee takes a wildcard and gives back another: a fraction comes back as it went."""
    method = case.member
    assert isinstance(method, Method)
    for call in [n for n in descendants(method) if isinstance(n, s.MethodCall)]:
        if call.span.start > case.finding.span.start:
            continue
        callee = case.program.methods[call.method]
        both = (*callee.preconditions, *callee.postconditions)
        parts = [
            n
            for clause in both
            for n in descendants(clause)
            if isinstance(n, a.Access)
            and text_of(n.amount) == "wildcard"
            and text_of(substituted(n.location, callee.params, call.args)) == wanted
        ]
        if len(parts) < 2 or any(n.amount.span.text != "wildcard" for n in parts):
            continue
        lines = " and ".join([str(line) for line in dict.fromkeys(n.span.line for n in parts)])
        yield Candidate(
            tuple([replaced(n.amount, "1/2") for n in parts]),
            f"`{callee.name}` (line {call.span.line}) takes a `wildcard`, and gives back one that "
            f"may be less: write a fraction, `1/2` for `wildcard` in lines {lines}, which comes "
            "back as it went",
            within=False,
        )
