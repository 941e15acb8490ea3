"""The five instructions of the program model."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.engines.explore.model.term import Local, Term
from pitviper.source.span import NO_SPAN, Span


@record
class Blame:
    """What a violated assertion means: the two halves of its code, where, and in which member."""

    error: str
    reason: str
    member: str
    message: str
    span: Span
    offending: Span


@record
class Assign:
    """Evaluates a term and stores its value."""

    target: Local
    value: Term
    span: Span = NO_SPAN


@record
class Branch:
    """Jumps to the instruction with the number `target` if the condition holds."""

    condition: Term
    target: int
    span: Span = NO_SPAN


@record
class Call:
    """Calls a method of the model, or a native one of the runtime."""

    method: str
    args: tuple[Term, ...]
    targets: tuple[Local, ...]
    span: Span = NO_SPAN
    native: bool = False


class ConstraintKind(Enum):
    ASSERT = "assert"
    ASSUME = "assume"


@record
class Constraint:
    """Asserts or assumes a condition; an assertion knows what its failure means."""

    kind: ConstraintKind
    condition: Term
    blame: Blame | None = None
    span: Span = NO_SPAN


@record
class Return:
    """Leaves the method with the values of its result variables."""

    span: Span = NO_SPAN


Instruction: TypeAlias = Assign | Branch | Call | Constraint | Return
