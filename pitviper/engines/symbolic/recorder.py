"""What the engine tells those who put its work into words: protocols that `explain` implements.

An explainer is always there and is asked when a check has failed; a recorder is told everything, if
one is attached; without one it costs a comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from pitviper.base.record import record
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.state import State
from pitviper.program.member import Declaration
from pitviper.program.node import Node
from pitviper.results.finding import Condition, Finding
from pitviper.solver.session import Answer, Path
from pitviper.terms.term import Term

if TYPE_CHECKING:
    from pitviper.engines.symbolic.reporting import Reporting
    from pitviper.engines.symbolic.services import Services

T = TypeVar("T", bound="State | tuple[State, Term]")


@record
class Failed:
    """A check at a node that failed in a state, with its finding; None: it was not decided.

    The context knows the construct that is checked, the goal, and the location that is missed.
    """

    state: State
    node: Node
    finding: Finding | None
    context: Reporting


class Explainer(Protocol):
    """Makes findings of failed checks: `pitviper.explain.findings`."""

    def finding_of(
        self, st: State, reason: str, node: Node, parts: Sequence[Node | str], cx: Reporting
    ) -> Finding:
        """The finding for a check of the context's obligation that failed at a node, in a state."""
        ...

    def conditions_of(self, path: Path) -> tuple[Condition, ...]:
        """The decisions that lead along a path, to tell apart the paths on which a check fails."""
        ...


class Recorder(Protocol):
    """Keeps references to what it is told; states are values, so nothing is copied.

    `origins` are those of the members that it is told about.
    """

    origins: Origins

    def started(self, member: Declaration, services: Services) -> None:
        """All that comes from now on belongs to this member, and is done by these services."""
        ...

    def following(
        self, rule: str, st: State, node: Node, outcomes: Iterator[T], group: str = ""
    ) -> Iterator[T]:
        """The outcomes of a rule that goes on whenever the next one is asked for.

        `group` says what facts that are assumed on the way belong to, such as "precondition".
        """
        ...

    def during(self, rule: str, st: State, node: Node, action: Callable[[], T]) -> T:
        """The outcome of a rule that has just one."""
        ...

    def branched(self, st: State, node: Node, then: State | None, otherwise: State | None) -> None:
        """The sides of a branch; None for one that the path contradicts."""
        ...

    def merged(self, states: Sequence[State], node: Node, into: Sequence[State]) -> None: ...

    def asked(self, name: str, goal: Term, limit: int, answer: Answer) -> None: ...

    def failed(self, failed: Failed) -> None:
        """A check failed; the state is the one being built."""
        ...

    def left_open(self, failed: Failed) -> None:
        """A check reached the limit of the solver; `gave_up` follows."""
        ...

    def gave_up(self, node: Node, message: str) -> None: ...
