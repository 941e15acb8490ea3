"""What a run is checking: the first half of a finding."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import record
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.stmt import Statement
from pitviper.results.finding import Finding
from pitviper.results.wording import error_text, reason_text
from pitviper.source.span import NO_SPAN, Span

ORIGIN = "pitviper.origin"
"""The annotation of generated statements whose values a finding carries."""

Part: TypeAlias = str | Node
"""What fills a gap in a message; a node is turned into text only if the message is needed."""


@record
class Obligation:
    """`parts` fill the error's text; `origin` is there for generated statements."""

    error: str
    span: Span
    member: str
    parts: tuple[Part, ...] = ()
    origin: tuple[str, ...] = ()

    def finding(self, reason: str, offending: Node, parts: tuple[Part, ...]) -> Finding:
        error = error_text(self.error, *_texts(self.parts))
        message = f"{error} {reason_text(reason, *_texts(parts))}"
        return Finding(
            self.error, reason, self.span, self.member, message, offending.span, self.origin
        )


NO_OBLIGATION = Obligation("internal", NO_SPAN, "")


def about_statement(error: str, statement: Statement, member: str, *parts: Part) -> Obligation:
    """An obligation at a statement."""
    return Obligation(error, statement.span, member, parts, origin_of(statement))


def origin_of(statement: Statement) -> tuple[str, ...]:
    for annotation in statement.annotations:
        if annotation.key == ORIGIN:
            return annotation.values
    return ()


def _texts(parts: tuple[Part, ...]) -> list[str]:
    return [part if isinstance(part, str) else text_of(part) for part in parts]
