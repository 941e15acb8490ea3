"""What is known about a procedure after its proof."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.engines.vcg.ivl.language import Block, Edge, Key, Obligation
from pitviper.results.finding import Condition, Finding
from pitviper.results.verdict import Undecided
from pitviper.solver.model import Model, Value
from pitviper.solver.session import ASSERT, FactKind, Path
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL


@struct
class Effort:
    """`forced` says that the lazy facts were needed; `asserts` are those the prover looked at."""

    asserts: int = 0
    queries: int = 0
    forced: bool = False
    splits: int = 0


@record
class Outcome:
    """Findings in the order of the assertions that failed."""

    findings: tuple[Finding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    warnings: tuple[tuple[Span, str], ...] = ()
    effort: Effort = field(default_factory=Effort)


@struct
class Log:
    """Collects an outcome; the same failure is reported once."""

    member: str
    effort: Effort = field(default_factory=Effort)
    _findings: dict[Key, Finding] = field(default_factory=dict)
    _undecided: dict[Key, Undecided] = field(default_factory=dict)
    _warnings: dict[tuple[Span, str], None] = field(default_factory=dict)

    def knows(self, obligation: Obligation) -> bool:
        return obligation.key in self._findings

    def fail(self, obligation: Obligation, conditions: tuple[Condition, ...]) -> None:
        if obligation.key not in self._findings:
            self._findings[obligation.key] = obligation.failed(self.member, conditions)

    def give_up(self, obligation: Obligation) -> None:
        place = obligation.offending or obligation.span
        message = f"the solver reached its limit while checking {obligation.reason}"
        self._undecided.setdefault(obligation.key, Undecided(place, message))

    def warn(self, obligation: Obligation) -> None:
        self._warnings[obligation.span, obligation.message()] = None

    def outcome(self) -> Outcome:
        """A check that failed elsewhere is decided, whatever the solver said about it here."""
        undecided = [u for key, u in self._undecided.items() if key not in self._findings]
        return Outcome(
            tuple(self._findings.values()),
            tuple(dict.fromkeys(undecided)),
            tuple(self._warnings),
            self.effort,
        )


class Strategy(Enum):
    WALK = "one question for each assertion, in order"
    WHOLE = "one question for all assertions of a procedure, as often as there are failures"


@record
class ProverOptions:
    """Limits count solver resources: `first` without the lazy facts, `last` with them."""

    strategy: Strategy = Strategy.WALK
    first: int = ASSERT // 10
    last: int = ASSERT


@record
class Position:
    """A graph as far as it was walked, and the label of the block where the walk is."""

    blocks: tuple[Block, ...]
    label: str

    @property
    def by_label(self) -> dict[str, Block]:
        return {block.label: block for block in self.blocks}


def is_forced(position: Position) -> bool:
    """Whether only one way leads to the place."""
    blocks, label = position.by_label, position.label
    while blocks[label].edges:
        if len(blocks[label].edges) > 1:
            return False
        label = blocks[label].edges[0].source
    return True


def named_edges(path: Path, positions: tuple[Position, ...]) -> Path:
    """The path with a name for each edge condition, whose value a model tells."""
    for position in positions:
        for block in position.blocks:
            for number, edge in enumerate(block.edges):
                if edge.condition is not tb.TRUE:
                    fact = tb.equal(tb.constant(_name(block, number), BOOL), edge.condition)
                    path = path.assume(fact, FactKind.DEFINITION)
    return path


def decisions(positions: tuple[Position, ...], model: Model | None) -> tuple[Condition, ...]:
    """The decisions on a way to the place, outermost graph first; none where it is not known."""
    values = None if model is None else {f.name: v for f, v in model.constants.items()}
    found: list[Condition] = []
    for position in positions:
        if values is None and not is_forced(position):
            continue
        found += [e.decision for e in _way(position, values) if e.decision is not None]
    return tuple(found)


_Values: TypeAlias = dict[str, Value] | None
"""Without values there is only one way."""


def _way(position: Position, values: _Values) -> list[Edge]:
    """The edges taken, first to last."""
    blocks, reached = position.by_label, _reached(position, values)
    way: list[Edge] = []
    label = position.label
    while blocks[label].edges:
        taken = _taken(blocks[label], reached, values)
        if not taken:
            return []
        way.append(taken[0])
        label = taken[0].source
    return way[::-1]


def _reached(position: Position, values: _Values) -> set[str]:
    reached: set[str] = set()
    for block in position.blocks:
        if not block.edges or _taken(block, reached, values):
            reached.add(block.label)
    return reached


def _taken(block: Block, reached: set[str], values: _Values) -> list[Edge]:
    return [
        edge
        for number, edge in enumerate(block.edges)
        if edge.source in reached
        and (
            values is None or edge.condition is tb.TRUE or values.get(_name(block, number)) is True
        )
    ]


def _name(block: Block, number: int) -> str:
    return f"taken to {block.label}@{number}"
