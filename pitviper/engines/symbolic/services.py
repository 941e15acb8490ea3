"""What a member's run works with and what it finds: services, obligations, the log."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.encoding.symbols import Symbols
from pitviper.engines.symbolic.heap.chunk import Resource
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.provenance import Location, Origins, Step
from pitviper.engines.symbolic.recorder import Explainer, Recorder
from pitviper.engines.symbolic.rules.conditions import Merges
from pitviper.program.callgraph import CallGraph
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.results.finding import Condition, Finding
from pitviper.results.ghost import GhostStep, Position
from pitviper.results.verdict import Undecided
from pitviper.solver.session import Solver
from pitviper.source.span import Span
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function
from pitviper.terms.term import Term, Var


@record
class Obligation:
    """The construct whose check is going on: gives a finding its error id and its place."""

    error: str
    node: Node
    parts: tuple[Node | str, ...] = ()
    origin: tuple[str, ...] = ()


@record
class Failure:
    """A check that failed, at a node; `lacking` is the location that permission is missing for.

    `obligation` is what was checked.
    """

    lacking: Location | None
    node: Node
    obligation: Obligation


INTERNAL = "internal"
"""The error id of a member as a whole: what fails in it has an id of its own."""

FindingKey: TypeAlias = tuple[str, str, Span, Span | None, tuple[str, ...]]


@struct
class Log:
    """What a member's run has found so far; no two different failures are merged.

    `paths` are the decisions on the paths where each was found, `steps` the statements that moved
    permissions, `failures` all failed checks in order. `inferred` are ghost statements, each with
    the number of times that all paths through its place took it, out of its `visits`. `at` is the
    statement or condition that execution has come to. `ended` are the claims that end the paths on
    which they are assumed, since their value is `false`. `crowded` says that once so many states
    stood at one place that they were merged although they hold different things.
    """

    findings: dict[FindingKey, Finding] = field(default_factory=dict)
    undecided: dict[tuple[Span, str], Undecided] = field(default_factory=dict)
    warnings: dict[tuple[Span, str], str] = field(default_factory=dict)
    paths: dict[FindingKey, dict[tuple[Condition, ...], None]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    inferred: dict[GhostStep, int] = field(default_factory=dict)
    visits: dict[tuple[Span, Position], int] = field(default_factory=dict)
    at: Node | None = None
    ended: list[Node] = field(default_factory=list)
    crowded: bool = False

    def left_undecided(self) -> tuple[Undecided, ...]:
        """Without checks that failed on another path: they are decided."""
        failed = {(f.offending, limit_reached(f.reason)) for f in self.findings.values()}
        return tuple([u for key, u in self.undecided.items() if key not in failed])


@record
class Met:
    """Locations of a quantified permission: a condition and arguments over `variables`.

    Inverse functions for them take `binders` and `given` in front of the location. They are shared
    where a domain function has them by itself: see NOTE(injective).
    """

    resource: Resource
    variables: tuple[Var, ...]
    condition: Term
    args: tuple[Term, ...]
    binders: tuple[Term, ...] = ()
    given: tuple[Term, ...] = ()
    is_shared: bool = False


@record
class Services:
    """What acts: one per member's run."""

    program: Program
    symbols: Symbols
    solver: Solver
    calls: CallGraph
    options: Options
    member: str
    supply: Supply
    log: Log
    explainer: Explainer
    quantified: frozenset[Resource] = frozenset()
    triggered: frozenset[Resource] = frozenset()
    checked: dict[str, None] = field(default_factory=dict)
    divisible: dict[str, bool] = field(default_factory=dict)
    summaries: dict[object, tuple[Term, tuple[Term, ...]]] = field(default_factory=dict)
    origins: Origins = field(default_factory=Origins)
    recorder: Recorder | None = None
    merges: Merges = field(default_factory=dict)
    inverses: dict[Met, tuple[Function, ...]] = field(default_factory=dict)


def limit_reached(reason: str) -> str:
    """Returns why a check is undecided when the solver gave up on it."""
    return f"the solver reached its limit while checking {reason}"
