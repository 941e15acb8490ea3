"""The variables of an instance under the names that the program has for them.

Macros bring along variables of their own; the typed program numbers them (`tmp$0`), and those of
blocks beside each other. A reader knows none of these numbers, and no variable of a macro whose
text the state is not in.
"""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.base.written import without_number
from pitviper.counterexample.question import Question
from pitviper.engines.shared.members import Member
from pitviper.program.member import Method
from pitviper.program.stmt import Declare
from pitviper.program.walk import descendants
from pitviper.results.counterexample import Counterexample, Moment
from pitviper.source.span import Span


def named_as_written(found: Counterexample, question: Question) -> Counterexample:
    """Returns an instance without numbers that only keep names apart, where that is clear."""
    member = question.sought.member
    hidden = _out_of_sight(member, question.span)
    seen = [v for v in found.variables if v.name not in hidden]
    names = _shorter([v.name for v in seen], member)
    focus = found.focus
    return replace(
        found,
        variables=tuple([replace(v, name=names.get(v.name, v.name)) for v in seen]),
        focus=replace(
            focus, variables=tuple([names.get(n, n) for n in focus.variables if n not in hidden])
        ),
        trail=tuple([_moment(moment, member) for moment in found.trail]),
    )


def _out_of_sight(member: Member, at: Span) -> set[str]:
    """Variables of macros that the text at a place cannot mean: of equal ones the last is meant."""
    by_place: dict[Span, list[str]] = {}
    if isinstance(member, Method) and member.body is not None:
        for node in descendants(member.body):
            if isinstance(node, Declare) and not member.span.encloses(node.span):
                by_place.setdefault(node.span, []).append(node.variable.name)
    inside = member.span.encloses(at)
    return {name for names in by_place.values() for name in (names if inside else names[:-1])}


def _moment(moment: Moment, member: Member) -> Moment:
    names = _shorter([name for name, _ in moment.values], member)
    return Moment(moment.span, tuple([(names.get(n, n), text) for n, text in moment.values]))


def _shorter(names: list[str], member: Member) -> dict[str, str]:
    """Names without their numbers, where nothing else is called so, and nobody wrote the number."""
    written = member.span.file.text
    found = {name: without_number(name) for name in names if name not in written}
    shown = [found.get(name, name) for name in names]
    return {name: short for name, short in found.items() if shown.count(short) == 1}
