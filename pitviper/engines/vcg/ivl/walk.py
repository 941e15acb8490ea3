"""Which facts hold at a point of a procedure: follows the commands, one after the other.

NOTE(reach). The reach condition of a block is a conjunction of edge conditions. Two ways that
differ in one condition and its negation are one way without it, so that behind a conditional the
facts need no guard. Where ways cannot be merged like this, a new constant names their disjunction.

NOTE(two levels). Facts of a block are held twice: with the reach condition as their guard on the
common path, for blocks to come, and without it on a path where the condition is assumed, on which
the questions of the block are asked. The solver then draws the block's conclusions once.
"""

from __future__ import annotations

from pitviper.base.record import field, struct
from pitviper.engines.shared.reach import CONDITION
from pitviper.engines.vcg.ivl import language as ivl
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.operators import AND
from pitviper.terms.path_conditions import PathCondition, add_path
from pitviper.terms.sort import BOOL
from pitviper.terms.term import App, Term


@struct
class Names:
    """Names of reach conditions, unique within a procedure; no name of a program has a space."""

    used: int = 0

    def fresh(self) -> Term:
        self.used += 1
        return tb.constant(f"reach of block@{self.used}", BOOL)


@struct
class Walk:
    """A walk through one graph; a side has a walk of its own, on top of that of its `outer` graph.

    `base` holds for all blocks, `here` in the current one. `withheld` are the lazy facts so far,
    unless `forced`; `owed` were released inside a side and are taken over behind it. `ended` says
    that the current block ended in an obvious contradiction.
    """

    base: Path
    here: Path
    _start: Path
    outer: Walk | None = None
    names: Names = field(default_factory=Names)
    forced: bool = False
    way: PathCondition = ()
    ways: dict[str, PathCondition] = field(default_factory=dict)
    withheld: list[tuple[ivl.Lazy, PathCondition]] = field(default_factory=list)
    owed: list[Term] = field(default_factory=list)
    ended: bool = False

    def enter(self, label: str, edges: tuple[ivl.Edge, ...]) -> None:
        """Go on in another block. Its label leads to its way, so no other block may have it."""
        if label in self.ways:
            raise ValueError(f"two blocks {label}")
        if self.ended:
            self._forget()
        self.way = self._way(edges) if edges else ()
        self.ways[label] = self.way
        self.here = self.base
        self._start = self.base
        for condition in self.way:
            self.here = self.here.branch(condition)

    def follow(self, command: ivl.Command) -> None:
        """What is known after a command."""
        match command:
            case ivl.Assume(fact=fact, guard=guard):
                self.assume(fact, guard)
            case ivl.Assert(guard=guard):
                self.assume(command.afterwards, guard)
            case ivl.Assign(variable=variable, term=term):
                self.define(tb.equal(variable, term))
            case ivl.Lazy():
                self._withhold(command)
            case ivl.Havoc() | ivl.Side():
                pass

    def assume(self, fact: Term, guard: Term = tb.TRUE) -> None:
        self.here = self.here.assume(tb.implies(guard, fact))
        if self.way:
            self.base = self.base.assume(tb.implies(tb.conjoin(*self.way, guard), fact))
        else:
            self.base = self.here
        self.ended = self.ended or (fact is tb.FALSE and guard is tb.TRUE)

    def define(self, fact: Term) -> None:
        """A fact about a new constant, true wherever that is mentioned."""
        self.here = self.here.assume(fact, FactKind.DEFINITION)
        self.base = self.base.assume(fact, FactKind.DEFINITION) if self.way else self.here

    def aside(self, guard: Term) -> Walk:
        """A walk through a side that starts here."""
        start = self.here.branch(guard)
        return walk_from(start, self)

    def _forget(self) -> None:
        """Nobody leaves a block that ended in a contradiction: no one else needs its facts."""
        self.ended = False
        if not self.way:
            return
        kept = [e for e in self.base.since(self._start) if e.kind is not FactKind.PLAIN]
        self.base = self._start
        for entry in kept:
            self.base = self.base.assume(entry.fact, entry.kind)
        excluded = tb.negate(tb.conjoin(*self.way))
        self.base = self.base.assume(excluded, provenance=CONDITION)

    # ------------------------------------------------------------ lazy facts

    def force(self) -> bool:
        """Release what was withheld on the way to here; whether there was anything."""
        if self.forced:
            return False
        chain: list[Walk] = []
        walk: Walk | None = self
        while walk is not None:
            chain.append(walk)
            walk = walk.outer
        released: list[Term] = []
        for each in reversed(chain):
            released += each._released()
            each.owed += released
        self.resume()
        return bool(released)

    def resume(self) -> None:
        """Take over what was released while the walk went on inside a side."""
        for fact in self.owed:
            self.base = self.base.assume(fact, FactKind.GLOBAL)
            self.here = self.here.assume(fact, FactKind.GLOBAL) if self.way else self.base
        self.owed = []

    def _released(self) -> list[Term]:
        self.forced = True
        withheld, self.withheld = self.withheld, []
        return [
            tb.implies(tb.conjoin(*way, lazy.guard), fact)
            for lazy, way in withheld
            for fact in lazy.build()
        ]

    def _withhold(self, command: ivl.Lazy) -> None:
        if self.forced:
            for fact in command.build():
                self.assume(fact, command.guard)
        else:
            self.withheld.append((command, self.way))

    # ------------------------------------------------------------ reach conditions

    def _way(self, edges: tuple[ivl.Edge, ...]) -> PathCondition:
        ways: list[PathCondition] = []
        for edge in edges:
            add_path(ways, _extended(self.ways[edge.source], edge.condition))
        if len(ways) == 1:
            return ways[0]
        common = [c for c in ways[0] if all(c in way for way in ways)]
        reach = self.names.fresh()
        rest = [tb.conjoin(*[c for c in way if c not in common]) for way in ways]
        self.define(tb.equal(reach, tb.disjoin(*rest)))
        return (*common, reach)


def walk_from(base: Path, outer: Walk | None = None) -> Walk:
    """Returns a walk that has entered no block yet, on a side of another one if there is one."""
    if outer is None:
        return Walk(base, base, base)
    return Walk(base, base, base, outer, outer.names, outer.forced)


def _extended(way: PathCondition, condition: Term) -> PathCondition:
    """A way that goes on under a condition; conjuncts are conditions of their own."""
    parts = condition.args if isinstance(condition, App) and condition.symbol is AND else None
    new = (condition,) if parts is None else parts
    return (*way, *[part for part in new if part is not tb.TRUE and part not in way])
