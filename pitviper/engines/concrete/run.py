"""The services of a run: decisions, budgets, and the ways in which it ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import NoReturn, TypeVar

from pitviper.base.record import field, record, struct
from pitviper.engines.concrete.heap.heap import Content, FieldAt, Heap, Resource, Snapshot
from pitviper.engines.concrete.heap.snapshot import Snapshots
from pitviper.engines.concrete.node_facts import Constraints, NodeFacts, constraints_of
from pitviper.engines.concrete.options import ZEROES, Inputs, Options, Tape, TapeReader
from pitviper.engines.concrete.outcome import (
    NO_OBLIGATION,
    CannotRun,
    Choice,
    Failed,
    Infeasible,
    NeedsChoice,
    Obligation,
    Outcome,
    OutOfSteps,
    Part,
    Stop,
)
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.objects import Objects
from pitviper.engines.concrete.values.unknown import Hole, Raw, Unknowns
from pitviper.engines.shared.values import Value
from pitviper.program.member import Declaration, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import Type
from pitviper.source.span import Span

T = TypeVar("T")
V = TypeVar("V", bound=Value)
Key = tuple[object, ...]


@record
class Applied:
    """An abstract function on one part of the heap: the part it may look at, and its value."""

    footprint: dict[Resource, Content]
    value: Raw


@struct
class Memo:
    """`defined` are applications of functions with bodies, None while one is being evaluated.

    `abstract` are those of functions without body, by name and arguments; `domain` those of domain
    functions without interpretation and of destructors on the wrong constructor. `wands` maps a
    wand and what is given to it to what it gives back. `joins` is the number of joined snapshots
    for which the abstract applications are known to be consistent.
    """

    defined: dict[Key, Raw | None] = field(default_factory=dict)
    abstract: dict[tuple[str, tuple[Value, ...]], list[Applied]] = field(default_factory=dict)
    domain: dict[tuple[str, tuple[Type, ...], tuple[Value, ...]], Raw] = field(default_factory=dict)
    wands: dict[Key, Snapshot] = field(default_factory=dict)
    joins: int = 0
    wand_count: int = 0

    def next_wand(self) -> int:
        self.wand_count += 1
        return self.wand_count


@record
class Moment:
    """What is held between two statements; `frames` is what the loops around have set aside."""

    heap: Heap
    frames: tuple[Heap, ...] = ()

    @property
    def is_hidden(self) -> bool:
        """Whether there may be more than is possible: fields alone would have shown that."""
        return bool(self.frames) or any(not isinstance(r, FieldAt) for r in self.heap.chunks)


MOST_PASSED = 64
"""Moments of a run that are looked at again when it has failed, the last ones."""


class Run:
    """One run. It follows one path, so everything here only grows.

    `moment` is what was held last between two statements, `passed` what was held before something
    was given away, `applied` what was held when a wand was applied, `heap_horizon` the last time at
    which all that was not held was forgotten, `decided` the holes that the tape has decided.
    """

    def __init__(self, program: Program, inputs: Inputs, tape: Tape, options: Options) -> None:
        self.program = program
        self.inputs = inputs
        self.options = options
        self.objects = Objects()
        self.unknowns = Unknowns(self.objects)
        self.snapshots = Snapshots()
        self.memo = Memo()
        self.facts = NodeFacts()
        self.obligation = NO_OBLIGATION
        self.steps = 0
        self.depth = 0
        self.choices: list[Choice] = []
        self.unchecked: dict[str, None] = {}
        self.decided: list[Hole] = []
        self.heap_horizon = 0
        self.moment: Moment | None = None
        self.passed: deque[Moment] = deque(maxlen=MOST_PASSED)
        self.applied: dict[int, Moment] = {}
        self._tape = TapeReader(tape)

    @cached_property
    def constraints(self) -> Constraints:
        return constraints_of(self.program, self.inputs.interpretation)

    # ------------------------------------------------------------ fresh things

    def hole(self, kind: Type, what: str, horizon: int | None = None) -> Hole:
        """A value to be decided on later."""
        at = self.objects.allocations if horizon is None else horizon
        return self.unknowns.fresh(kind, at, what)

    def snapshot(self, horizon: int | None = None) -> Snapshot:
        """Contents to be decided on later."""
        return self.snapshots.fresh(self.objects.allocations if horizon is None else horizon)

    def forget_the_rest(self) -> None:
        """What is not held has other contents from now on.

        Until then it has those that it had from the start, so no object made since is in them.
        """
        self.heap_horizon = self.objects.allocations

    def note_state(self, st: State, frames: Iterable[Heap] = ()) -> None:
        """A state between two statements; those inside of a package are only supposed."""
        if not st.outer:
            self.moment = Moment(st.heap, tuple(frames))

    def note_loss(self) -> None:
        """Something is given away now: what was held until then must have been possible."""
        moment = self.moment
        if moment is not None and moment.is_hidden and moment not in self.passed:
            self.passed.append(moment)

    # ------------------------------------------------------------ decisions

    def decide(self, what: str) -> int:
        """The next number of the tape."""
        number = self._tape.next()
        if number is None:
            raise Stop(NeedsChoice(what))
        return number

    def start_afresh(self) -> None:
        """A new budget, and the simplest answer to every question."""
        self._tape = TapeReader(ZEROES)
        self.steps = 0

    def pick(self, what: str, answers: Sequence[V]) -> V:
        """One of several answers, as the tape says."""
        number = self.decide(what)
        answer = answers[number % len(answers)]
        self.log(number, what, answer)
        return answer

    def log(self, number: int, what: str, value: Value) -> None:
        self.choices.append(Choice(number, what, value))

    # ------------------------------------------------------------ obligations

    @property
    def member(self) -> str:
        """The member that would be to blame."""
        return self.obligation.member

    @contextmanager
    def proving(self, obligation: Obligation) -> Iterator[None]:
        """What fails inside is told as a failure of this obligation."""
        before, self.obligation = self.obligation, obligation
        try:
            yield
        finally:
            self.obligation = before

    def on_behalf_of(self, member: Declaration) -> AbstractContextManager[None]:
        """What fails inside is the fault of another member."""
        return self.proving(Obligation("internal", member.span, member.name))

    def for_member(self, error: str, node: Node, *parts: Part) -> Obligation:
        """An obligation of the current member at a node."""
        return Obligation(error, node.span, self.member, parts, self.obligation.origin)

    # ------------------------------------------------------------ endings

    def tick(self) -> None:
        self.steps += 1
        if self.steps > self.options.steps:
            raise Stop(OutOfSteps(self.options.steps))

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level deeper, within limits."""
        if self.depth >= self.options.depth:
            raise Stop(OutOfSteps(self.steps))
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def fail(self, reason: str, offending: Node, *parts: Part) -> NoReturn:
        raise Stop(Failed(self.obligation.finding(reason, offending, parts)))

    def infeasible(self, assumption: str, span: Span) -> NoReturn:
        raise Stop(Infeasible(assumption, span))

    def false_assumption(self, node: Node) -> NoReturn:
        raise Stop(Infeasible(text_of(node), node.span))

    def cannot(self, reason: str, node: Node | None = None) -> NoReturn:
        raise Stop(CannotRun(reason, self.obligation.span if node is None else node.span))

    def attempt(self, action: Callable[[], T]) -> T | Outcome:
        """The result of an action, or the end of the run that it would have been."""
        try:
            return action()
        except Stop as stop:
            return stop.outcome
