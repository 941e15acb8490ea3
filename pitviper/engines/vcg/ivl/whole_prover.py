"""Proves a procedure with one question for all its assertions, as often as there are failures.

The answer "no" comes with a model, which leads along the blocks to the first assertion that fails
in it. That one is turned off, and the rest is asked again. When the solver gives up, the assertions
are asked in halves; what is still open then is left to the walk.
"""

from __future__ import annotations

from dataclasses import dataclass

from pitviper.engines.vcg.ivl.language import Block, Procedure
from pitviper.engines.vcg.ivl.options import ProverOptions
from pitviper.engines.vcg.ivl.outcome import Effort, Log, Outcome
from pitviper.engines.vcg.ivl.visit import eager, forced
from pitviper.engines.vcg.ivl.whole import Exit, Stretch, Switched, Whole, whole
from pitviper.results.finding import Condition
from pitviper.solver.model import Model, Value
from pitviper.solver.session import Path, Solver
from pitviper.terms import build as tb
from pitviper.terms.symbol import Function
from pitviper.terms.term import App


@dataclass(frozen=True, slots=True)
class Failure:
    step: Switched
    conditions: tuple[Condition, ...]


def prove_whole(procedure: Procedure, solver: Solver, options: ProverOptions) -> Outcome | None:
    """None where not all was decided. Lazy facts join after a first attempt without them."""
    effort = Effort()
    attempt = _Attempt(eager(procedure.blocks), solver, options.first, effort)
    if attempt.run() and not attempt.failures:
        return Outcome(effort=effort)
    effort.forced = True
    attempt = _Attempt(forced(procedure.blocks), solver, options.last, effort)
    if not attempt.run():
        return None
    log = Log(procedure.name, effort)
    for failure in sorted(attempt.failures, key=lambda f: -f.step.number):
        log.fail(failure.step.command.obligation, failure.conditions)
    return log.outcome()


class _Attempt:
    """Assertions are numbered from the last to the first, as the formula is built."""

    def __init__(
        self, blocks: tuple[Block, ...], solver: Solver, limit: int, effort: Effort
    ) -> None:
        self._whole = whole(blocks)
        self._solver = solver
        self._limit = limit
        self._effort = effort
        self.failures: list[Failure] = []
        effort.asserts = len(self._whole.asserts)

    def run(self) -> bool:
        """Whether every assertion was decided."""
        return self._decide(self._whole.asserts)

    def _decide(self, steps: list[Switched]) -> bool:
        while steps:
            path = self._path(steps)
            self._effort.queries += 1
            answer = self._solver.entails(path, tb.FALSE, self._limit, "whole")
            if answer.proved:
                return True
            if answer.exhausted:
                return self._halves(steps)
            failure = self._failure(path, steps)
            if failure is None:
                return False
            self.failures.append(failure)
            key = failure.step.command.obligation.key
            steps = [step for step in steps if step.command.obligation.key != key]
        return True

    def _halves(self, steps: list[Switched]) -> bool:
        if len(steps) < 2:
            return False
        self._effort.splits += 1
        middle = len(steps) // 2
        return self._decide(steps[middle:]) and self._decide(steps[:middle])

    def _path(self, steps: list[Switched]) -> Path:
        on = {step.number for step in steps}
        path = self._whole.path
        for step in self._whole.asserts:
            path = path.assume(step.switch if step.number in on else tb.negate(step.switch))
        return path

    def _failure(self, path: Path, steps: list[Switched]) -> Failure | None:
        model = self._solver.model(path, tb.FALSE, self._limit)
        if model is None:
            return None
        reader = _Reader(self._whole, model, {step.number for step in steps})
        return reader.search(self._whole.entry, ())


class _Reader:
    """Follows a model to the assertion that fails in it."""

    def __init__(self, made: Whole, model: Model, on: set[int]) -> None:
        self._stretches = made.stretches
        self._values: dict[str, Value] = {f.name: v for f, v in model.constants.items()}
        self._on = on

    def search(self, name: str, conditions: tuple[Condition, ...]) -> Failure | None:
        stretch: Stretch = self._stretches[name]
        if self._is(stretch.ok, value=True):
            return None
        for step in stretch.steps:
            if isinstance(step, Exit):
                found = self._follow(step, conditions)
                if found is not None:
                    return found
            elif step.number in self._on and self._is(step.goal, value=False):
                return Failure(step, conditions)
        for way in stretch.exits:
            found = self._follow(way, conditions)
            if found is not None:
                return found
        return None

    def _follow(self, way: Exit, conditions: tuple[Condition, ...]) -> Failure | None:
        if way.condition is not None and not self._is(way.condition, value=True):
            return None
        decision = way.edge.decision if way.edge is not None else None
        more = conditions if decision is None else (*conditions, decision)
        return self.search(way.target, more)

    def _is(self, name: App, *, value: bool) -> bool:
        assert isinstance(name.symbol, Function)
        return self._values.get(name.symbol.name) is value
