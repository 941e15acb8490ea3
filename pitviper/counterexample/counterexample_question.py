"""What a counterexample is asked for: a recorded state, and the check that failed in it."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.counterexample.bounded.problem import Fact
from pitviper.counterexample.problem import Sought
from pitviper.program.member import Program
from pitviper.results.finding import Finding
from pitviper.solver.session import Path
from pitviper.source.span import Span
from pitviper.terms.term import Term


@record
class Earlier:
    """A check that failed before, after which the verifier went on as if it had held."""

    text: str
    span: Span
    goal: Term | None = None

    def assumed(self) -> frozenset[Term]:
        """The facts that the verifier went on with."""
        if self.goal is None:
            return frozenset()
        return frozenset([entry.fact for entry in Path().assume(self.goal)])


@record
class Question:
    """A state to show: `finding` is the failed check, None for an example of the state at `span`.

    `program` is the one that the user wrote, before plugins; `earlier` what failed before. `types`
    are those of the variables to show.
    """

    program: Program
    sought: Sought
    span: Span
    finding: Finding | None
    types: dict[str, str]
    constraints: tuple[Fact, ...] = ()
    earlier: tuple[Earlier, ...] = ()

    @property
    def member(self) -> str:
        return self.sought.member.name if self.finding is None else self.finding.member
