"""The questions that rules ask about a state: all of them go to one solver session."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.engines.symbolic.services import INTERNAL, Obligation, Services
from pitviper.engines.symbolic.state import State
from pitviper.program.node import Node
from pitviper.solver.session import ASSERT, CHECK, Answer
from pitviper.terms import build as tb
from pitviper.terms.term import Term


@record
class Questions:
    """Asks on behalf of an obligation, whose place names the questions."""

    services: Services
    obligation: Obligation

    def ask(self, st: State, goal: Term, limit: int = ASSERT) -> Answer:
        """Returns whether a goal follows from what a path knows, as far as the solver can tell."""
        name = str(self._place.span)
        answer = self.services.solver.entails(st.path, goal, limit, name)
        if self.services.recorder is not None:
            self.services.recorder.asked(name, goal, limit, answer)
        return answer

    @property
    def _place(self) -> Node:
        """Where a question comes from: a statement, where no obligation in it is known."""
        at = self.services.log.at
        return self.obligation.node if self.obligation.error != INTERNAL or at is None else at

    def proves(self, st: State, goal: Term) -> bool:
        """Unknown: not proved."""
        return goal is tb.TRUE or self.ask(st, goal).proved

    def may_prove(self, st: State, goal: Term, limit: int = CHECK) -> bool:
        """A bounded question that decides only how to go on."""
        if goal is tb.TRUE:
            return True
        if goal is tb.FALSE:
            return False
        return self.ask(st, goal, limit).proved

    def refutes(self, st: State, fact: Term) -> bool:
        """Whether the path contradicts a fact; unknown: the path stays."""
        return self.may_prove(st, tb.negate(fact))

    def is_dead(self, st: State) -> bool:
        """Whether no execution takes this path: then it has no errors."""
        return self.ask(st, tb.FALSE).proved
