"""One formula for a whole procedure, of linear size: a predicate for each block.

NOTE(block predicates). `ok` of a block says that nothing fails from its start on. It follows from
what its commands and its successors' predicates say; only that direction is claimed, so a proof
that `ok` of the entry cannot be false is a proof of all assertions. Every assertion has a switch:
turned off, it never fails, but its goal is still assumed behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitviper.base.record import field, record, struct
from pitviper.engines.vcg.ivl import language as ivl
from pitviper.engines.vcg.ivl.outcome import Effort, Log, Outcome, ProverOptions
from pitviper.engines.vcg.ivl.visit import eager, forced
from pitviper.results.finding import Condition
from pitviper.solver.model import Model, Value
from pitviper.solver.session import FactKind, Path, Solver
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term

STRETCH: Final = 40
"""Commands that one predicate stands for: deeper nesting would need a deep stack in the solver."""


@record
class Switched:
    """An assertion with its switch and the name of its goal, whose value a model tells."""

    number: int
    command: ivl.Assert
    switch: App
    goal: App


@record
class Exit:
    """A way on: under `condition`, to the stretch that `target` names."""

    condition: App | None
    target: str
    edge: ivl.Edge | None = None


@record
class Stretch:
    """Some commands of a block, in order: assertions, and sides by the names of their starts."""

    name: str
    ok: App
    steps: tuple[Switched | Exit, ...]
    exits: tuple[Exit, ...]


@struct
class Whole:
    """The formula as a path of facts, and what is needed to read a model of it."""

    path: Path = field(default_factory=Path)
    asserts: list[Switched] = field(default_factory=list)
    stretches: dict[str, Stretch] = field(default_factory=dict)
    entry: str = ""
    names: int = 0

    def fresh(self, hint: str) -> App:
        self.names += 1
        return tb.constant(f"whole {hint}@{self.names}", BOOL)

    def named(self, hint: str, term: Term) -> App:
        name = self.fresh(hint)
        self.fact(tb.equal(name, term), FactKind.DEFINITION)
        return name

    def fact(self, fact: Term, kind: FactKind = FactKind.PLAIN) -> None:
        self.path = self.path.assume(fact, kind)


def whole(blocks: tuple[ivl.Block, ...]) -> Whole:
    """The formula of a graph whose lazy facts are built or left out."""
    made = Whole()
    made.entry = _graph(blocks, made)
    made.fact(tb.negate(made.stretches[made.entry].ok))
    return made


def _graph(blocks: tuple[ivl.Block, ...], made: Whole) -> str:
    """The name of the first stretch; blocks are translated backwards, successors first."""
    leaving: dict[str, list[Exit]] = {block.label: [] for block in blocks}
    for block in reversed(blocks):
        start = _block(block, tuple(leaving[block.label][::-1]), made)
        for edge in reversed(block.edges):
            always = edge.condition is tb.TRUE
            condition = None if always else made.named("edge", edge.condition)
            leaving[edge.source].append(Exit(condition, start, edge))
    return blocks[0].label


def _block(block: ivl.Block, exits: tuple[Exit, ...], made: Whole) -> str:
    starts = list(range(0, max(len(block.commands), 1), STRETCH))
    for number, start in reversed(list(enumerate(starts))):
        name = f"{block.label}#{number}" if number else block.label
        _stretch(name, block.commands[start : start + STRETCH], exits, made)
        exits = (Exit(None, name),)
    return block.label


def _stretch(
    name: str, commands: Sequence[ivl.Command], exits: tuple[Exit, ...], made: Whole
) -> None:
    steps: list[Switched | Exit] = []
    formula = tb.conjoin(*[_exit(way, made) for way in exits])
    for command in reversed(commands):
        formula = _step(command, formula, steps, made)
    ok = made.fresh("ok")
    made.fact(tb.implies(formula, ok))
    made.stretches[name] = Stretch(name, ok, tuple(steps[::-1]), exits)


def _exit(way: Exit, made: Whole) -> Term:
    ok = made.stretches[way.target].ok
    return ok if way.condition is None else tb.implies(way.condition, ok)


def _step(command: ivl.Command, rest: Term, steps: list[Switched | Exit], made: Whole) -> Term:
    match command:
        case ivl.Assume(fact=fact, guard=guard):
            return tb.implies(tb.implies(guard, fact), rest)
        case ivl.Assign(variable=variable, term=term):
            made.fact(tb.equal(variable, term), FactKind.DEFINITION)
        case ivl.Assert(obligation=obligation) if not obligation.kind.warns:
            step = _switched(command, made)
            steps.append(step)
            kept = tb.implies(command.guard, command.afterwards)
            return tb.conjoin(tb.implies(step.switch, step.goal), tb.implies(kept, rest))
        case ivl.Side(blocks=blocks, guard=guard):
            target = _graph(blocks, made)
            condition = None if guard is tb.TRUE else made.named("edge", guard)
            side = Exit(condition, target)
            steps.append(side)
            return tb.conjoin(_exit(side, made), rest)
        case _:
            pass
    return rest


def _switched(command: ivl.Assert, made: Whole) -> Switched:
    goal = made.named("goal", tb.implies(command.guard, command.goal))
    step = Switched(len(made.asserts), command, made.fresh("switch"), goal)
    made.asserts.append(step)
    return step


@record
class Failure:
    step: Switched
    conditions: tuple[Condition, ...]


def prove_whole(procedure: ivl.Procedure, solver: Solver, options: ProverOptions) -> Outcome | None:
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
        self, blocks: tuple[ivl.Block, ...], solver: Solver, limit: int, effort: Effort
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
