"""Inside a package, quantified permissions that are missing are moved in from around.

As for single locations (see `transfer.py`): amounts are functions of the index, in outer terms. The
values of what is moved in are those around; the array of the package takes them over there.
"""

from __future__ import annotations

from pitviper.base.record import record, replace
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import Family, Index, Kind, QuantifiedEntry, Sign
from pitviper.engines.vcg.heap.total import link_values, same_index, total, total_in, unvalued
from pitviper.engines.vcg.ivl.language import Assert
from pitviper.engines.vcg.quantified.inverse import formals_of
from pitviper.engines.vcg.state import Heap, State
from pitviper.engines.vcg.wands.packaging import Packaging, Part, Remembered, larger, smaller
from pitviper.engines.vcg.wands.value import remembered_together
from pitviper.program.node import Node
from pitviper.solver.session import SUBSET
from pitviper.terms import build as tb
from pitviper.terms.sort import PERM
from pitviper.terms.term import App, Literal, Term, Var


@record
class QuantifiedNeed:
    """Amounts over the formals of a kind; None for all there is. With `wildcard`, any part of what
    is there will do, wherever the amount is not none. `facts` say what the amounts mean; they
    follow from `goal`, which is proved outside."""

    kind: Kind
    amount: Term | None
    wildcard: bool
    node: Node
    facts: tuple[Term, ...] = ()
    goal: Term = tb.TRUE

    @property
    def formals(self) -> tuple[Var, ...]:
        return formals_of(self.kind.index)


def transfer_quantified(st: State, need: QuantifiedNeed, cx: Context) -> State:
    """The state with what it lacks; not inside a loop, and not for kinds without indices."""
    packaging = cx.packaging
    if not isinstance(packaging, Packaging) or st.frames or cx.reading or not need.kind.index:
        return st
    packaging.chosen.extend(need.facts)
    if need.goal is not tb.TRUE:
        packaging.goals.append((need.goal, need.node))
    amount = _decide(packaging, st, need, cx)
    return st if amount is None else _receive(packaging, st, need, amount, cx)


def is_quantified_index(index: Index) -> bool:
    """Whether a part of a footprint is a function of the index."""
    return bool(index) and all(isinstance(part, Var) for part in index)


# ---------------------------------------------------------------- how much is moved


def _decide(packaging: Packaging, st: State, need: QuantifiedNeed, cx: Context) -> Term | None:
    before, place = packaging.before, (need.kind, need.formals)
    got = packaging.upper(st.transferred.get(place, tb.NONE))
    others = packaging.upper(_otherwise(st, need, cx))
    if got is None or others is None:
        return None
    there = total_in(before, before.heap, need.kind, need.formals, cx)
    rest = tb.minus(tb.minus(there, got), others)
    if need.wildcard:
        amount = _share(packaging, st, need, rest, cx)
    else:
        amount = _within(packaging, _wanted(packaging, st, need, cx), rest, need, cx)
    if amount is tb.NONE:
        return None
    condition = packaging.outer_part((*st.decisions, st.guard))
    most = tb.ite(condition, tb.plus(got, amount), tb.NONE)
    part = packaging.parts.get(place)
    if part is not None:
        most = larger(part.amount, most)
    packaging.parts[place] = Part(most, need.node if part is None else part.node)
    return amount


def _otherwise(st: State, need: QuantifiedNeed, cx: Context) -> Term:
    """What was moved in for single locations, as a function of the index."""
    return tb.total(
        [
            tb.ite(same_index(index, need.formals, cx), amount, tb.NONE)
            for (kind, index), amount in st.transferred.items()
            if kind == need.kind and not is_quantified_index(index)
        ]
    )


def _wanted(packaging: Packaging, st: State, need: QuantifiedNeed, cx: Context) -> Term | None:
    most = None if need.amount is None else packaging.upper(need.amount)
    if most is None:
        return None
    held = packaging.lower(total_in(st, st.held, need.kind, need.formals, cx))
    return tb.minus(most, tb.NONE if held is None else held)


def _within(
    packaging: Packaging, wanted: Term | None, rest: Term, need: QuantifiedNeed, cx: Context
) -> Term:
    """Not more than there is, not less than nothing, at every index."""

    def proved(goal: Term) -> bool:
        closed = tb.forall(need.formals, tb.implies(packaging.before.guard, goal), (), "lend")
        return cx.services.emitter.proves(closed, SUBSET, depth=packaging.depth)

    amount = rest if wanted is None else wanted
    if wanted is not None and not proved(tb.at_most(wanted, rest)):
        amount = smaller(wanted, rest)
    return amount if proved(tb.at_least(amount, tb.NONE)) else larger(amount, tb.NONE)


