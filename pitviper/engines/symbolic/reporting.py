"""What rules report: checks that failed or were not decided, and warnings. `explain` words them."""

from __future__ import annotations

from typing import Self

from pitviper.base.record import record, replace
from pitviper.engines.symbolic.heap.chunk import Resource
from pitviper.engines.symbolic.modes import Modes
from pitviper.engines.symbolic.provenance import Location, Provenance
from pitviper.engines.symbolic.questions import Questions
from pitviper.engines.symbolic.recorder import Failed
from pitviper.engines.symbolic.services import Failure, FindingKey, limit_reached
from pitviper.engines.symbolic.state import State
from pitviper.program.node import Node
from pitviper.results.verdict import Undecided
from pitviper.solver.session import Answer
from pitviper.terms import build as tb
from pitviper.terms.term import Term


@record
class Reporting(Questions):
    """Proves goals and reports those that are not proved, as far as the modes say so.

    `group` says what the facts belong to that are assumed, such as "precondition of m". `lacking`
    is the location that a check was about, `goal` what it had to prove, for its report. `visitor`
    is the state of the member, while a contract or body of another is looked at.
    """

    modes: Modes = Modes()
    group: str = ""
    lacking: Location | None = None
    goal: Term | None = None
    visitor: State | None = None

    def visiting_from(self, st: State) -> Self:
        """While the contract or body of another is looked at, which has a store of its own."""
        if self.visitor is not None:
            return self
        return replace(self, visitor=st)

    def lacks(self, resource: Resource, args: tuple[Term, ...]) -> Self:
        """To report that permission to a location is missing."""
        return replace(self, lacking=Location(resource, args))

    def about(self, goal: Term) -> Self:
        """To report that a goal was not proved."""
        return replace(self, goal=goal)

    def check(self, st: State, goal: Term, reason: str, node: Node, *parts: Node | str) -> State:
        """Prove a goal; go on as if it had held."""
        if not self.modes.checking or goal is tb.TRUE:
            return st
        answer = self.ask(st, goal)
        if not answer.proved:
            self.about(goal).report(answer, st, reason, node, *parts)
        return st.assume(goal, provenance=Provenance(self.group, node))

    def granted(self, st: State, goal: Term) -> State:
        """Go on as if a failed goal had held; one that nobody judged is not assumed either."""
        return st.assume(goal) if self.modes.claiming else st

    def report(
        self, answer: Answer, st: State, reason: str, node: Node, *parts: Node | str
    ) -> None:
        """A check failed, or could not be decided within its limit."""
        if not self.modes.claiming:
            return
        if answer.exhausted:
            if self.services.recorder is not None:
                self.services.recorder.left_open(Failed(st, node, None, self))
            self.give_up(node, limit_reached(reason))
        else:
            self.fail(st, reason, node, *parts)

    @property
    def reported(self) -> int:
        """How much was reported so far, to tell whether an evaluation went wrong."""
        return len(self.services.log.failures) + len(self.services.log.undecided)

    def found(self, error: str, node: Node) -> bool:
        """Whether this error was reported for a construct."""
        return any(
            finding.error == error and finding.span == node.span
            for finding in self.services.log.findings.values()
        )

    def has_failed(self, reason: str, node: Node) -> bool:
        """Whether this check of the construct at hand failed before, on another path."""
        return self._key(reason, node) in self.services.log.findings

    def _key(self, reason: str, node: Node) -> FindingKey:
        ob = self.obligation
        return ob.error, reason, ob.node.span, node.span, ob.origin

    def fail(self, st: State, reason: str, node: Node, *parts: Node | str) -> None:
        """Record a finding, unless the path is dead."""
        if not self.modes.claiming or self.is_dead(st):
            return
        log, explainer = self.services.log, self.services.explainer
        log.failures.append(Failure(self.lacking, node, self.obligation))
        key = self._key(reason, node)
        paths = log.paths.setdefault(key, {})
        paths[explainer.conditions_of(st.path)] = None
        known = log.findings.get(key)
        if known is None:
            log.findings[key] = explainer.finding_of(st, reason, node, parts, self)
        else:
            log.findings[key] = replace(known, other_paths=len(paths) - 1)
        if self.services.recorder is not None:
            here = log.findings[key]
            if known is not None:  # on this path, not on the first one
                here = explainer.finding_of(st, reason, node, parts, self)
            self.services.recorder.failed(Failed(st, node, here, self))

    def give_up(self, node: Node, message: str) -> None:
        """Something here is neither proved nor refuted."""
        if self.services.recorder is not None:
            self.services.recorder.gave_up(node, message)
        self.services.log.undecided.setdefault((node.span, message), Undecided(node.span, message))

    def warn(self, node: Node, message: str) -> None:
        self.services.log.warnings.setdefault((node.span, message), message)
