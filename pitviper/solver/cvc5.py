"""A session with cvc5, in this process: told in SMT-LIB text, through its parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cvc5

from pitviper.solver.model import Model
from pitviper.solver.recording import Scopes
from pitviper.solver.session import ASSERT, PROVED, Answer, Path, SolverTrouble, Statistics
from pitviper.terms.build import negate
from pitviper.terms.smtlib import Script
from pitviper.terms.term import FALSE, Term


class Cvc5Error(SolverTrouble):
    """cvc5 does not accept something: an option, or a construct that only Z3 knows."""


class Cvc5Session:
    """Implements `Solver`. Models are not read.

    cvc5 takes one limit for all questions of a session, in its own resources; the limits that come
    with questions count those of Z3.
    """

    def __init__(self, limit: int, options: Mapping[str, str] | None = None) -> None:
        self._statistics = Statistics()
        self._solver = cvc5.Solver(cvc5.TermManager())
        for name, value in {**_DEFAULTS, "rlimit-per": str(limit), **(options or {})}.items():
            self._set(name, value)
        self._symbols = cvc5.SymbolManager(self._solver.getTermManager())
        self._parser = cvc5.InputParser(self._solver, self._symbols)
        self._parser.setIncrementalStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "debugger")
        self._sink = _Text(self)
        self._script = Script(self._declare)
        self._scopes = Scopes(self._sink)
        self.tell("(set-logic ALL)")

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        self._statistics.queries += 1
        self._scopes.move_to(path)
        if self._scopes.holds(goal):
            self._statistics.without_solver += 1
            return PROVED
        if goal is FALSE:
            return self._check()
        self._sink.push()
        try:
            self.add(negate(goal))
            return self._check()
        finally:
            self._sink.pop(1)

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        """Values are left to Z3."""
        return None

    def declare(self, axioms: Sequence[Term]) -> None:
        self._scopes.leave()
        for axiom in axioms:
            self.add(axiom)

    def statistics(self) -> Statistics:
        return self._statistics

    def add(self, fact: Term) -> None:
        self._statistics.assertions += 1
        text = self._script.term(fact)
        self.tell(f"(assert {text})")

    def tell(self, command: str) -> str:
        """The answer to a command, usually nothing."""
        try:
            self._parser.appendIncrementalStringInput(f"{command}\n")
            parsed = self._parser.nextCommand()
            if parsed.isNull():
                return ""
            return str(parsed.invoke(self._solver, self._symbols)).strip()
        except RuntimeError as error:
            raise Cvc5Error(f"cvc5: {' '.join(str(error).split())}") from error

    def _declare(self, command: str) -> None:
        self.tell(command)

    def _check(self) -> Answer:
        said = self.tell("(check-sat)")
        if said == "unsat":
            self._statistics.proved += 1
            return PROVED
        if said == "sat":
            return Answer(proved=False)
        reason = self.tell("(get-info :reason-unknown)")
        exhausted = "incomplete" not in reason and reason != "unknown"
        self._statistics.exhausted += exhausted
        return Answer(proved=False, unknown=reason or "unknown", exhausted=exhausted)

    def _set(self, name: str, value: str) -> None:
        try:
            self._solver.setOption(name, value)
        except RuntimeError as error:
            raise Cvc5Error(f"cvc5 does not take {name}={value}: {_first(str(error))}") from error


_DEFAULTS = {"incremental": "true", "global-declarations": "true", "seed": "0"}


def _first(text: str) -> str:
    return text.strip().partition("\n")[0]


class _Text:
    """A `Sink` that tells a session in SMT-LIB."""

    def __init__(self, session: Cvc5Session) -> None:
        self._session = session

    def push(self) -> None:
        self._session.tell("(push 1)")

    def pop(self, count: int) -> None:
        self._session.tell(f"(pop {count})")

    def add(self, fact: Term) -> None:
        self._session.add(fact)
