"""The intermediate language: single-assignment commands in an acyclic graph of blocks.

A procedure holds if every `Assert` holds on every way from its entry. Constants get their meaning
from `Assign` and `Assume` only, so there is nothing to update: loops were cut and variables renamed
by whoever built the procedure.

NOTE(guards). Every command has a `guard` on top of its block's reach condition: conditions of
expressions, such as the left-hand side of an implication, make no blocks of their own.

NOTE(sides). What is assumed on a `Side` never reaches the commands after it. It stands for a
non-deterministic branch that ends in `stop`.

NOTE(failed goals). After an `Assert` its goal is assumed, failed or not: the consequences of one
mistake are not reported again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.results.finding import Condition, Event, Finding
from pitviper.source.span import Span
from pitviper.terms.term import TRUE, App, Term


@record
class Assume:
    """A fact from here on, if the guard holds; `origin` says where it comes from, for readers."""

    fact: Term
    guard: Term = TRUE
    origin: str = ""


@record
class Assert:
    """A goal to be proved here, if the guard holds.

    A universal goal is given for arbitrary `constants` that occur nowhere else; then `kept` is what
    is known afterwards (`TRUE`: nothing). Otherwise it is None, and the goal itself is. `hints` say
    of terms that they occur, and nothing else: see NOTE(hints) in `prover.py`. `granted` is known
    afterwards if the goal was not proved: NOTE(failed goals).
    """

    goal: Term
    obligation: Obligation
    guard: Term = TRUE
    constants: tuple[App, ...] = ()
    kept: Term | None = None
    hints: Callable[[], Sequence[Term]] | None = None
    granted: Term = TRUE

    @property
    def afterwards(self) -> Term:
        return self.goal if self.kept is None else self.kept


@record
class Assign:
    """Gives a new constant its only value, whatever the guards."""

    variable: App
    term: Term


@record
class Havoc:
    """Introduces a constant of which nothing is known."""

    variable: App


@record
class Lazy:
    """Facts that are true here but withheld until something cannot be proved without them."""

    build: Callable[[], Sequence[Term]]
    guard: Term = TRUE
    origin: str = ""


@record
class Side:
    """Checks that are made under the guard on a graph of their own, which starts here and ends.

    `granted` says what is known behind it of a goal that was not proved there: NOTE(failed goals).
    """

    blocks: tuple[Block, ...]
    guard: Term = TRUE
    origin: str = ""
    granted: Callable[[Term], Term] | None = None


Command: TypeAlias = Assume | Assert | Assign | Havoc | Lazy | Side


@record
class Edge:
    """A way into a block: from the end of `source`, if the condition holds there.

    `decision` is the user's condition behind it, for the trace of a failure.
    """

    source: str
    condition: Term = TRUE
    decision: Condition | None = None


@record
class Block:
    """Straight-line commands. The first block of a graph has no edges and is always entered."""

    label: str
    edges: tuple[Edge, ...]
    commands: tuple[Command, ...]


@record
class Procedure:
    """The blocks stand in topological order: edges come from earlier ones.

    `axioms` hold in this procedure only: what a function defines is known above its own proof.
    """

    name: str
    blocks: tuple[Block, ...]
    axioms: tuple[Term, ...] = ()


@record
class Program:
    """Axioms are closed and hold for all procedures; sorts and functions are those that occur."""

    axioms: tuple[Term, ...]
    procedures: tuple[Procedure, ...]


Key: TypeAlias = tuple[str, str, Span, Span | None, tuple[str, ...]]


class Kind(Enum):
    """What it means that a goal is not proved."""

    FINDING = "a failed obligation; undecided if the solver gave up"
    HOPED = "what the user hopes for: giving up is a failure, too"
    WARNING = "nothing, but a proof is worth a warning"
    END = "nothing, but a proof is worth a warning, unless a condition excludes that place"

    @property
    def warns(self) -> bool:
        """Whether a proof says more than a failure."""
        return self is Kind.WARNING or self is Kind.END


@record
class Obligation:
    """All that a finding needs; the message is made only if there is one.

    `explain` tells what became of a missing permission and what is held instead.
    """

    error: str
    reason: str
    span: Span
    message: Callable[[], str]
    offending: Span | None = None
    origin: tuple[str, ...] = ()
    kind: Kind = Kind.FINDING
    explain: Callable[[], tuple[tuple[Event, ...], tuple[str, ...]]] | None = None

    @property
    def key(self) -> Key:
        """Failures with the same key are one."""
        return self.error, self.reason, self.span, self.offending, self.origin

    def failed(self, member: str, conditions: tuple[Condition, ...]) -> Finding:
        history, held = self.explain() if self.explain is not None else ((), ())
        return Finding(
            self.error,
            self.reason,
            self.span,
            member,
            self.message(),
            self.offending,
            self.origin,
            conditions,
            history=history,
            held=held,
        )
