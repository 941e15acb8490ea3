"""How a run can end."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import record
from pitviper.engines.shared.failures import failure_text
from pitviper.engines.shared.values import Value
from pitviper.program.node import Node
from pitviper.program.stmt import Statement
from pitviper.results.finding import Finding
from pitviper.source.span import NO_SPAN, Span


@record
class Passed:
    """The run came to its end and everything that it had to check held.

    `unchecked` names what one run cannot judge and has passed over: `refute` statements, and
    `decreases` clauses (a run that ends did terminate, but no measure was evaluated).
    """

    unchecked: tuple[str, ...] = ()


@record
class Failed:
    """A check failed: a sound verifier must not accept the program.

    This holds if the declarations named by `assuming` have a model: domains with axioms, abstract
    functions with postconditions, recursive functions. If they contradict themselves, they imply
    everything, and a verifier that accepts the program is right.
    """

    finding: Finding
    assuming: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.finding.id


@record
class Infeasible:
    """An assumption was false, so the run says nothing about the program."""

    assumption: str
    span: Span


@record
class NeedsChoice:
    """The tape was over when the run had to decide on `what`."""

    what: str


@record
class OutOfSteps:
    """The budget of steps, or of nested applications of functions, was used up."""

    steps: int


@record
class CannotRun:
    """Something has no value that can be computed."""

    reason: str
    span: Span


Outcome: TypeAlias = Passed | Failed | Infeasible | NeedsChoice | OutOfSteps | CannotRun


@record
class Choice:
    """One decision: the number that was read from the tape and what it came to."""

    number: int
    what: str
    value: Value


@record
class RunResult:
    """`arguments` are the values of the member's parameters as far as the run needed them."""

    outcome: Outcome
    choices: tuple[Choice, ...]
    steps: int
    arguments: tuple[tuple[str, Value], ...]


class Stop(Exception):
    """Ends a run from any depth; caught where the run was started.

    The interpreter follows a single path, so an end in the middle of an expression is the end of
    everything. Only a trial (`Run.attempt`) goes on behind it.
    """

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


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
        message = failure_text((self.error, self.parts), (reason, parts), self.span)
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
