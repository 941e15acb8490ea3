"""Packaging magic wands: one footprint for all left-hand states.

NOTE(one-footprint). The script and the right-hand side are run from every state that satisfies the
left-hand side; what is missing is moved in from the heaps around, which each path only borrows. A
path may look at left-hand values, but what leaves the outer heaps is decided once, for all paths:
per chunk, the largest amount that any path took, told in terms that existed before the package (if
a path took an amount that depends on the left-hand side, a bound of it, at worst the whole chunk).
A path that took less simply owns more afterwards; its proof still stands. After the package nothing
that was assumed on the way remains: execution goes on from the state before, without the footprint,
with the wand. Its snapshot function is defined path by path, under the conditions of the path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pitviper.encoding.symbols import WAND_APPLY, WAND_SNAPSHOT
from pitviper.program import stmt as ps
from pitviper.solver.session import FactKind, Path
from pitviper.symbolic import evaluate as ev
from pitviper.symbolic import flow
from pitviper.symbolic.chunk import Chunk, QuantifiedChunk
from pitviper.symbolic.consume import consume_all
from pitviper.symbolic.context import Context
from pitviper.symbolic.heap import EMPTY, Heap
from pitviper.symbolic.heap_access import add
from pitviper.symbolic.produce import produce_all
from pitviper.symbolic.quantified_access import enriched
from pitviper.symbolic.state import State
from pitviper.symbolic.wand import LEFT_HAND_SIDE, check_wand
from pitviper.terms import build as tb
from pitviper.terms.operators import EQUAL, ITE
from pitviper.terms.snapshot import SNAP
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term


@dataclass(frozen=True, slots=True)
class End:
    """How a path through the package ended; `right` is the right-hand snapshot, None if the path
    became contradictory on the way."""

    state: State
    right: Term | None


def exec_package(st: State, s: ps.Package, cx: Context) -> State:
    """The wand is added to the state, its footprint is taken out."""
    reported = cx.reported
    check_wand(st, s.wand, cx)
    st, resource, holes = ev.locate(enriched(st, cx), s.wand, cx)
    if cx.reported > reported:  # without a meaning it can neither be proved nor fail
        function = cx.fresh("wand", WAND_SNAPSHOT)
        return add(st, Chunk(resource, holes, function, tb.WRITE), cx)
    supply = cx.services.supply
    mark = supply.mark()
    left = supply.constant("left", SNAP)
    ends = list(_paths(st, s, left, cx))
    outside = Outside(st.path, mark, left, cx)
    outers = tuple(
        [
            _without_footprint(st, heap, level, ends, outside)
            for level, heap in enumerate((st.heap, *st.outers))
        ]
    )
    function = cx.fresh("wand", WAND_SNAPSHOT)
    for fact in _definitions(st.path, ends, function, left):
        st = st.assume(fact, FactKind.DEFINITION)
    st = st.holding(outers[0]).lending(outers[1:])
    return add(st, Chunk(resource, holes, function, tb.WRITE), cx)


def _paths(st: State, s: ps.Package, left: Term, cx: Context) -> Sequence[End]:
    """All paths from a left-hand state to the right-hand side."""
    inner = cx.under(left)
    start = State(st.store, EMPTY, st.path, st.old, None, (), (st.heap, *st.outers))
    valued = replace(inner, valued=True)
    ends = []
    for s1 in produce_all(start, (s.wand.left,), left, inner):
        for s2 in flow.execute_body(s1.labelled(LEFT_HAND_SIDE, s1.heap), s.script, inner):
            if s2.is_over:
                ends.append(End(s2, None))
                continue
            for s3, right in consume_all(s2.leaving(s2.heap), (s.wand.right,), valued):
                ends.append(End(s3, None if s3.is_over else right))
    return ends


# ---------------------------------------------------------------- the snapshot function


def _definitions(base: Path, ends: Sequence[End], function: Term, left: Term) -> Sequence[Term]:
    """For each path: under its conditions, the right-hand snapshot as a function of the left."""
    variable = tb.variable("left", SNAP)
    applied = tb.apply(WAND_APPLY, function, left)
    facts = []
    for end in ends:
        if end.right is None:
            continue
        entries = end.state.path.since(base)
        conditions = [e.fact for e in entries if e.kind is FactKind.BRANCH]
        made = [e.fact for e in entries if e.kind in (FactKind.DEFINITION, FactKind.GLOBAL)]
        body = tb.implies(tb.conjoin(*conditions), tb.conjoin(*made, tb.equal(applied, end.right)))
        binding: dict[Term, Term] = {left: variable}
        trigger = substitute(applied, binding)
        facts.append(tb.forall((variable,), substitute(body, binding), ((trigger,),), "wand"))
    return facts


# ---------------------------------------------------------------- the footprint


@dataclass(frozen=True, slots=True)
class Outside:
    """Tells what existed before the package; new names for such terms count as the terms."""

    base: Path
    mark: dict[str, int]
    left: Term
    cx: Context

    def resolved(self, term: Term, path: Path) -> Term | None:
        """The term without names made inside; None if it depends on the left-hand side."""
        names = {
            e.fact.args[0]: e.fact.args[1]
            for e in path.since(self.base)
            if e.kind is FactKind.DEFINITION and isinstance(e.fact, App) and e.fact.symbol is EQUAL
        }
        for _ in range(len(names) + 1):
            if not self._is_hypothetical(term):
                return term
            expanded = substitute(term, names)
            if expanded is term:
                return None
            term = expanded
        return None

    def _is_hypothetical(self, term: Term) -> bool:
        return any(t is self.left or self._is_new(t) for t in subterms(term))

    def _is_new(self, term: Term) -> bool:
        if not isinstance(term, App) or not isinstance(term.symbol, Function):
            return False
        return self.cx.services.supply.is_since(term.symbol.name, self.mark)

    def condition(self, path: Path) -> Term:
        """The branch conditions of a path that speak only about what existed before."""
        known = [
            self.resolved(e.fact, path) for e in path.since(self.base) if e.kind is FactKind.BRANCH
        ]
        return tb.conjoin(*[c for c in known if c is not None])

    def bound(self, taken: Term, whole: Term, st: State) -> Term:
        """An amount told in outside terms that is at least what a path took."""
        exact = self.resolved(taken, st.path)
        if exact is not None:
            return exact
        for candidate in _leaves(taken):
            known = self.resolved(candidate, st.path)
            if known is not None and self.cx.may_prove(st, tb.at_most(taken, known)):
                return known
        return whole


def _leaves(term: Term) -> list[Term]:
    """The amounts that a conditional amount may be."""
    if isinstance(term, App) and term.symbol is ITE:
        return [*_leaves(term.args[1]), *_leaves(term.args[2])]
    return [term]


def _without_footprint(
    st: State, heap: Heap, level: int, ends: Sequence[End], outside: Outside
) -> Heap:
    """Chunks of heaps further out keep their places, even if nothing is left of them: a package
    around this one finds them by their places, too."""
    for resource in heap.resources():
        plain = [
            replace(chunk, amount=_rest(st, chunk, level, ends, outside, _plain_at(at)))
            for at, chunk in enumerate(heap.of(resource))
        ]
        kept = [chunk for chunk in plain if level or chunk.amount is not tb.NONE]
        heap = heap.replacing(resource, tuple(kept))
    for resource in heap.quantified_resources():
        wide = [
            replace(chunk, amount=_rest(st, chunk, level, ends, outside, _wide_at(at)))
            for at, chunk in enumerate(heap.quantified(resource))
        ]
        heap = heap.replacing_quantified(resource, tuple(wide))
    return heap


AnyChunk = Chunk | QuantifiedChunk
Find = Callable[[Heap, AnyChunk], AnyChunk]


def _plain_at(at: int) -> Find:
    return lambda heap, chunk: heap.of(chunk.resource)[at]


def _wide_at(at: int) -> Find:
    return lambda heap, chunk: heap.quantified(chunk.resource)[at]


def _rest(  # noqa: PLR0913 - a helper of one caller
    st: State, chunk: AnyChunk, level: int, ends: Sequence[End], outside: Outside, find: Find
) -> Term:
    """What a chunk keeps: all but the most that any path took of it."""
    taken: dict[Term, list[Term]] = {}
    for end in ends:
        lent = find(end.state.outers[level], chunk)
        if lent.amount is chunk.amount:
            continue
        part = tb.minus(chunk.amount, lent.amount)
        bound = outside.bound(part, chunk.amount, end.state)
        taken.setdefault(bound, []).append(outside.condition(end.state.path))
    most: Term = tb.NONE
    for amount, conditions in taken.items():
        some = tb.ite(tb.disjoin(*conditions), amount, tb.NONE)
        most = some if most is tb.NONE else tb.ite(tb.at_least(most, some), most, some)
    rest = tb.minus(chunk.amount, most)
    if isinstance(chunk, Chunk) and outside.cx.may_prove(st, tb.at_most(rest, tb.NONE)):
        return tb.NONE
    return rest