def _share(packaging: Packaging, st: State, need: QuantifiedNeed, rest: Term, cx: Context) -> Term:
    """Some of what there is at every index that is meant, not all of it."""
    assert need.amount is not None
    meant = tb.greater(need.amount, tb.NONE)
    if isinstance(need.amount, App) and need.amount.args and need.amount.args[-1] is tb.NONE:
        meant = need.amount.args[0]
    if not packaging.is_outer(meant):
        meant = tb.TRUE
    sorts = tuple([formal.sort for formal in need.formals])
    symbol = cx.services.supply.function("share", sorts, PERM)
    share = tb.apply(symbol, *need.formals)
    inside = tb.conjoin(tb.greater(share, tb.NONE), tb.less(share, rest))
    some = tb.ite(tb.greater(rest, tb.NONE), inside, tb.equal(share, tb.NONE))
    fact = tb.forall(need.formals, some, ((share,),), "share")
    packaging.allowed.add(symbol)
    packaging.chosen.append(fact)
    cx.learn(replace(st, guard=tb.TRUE), fact)
    return tb.ite(meant, share, tb.NONE)


# ---------------------------------------------------------------- what comes in


def _receive(
    packaging: Packaging, st: State, need: QuantifiedNeed, amount: Term, cx: Context
) -> State:
    kind, formals = need.kind, need.formals
    around = packaging.before.heap
    values = remembered_together(around, kind) if kind.what is Family.WAND else None
    entry = QuantifiedEntry(formals, amount, Sign.PLUS, amount, values)
    heap, left = st.heap, st.left
    if kind.what is not Family.WAND:
        array = _joined_array(packaging, st, need, amount, cx)
        heap = unvalued(heap, kind).valued(kind, array)
        left = None if left is None else unvalued(left, kind).valued(kind, array)
    heap = _with(heap, kind, entry)
    left = None if left is None else _with(left, kind, entry)
    place = (kind, formals)
    got = tb.plus(st.transferred.get(place, tb.NONE), amount)
    st = replace(st, heap=heap, left=left, transferred={**st.transferred, place: got})
    if kind.is_field and not cx.in_function:
        held = total_in(st, st.heap, kind, formals, cx)
        read = kind.select(st.heap.array(kind), formals)
        bound = tb.forall(formals, tb.at_most(held, tb.WRITE), ((read,),), f"bound.{kind.name}")
        cx.learn(st, bound)
    return st


def _with(heap: Heap, kind: Kind, entry: QuantifiedEntry) -> Heap:
    return heap.holding(kind, (*heap.entries(kind), entry))


def _joined_array(
    packaging: Packaging, st: State, need: QuantifiedNeed, amount: Term, cx: Context
) -> Term:
    """The values around where something comes in, the ones here elsewhere; where something is here
    already, both are the same."""
    kind, formals, before = need.kind, need.formals, packaging.before
    link_values(before, kind, cx)
    link_values(st, kind, cx)
    array = cx.fresh(f"{kind.name}_values", kind.sort)
    here = kind.select(array, formals)
    outside = kind.select(before.heap.array(kind), formals)
    inside = kind.select(st.heap.array(kind), formals)
    some = tb.greater(amount, tb.NONE)
    made = Remembered(formals, here, tb.ite(some, outside, inside))
    packaging.remembered.append(made)
    cx.learn(replace(st, guard=tb.TRUE), made.fact)
    if st.heap.entries(kind):
        held = tb.greater(total_in(st, st.heap, kind, formals, cx), tb.NONE)
        same = tb.implies(tb.conjoin(some, held), tb.equal(outside, inside))
        cx.learn(st, tb.forall(formals, same, ((here,),), f"agree.{kind.name}"))
    return array


# ---------------------------------------------------------------- what goes


def claim_quantified(st: State, kind: Kind, part: Part, cx: Context) -> None:
    """A part of a footprint is there, at every index."""
    formals = formals_of(kind.index)
    constants = tuple([cx.services.supply.constant("r", formal.sort) for formal in formals])
    entry = QuantifiedEntry(formals, part.amount, Sign.PLUS)
    amount = entry.at(constants)
    goal = tb.conjoin(
        tb.at_least(amount, tb.NONE), tb.at_least(total(st, kind, constants, cx), amount)
    )
    if not isinstance(goal, Literal) or goal is tb.FALSE:
        reason = "wand.not.found" if kind.what is Family.WAND else "insufficient.permission"
        obligation = cx.obligation(reason, part.node, part.node)
        cx.services.emitter.emit(Assert(goal, obligation, st.guard, constants, tb.TRUE))
