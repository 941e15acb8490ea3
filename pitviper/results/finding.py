"""A failed obligation: plain data that every view shows and every plugin may translate."""

from __future__ import annotations

from dataclasses import dataclass

from pitviper.source.span import Span


@dataclass(frozen=True, slots=True)
class Finding:
    """`error` and `reason` are the two halves of a Viper id such as assert.failed:assertion.false.

    `span` is the place of the error's node (the one tests compare), `offending` that of the reason
    (the failing conjunct, the missing location). `origin` is empty unless a plugin generated the
    failing statement: then it holds the values of the statement's `pitviper.origin` annotation.
    """

    error: str
    reason: str
    span: Span
    member: str
    message: str
    offending: Span | None = None
    origin: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.error}:{self.reason}"
