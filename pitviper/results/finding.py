"""A failed obligation: plain data that every view shows and every plugin may translate."""

from __future__ import annotations

import re

from pitviper.base.record import record
from pitviper.source.edit import Cure
from pitviper.source.span import Span


@record
class Condition:
    """A decision on the failing path: `text` is a Viper expression, `taken` whether it held.

    `used` is the place where the path met the condition, if that is not the place where it stands:
    the condition may belong to a predicate that is unfolded there, or to a contract.
    """

    text: str
    span: Span
    taken: bool
    used: Span | None = None

    @property
    def holds(self) -> str:
        """What holds on the path, as a Viper expression."""
        return self.text if self.taken else negated(self.text)


_COMPARISON = re.compile(r"([^&|=!<>?:\"]+) (==|!=|<=|>=|<|>) ([^&|=!<>?:\"]+)")
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_NAME = re.compile(r"!?[A-Za-z_$][A-Za-z0-9_$.]*")


def negated(text: str) -> str:
    """The negation of an expression, as people would write it: of `x != null`, `x == null`."""
    comparison = _COMPARISON.fullmatch(text)
    if comparison is not None:
        left, sign, right = comparison.groups()
        return f"{left} {_OPPOSITE[sign]} {right}"
    if _NAME.fullmatch(text):
        return text[1:] if text.startswith("!") else f"!{text}"
    return f"!({text})"


@record
class Event:
    """Something that happened on the failing path: what, and where."""

    text: str
    span: Span


@record
class Finding:
    """`error` and `reason` are the two halves of a Viper id such as assert.failed:assertion.false.

    `span` is the place of the error's node (the one tests compare), `offending` that of the reason
    (the failing conjunct, the missing location). `origin` is empty unless a plugin generated the
    failing statement: then it holds the values of the statement's `pitviper.origin` annotation.

    `conditions` are the decisions on the first path that fails, and `other_paths` the number of
    paths with other decisions that fail alike. Where permission is missing, `history` tells what
    became of it, and `held` which locations of the same field or predicate are held instead.
    `containing` are held instances of predicates with the missing location inside; None where
    nobody knows. `notes` and `advice` are what the program tells about cause and cure, see
    `explain/advice`, and `cures` are those parts of the advice that an editor can write. Advice
    that is `general` fits every mistake of its kind, and `cause` is what it knows of this one.
    """

    error: str
    reason: str
    span: Span
    member: str
    message: str
    offending: Span | None = None
    origin: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    other_paths: int = 0
    history: tuple[Event, ...] = ()
    held: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    advice: str | None = None
    containing: tuple[str, ...] | None = None
    cures: tuple[Cure, ...] = ()
    general: bool = False
    cause: str | None = None

    @property
    def id(self) -> str:
        """The id, in words of the language that the place belongs to."""
        from pitviper.results.wording import shown_error

        return f"{shown_error(self.error, self.span)}:{self.reason}"
