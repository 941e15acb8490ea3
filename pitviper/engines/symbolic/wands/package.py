"""Packaging magic wands: from every state that satisfies the left-hand side, with one footprint, to
the right-hand side.

NOTE(package). The script and the right-hand side are run from a symbolic left-hand state; what is
missing is transferred from the heaps around, which each path only borrows. A path may look at
left-hand values, but what is transferred does not depend on them (one-amount), and what leaves the
outer heaps is decided once for all paths (one-footprint). Nothing that was assumed on the way
remains: execution goes on from the state before, without the footprint, with the wand. Its snapshot
function is defined path by path, under the conditions of the path. Example:

    inhale acc(x.next) && acc(x.val) && x.next == n
    package acc(list(n)) --* acc(list(x)) { fold acc(list(x)) }
    // the left-hand side gives list(n); the fold lacks x.next and x.val: both are transferred
    // afterwards the wand is held, and x.next and x.val are not
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import replace
from pitviper.encoding.symbols import WAND_APPLY, WAND_SNAPSHOT
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.access import add
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap
from pitviper.engines.symbolic.quantified.access import enriched
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.apply import locate_wand
from pitviper.engines.symbolic.wands.footprint import Footprint, assuming, chunk_at, footprint_of
from pitviper.engines.symbolic.wands.hypothetical import Packaging, Place, Transferred
from pitviper.engines.symbolic.wands.paths import End, Run, paths, planned
from pitviper.engines.symbolic.wands.transfer import reduced, transferred_out
from pitviper.program import stmt as ps
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Term


def exec_package(st: State, s: ps.Package, cx: Context) -> State:
    """The wand is added to the state, its footprint is taken out."""
    reported = cx.reported
    st, resource, holes = locate_wand(enriched(st, cx), s.wand, cx)
    if cx.reported > reported:  # without a meaning it can neither be proved nor fail
        function = cx.fresh("wand", WAND_SNAPSHOT)
        return add(st, Chunk(resource, holes, function, tb.WRITE), cx)
    supply = cx.services.supply
    packaging = Packaging(st.path, supply.mark(), cx.binders)
    left = supply.constant("left", SNAP)
    inner = replace(cx.under(left), packages=(packaging, *cx.packages))
    run = Run(st, s, left)
    ends = paths(run, planned(run, inner), inner)
    function = cx.fresh("wand", WAND_SNAPSHOT)
    definitions = _definitions(st.path, ends, function, left)
    footprint = footprint_of(st, [end.state.path for end in ends], inner.packages, cx)
    st = without(st, footprint, cx)
    for fact in definitions:
        st = st.assume(fact, FactKind.DEFINITION)
    return add(st, Chunk(resource, holes, function, tb.WRITE), cx)


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


# ---------------------------------------------------------------- the state afterwards


def without(st: State, footprint: Footprint, cx: Context) -> State:
    """Returns the state without the footprint. Chunks of an outer package that are part of it went
    through the heap of this state on their way: that both were held together there stays known."""
    st = assuming(st, footprint.choices)
    nearest, further = st.heap, st
    for place, amount in footprint.parts.items():
        if place.level == 0:
            nearest = reduced(nearest, place, amount)
        else:
            further = _passed_on(further, place, amount, cx)
    return further.holding(_tidied(nearest))


def _passed_on(st: State, place: Place, amount: Term, cx: Context) -> State:
    place = place._replace(level=place.level - 1)
    chunk = chunk_at(st.outers[place.level], place)
    st = transferred_out(st, Transferred(place, amount))
    if isinstance(chunk, Chunk):
        return add(st, replace(chunk, amount=amount), cx)
    return st.holding(st.heap.adding_quantified(replace(chunk, amount=amount)))


def _tidied(heap: Heap) -> Heap:
    """Plain chunks of which nothing is left can go: nobody outside refers to their places."""
    for resource in heap.resources():
        kept = tuple([c for c in heap.of(resource) if c.amount is not tb.NONE])
        if len(kept) < len(heap.of(resource)):
            heap = heap.replacing(resource, kept)
    return heap
