"""A failed proof obligation, as any engine can give it: facts, a goal, words for both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pitviper.base.record import field, record
from pitviper.program.assertion import Assertion
from pitviper.results.debugging import ErrorView, GoalView, HeldView, Problem, StateDescription
from pitviper.results.finding import Event
from pitviper.solver.session import Path, Solver
from pitviper.source.span import Span
from pitviper.terms.term import Term


@record
class Assumption:
    """A fact with its words, or a group of such; see `DebugNode`."""

    id: int
    description: str | None
    original: str | None
    final: str | None
    term: Term | None
    span: Span | None
    children: tuple[Assumption, ...] = ()
    internal: bool = field(default=False, kw_only=True)
    added: bool = field(default=False, kw_only=True)


@record
class Fact:
    """What the solver is told: the term of the assumption with this number."""

    id: int
    term: Term


@record
class Goal:
    """What has to be proved: a term, or an assertion that also asks for permissions.

    `learnt` are facts that the evaluation of a typed-in goal brought to light.
    """

    text: str
    final: str | None
    term: Term | None
    formula: Assertion | None = None
    learnt: tuple[Term, ...] = ()
    original: bool = False

    def view(self) -> GoalView:
        return GoalView(self.text, self.final, self.original)


@record
class Desk:
    """The solver and the facts that a question rests on."""

    solver: Solver
    path: Path
    limit: int


@record
class Read:
    """A typed-in expression: its term, and facts that its evaluation brought to light.

    An assertion that speaks about permissions has no term.
    """

    text: str
    final: str | None
    term: Term | None
    learnt: tuple[Term, ...] = ()
    formula: Assertion | None = None


@record
class Lack:
    """A location that permission is missing for, and what is held of the same kind.

    Each chunk comes with the condition under which it is the location; `args` are the terms that
    the location is made of, `history` says where the permission went.
    """

    location: str
    args: tuple[Term, ...]
    chunks: tuple[tuple[HeldView, Term], ...]
    history: tuple[Event, ...] = ()


class Obligation(Protocol):
    """What the debugger needs to know of a failed check; the engine behind it is of no interest."""

    @property
    def error(self) -> ErrorView: ...

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """All that is known, as a tree, in the order in which it was learnt."""
        ...

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All leaves of the tree, in the order in which the solver was told."""
        ...

    @property
    def goal(self) -> Goal: ...

    @property
    def axioms(self) -> Sequence[Term]: ...

    def state(self) -> StateDescription: ...

    def old_heaps(self) -> tuple[tuple[str, tuple[HeldView, ...]], ...]:
        """The heaps that labels stand for."""
        ...

    def vocabulary(self) -> tuple[str, ...]:
        """Names, versions and labels that may be typed in."""
        ...

    def text(self, term: Term) -> str:
        """The final expression of a term, or some text."""
        ...

    def final(self, term: Term) -> str | None:
        """The final expression of a term, if it has one."""
        ...

    def read(self, text: str, desk: Desk) -> Read | Problem:
        """The meaning of a typed-in expression."""
        ...

    def failure_of(self, formula: Assertion, desk: Desk) -> str | None:
        """Why an assertion does not hold, None if it does."""
        ...

    def lack(self) -> Lack | None:
        """Where the check is about permission: what is missing."""
        ...
