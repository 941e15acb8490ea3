"""Inside a package, what is missing is moved in from around.

NOTE(one-footprint). A move adds an amount that is told in outer terms, at an index that is told in
outer terms, so it is the same for all left-hand states that get here. The footprint has, for each
index, at least the sum of the moves that any execution makes: `got` is what an execution has got so
far, the footprint the largest of its bounds. Conditions on the way count only if they are outer:

    package acc(x.f) --* acc(x.f) && (b ? acc(y.f) : acc(z.f))      the footprint is `b ? y.f : z.f`
    package acc(x.f) --* acc(x.f) && (x.f > 0 ? acc(y.f) : acc(z.f))         it is `y.f` and `z.f`

because `b` is known where the wand is packaged, and `x.f` only where it is applied.

NOTE(no more than there is). An amount may be known to fit only because of what the left-hand side
says. What is moved is brought back between nothing and what there is around; whether it is enough
is then asked where it is needed. That the footprint is there is an obligation of its own.

    inhale acc(x.f, 1/2)
    package acc(y.f, p) && p <= 1/2 --* acc(y.f, p) && acc(x.f, p)

needs `p` of `x.f`; what is moved in is the smaller one of `p` and the half that is there.
"""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.add import add_valued
from pitviper.engines.vcg.heap.entry import (
    AnyEntry,
    Entry,
    Family,
    Index,
    Portion,
    QuantifiedEntry,
    Request,
    Sign,
    is_positive,
)
from pitviper.engines.vcg.heap.total import (
    amount_here,
    are_apart,
    covers,
    own_entry,
    same_index,
    total,
    total_in,
    value_in,
)
from pitviper.engines.vcg.quantified.inverse import formals_of
from pitviper.engines.vcg.state import Heap, State
from pitviper.engines.vcg.wands.packaging import Move, Moved, Packaging, Part, larger, smaller
from pitviper.engines.vcg.wands.quantified import QuantifiedNeed, transfer_quantified
from pitviper.engines.vcg.wands.value import only_wand_value
from pitviper.solver.session import SUBSET
from pitviper.terms import build as tb
from pitviper.terms.sort import PERM
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Term

MAX_PLACES = 4
"""Locations around of which one is meant, it is not known which."""


def transfer(st: State, need: Request, cx: Context) -> State:
    """The state with what it lacks, as far as that is to be had around the package.

    Nothing is moved in inside a loop, which would do it again and again.
    """
    packaging = cx.packaging
    if not isinstance(packaging, Packaging) or st.frames or cx.reading:
        return st
    if _is_there(st, need, cx):
        return st
    places = _places(packaging, st, need, cx)
    if not places and _is_somewhere(packaging, need, cx):
        return transfer_quantified(
            st, QuantifiedNeed(need.kind, None, wildcard=False, node=need.node), cx
        )
    for index in places:
        here = replace(need, index=index)
        st = _rest_of_footprint(packaging, st, here, cx)
        if _is_there(st, need, cx):
            break
        if packaging.outer is None or _is_around(packaging, here, cx):
            move = _decide(packaging, st, here, cx)
            if move is not None:
                _note(packaging, st, here, move, cx)
                st = receive(st, move, cx)
        if packaging.outer is not None and not _is_there(st, need, cx):
            st = _transfer_from_further_out(packaging, st, here, cx)
    return st


def _note(packaging: Packaging, st: State, need: Request, move: Move, cx: Context) -> None:
    always = st.guard is tb.TRUE and not st.decisions
    joined = total(st, need.kind, need.index, cx) is not tb.NONE
    packaging.moved.append(Moved(move, need.node, packaging.late, joined, always))


def _rest_of_footprint(packaging: Packaging, st: State, need: Request, cx: Context) -> State:
    """What other executions have taken belongs to the footprint in any case."""
    place = (need.kind, need.index)
    part = packaging.parts.get(place)
    got = st.transferred.get(place, tb.NONE)
    if part is None or need.kind.what is Family.WAND:
        return st
    rest = tb.minus(part.amount, got)
    if rest is tb.NONE or cx.proves(st, tb.at_most(rest, tb.NONE)):
        return st
    value = _value(packaging.before, need, cx)
    st = receive(st, Move(need.kind, need.index, rest, value), cx)
    return replace(st, transferred={**st.transferred, place: part.amount})


def _is_somewhere(packaging: Packaging, need: Request, cx: Context) -> bool:
    """Whether the state around surely has it, in a quantified permission."""
    before = packaging.before
    if not any(isinstance(e, QuantifiedEntry) for e in before.heap.entries(need.kind)):
        return False
    there = total_in(before, before.heap, need.kind, need.index, cx)
    enough = tb.greater(there, tb.NONE) if need.wildcard else tb.at_least(there, need.amount)
    return cx.services.emitter.proves(tb.implies(before.guard, enough), SUBSET, lazily=True)


def _is_around(packaging: Packaging, need: Request, cx: Context) -> bool:
    """Whether the state around surely has something of it."""
    before = packaging.before
    there = total_in(before, before.heap, need.kind, need.index, cx)
    return cx.proves(before, tb.greater(there, tb.NONE))


def _transfer_from_further_out(
    packaging: Packaging, st: State, need: Request, cx: Context
) -> State:
    """What is not around this package may be around the one outside: it goes through here."""
    wanted = _wanted(packaging, st, need, cx)
    got = packaging.upper(st.transferred.get((need.kind, need.index), tb.NONE))
    if wanted is not None and got is not None:
        condition = packaging.outer_part((*st.decisions, st.guard))
        _fetch(packaging, need, tb.ite(condition, tb.plus(got, wanted), tb.NONE), cx)
    else:
        _fetch(packaging, need, None, cx)
    move = _decide(packaging, st, need, cx)
    return st if move is None else receive(st, move, cx)


def receive(st: State, move: Move, cx: Context) -> State:
    """A part comes in, where the assertion that needs it sees it, and where it takes it from."""
    place = (move.kind, move.index)
    st = cx.assume(st, tb.at_least(move.amount, tb.NONE))
    left = st.left
    with_part = add_valued(
        replace(st, left=None), Portion(move.kind, move.index, move.amount), move.value, cx
    )
    if left is not None:
        with_part = with_part.leaving(_added(left, with_part, move))
    got = tb.plus(st.transferred.get(place, tb.NONE), move.amount)
    return replace(with_part, transferred={**st.transferred, place: got})


def _added(left: Heap, st: State, move: Move) -> Heap:
    """The remainder of an exhale with the same part; what is known about it was said before."""
    entry = Entry(move.index, move.amount, Sign.PLUS, move.value)
    entries: list[AnyEntry] = list(left.entries(move.kind))
    if move.kind.what is not Family.WAND:
        for at, other in enumerate(entries):
            if isinstance(other, Entry) and other.index == move.index:
                sign = Sign.PLUS if other.sign is Sign.PLUS else Sign.OPEN
                value = move.value if is_positive(move.amount, st.known) else None
                amount = tb.plus(other.amount, move.amount)
                entries[at] = Entry(other.index, amount, sign, value)
                break
        else:
            entries.append(entry)
    else:
        entries.append(entry)
    array = st.heap.array(move.kind)
    return left.valued(move.kind, array).holding(move.kind, tuple(entries))


# ---------------------------------------------------------------- what is missing


def _is_there(st: State, need: Request, cx: Context) -> bool:
    own = own_entry(st, st.held, need.kind, need.index, cx)
    if own is not None:
        entry = own[1]
        if is_positive(entry.amount, st.known) if need.wildcard else covers(entry, need.amount):
            return True
    held = total(st, need.kind, need.index, cx)
    some = tb.greater(held, tb.NONE) if need.wildcard else tb.at_least(held, need.amount)
    return _proves(st, some, cx)


def _proves(st: State, goal: Term, cx: Context) -> bool:
    """With and without what is withheld: nothing should be taken in vain."""
    if cx.proves(st, goal):
        return True
    emitter = cx.services.emitter
    return emitter.proves(tb.implies(st.guard, goal), SUBSET, lazily=True)


def _places(packaging: Packaging, st: State, need: Request, cx: Context) -> list[Index]:
    """Outer indices of the location; several where it is one of a few."""
    if packaging.is_outer(*need.index):
        return [need.index]
    found: list[Index] = []
    for entry in packaging.before.heap.entries(need.kind):
        if (
            isinstance(entry, Entry)
            and entry.index not in found
            and not are_apart(st, need.kind, entry, need.index, cx)
        ):
            found.append(entry.index)
    for index in found:
        if _proves(st, same_index(index, need.index, cx), cx):
            return [index]
    if 1 < len(found) <= MAX_PLACES:
        one = tb.disjoin(*[same_index(index, need.index, cx) for index in found])
        if _proves(st, one, cx):
            return found
    return []


# ---------------------------------------------------------------- how much is moved


def _decide(packaging: Packaging, st: State, need: Request, cx: Context) -> Move | None:
    place = (need.kind, need.index)
    got = packaging.upper(st.transferred.get(place, tb.NONE))
    if got is None:
        return None
    wanted = None if need.wildcard else _wanted(packaging, st, need, cx)
    wide = packaging.upper(_quantified_share(st, need))
    if wide is None:
        return None
    got_all = tb.plus(got, wide)
    rest = tb.minus(_around(packaging, need, tb.plus(got_all, wanted or tb.NONE), cx), got_all)
    if rest is tb.NONE:
        return None
    if need.wildcard:
        amount = _choose(packaging, st, rest, cx)
    else:
        amount = _within(packaging, wanted, rest, cx)
    if amount is tb.NONE:
        return None
    condition = packaging.outer_part((*st.decisions, st.guard))
    part = packaging.parts.get(place)
    most = tb.ite(condition, tb.plus(got, amount), tb.NONE)
    if part is not None:
        most = larger(part.amount, most)
    packaging.parts[place] = Part(most, need.node if part is None else part.node)
    return Move(need.kind, need.index, amount, _value(packaging.before, need, cx))


def _quantified_share(st: State, need: Request) -> Term:
    """What was moved in of the location with many others."""
    formals = formals_of(need.kind.index)
    moved = st.transferred.get((need.kind, formals)) if formals else None
    if moved is None:
        return tb.NONE
    return substitute(moved, dict(zip(formals, need.index, strict=True)))


def _around(packaging: Packaging, need: Request, wanted: Term, cx: Context) -> Term:
    """What the state around has of a location; under its own name if that is surely enough. A
    wildcard is less than all there is, under any name."""
    before = packaging.before
    own = own_entry(before, before.heap, need.kind, need.index, cx)
    if own is not None and need.kind.what is not Family.WAND and not need.wildcard:
        goal = tb.implies(before.guard, tb.at_least(own[1].amount, wanted))
        if cx.services.emitter.proves(goal, depth=packaging.depth):
            return own[1].amount
    return total_in(before, before.heap, need.kind, need.index, cx)


def _value(before: State, need: Request, cx: Context) -> Term:
    if need.kind.what is Family.WAND:
        return only_wand_value(before, before.heap, need.kind, need.index, cx)
    return value_in(before, before.heap, need.kind, need.index, cx)


def _wanted(packaging: Packaging, st: State, need: Request, cx: Context) -> Term | None:
    """A bound of what is missing; None if no bound of what is needed can be told."""
    most = packaging.upper(need.amount)
    if most is None:
        return None
    held = packaging.lower(_surely(st, st.held, need, cx))
    return tb.minus(most, tb.NONE if held is None else held)


def _surely(st: State, heap: Heap, need: Request, cx: Context) -> Term:
    """What is there under names that are known to be the same; all of it where something is owed.

    That other names may mean the same location makes no difference: if they do, more is taken than
    is needed, but what is taken does not fit what is there, and the left-hand state is impossible.
    """
    found: list[Term] = []
    for entry in heap.entries(need.kind):
        if isinstance(entry, QuantifiedEntry) or entry.sign is not Sign.PLUS:
            return total_in(st, heap, need.kind, need.index, cx)
        if entry.index == need.index or (
            not are_apart(st, need.kind, entry, need.index, cx)
            and cx.proves(st, same_index(entry.index, need.index, cx))
        ):
            found.append(amount_here(st, entry.amount))
    return tb.total(found)


def _within(packaging: Packaging, wanted: Term | None, rest: Term, cx: Context) -> Term:
    """Not more than there is, not less than nothing."""

    def proved(goal: Term) -> bool:
        guarded = tb.implies(packaging.before.guard, goal)
        return cx.services.emitter.proves(guarded, depth=packaging.depth)

    amount = rest if wanted is None else wanted
    if wanted is not None and not proved(tb.at_most(wanted, rest)):
        amount = smaller(wanted, rest)
    return amount if proved(tb.at_least(amount, tb.NONE)) else larger(amount, tb.NONE)


def _choose(packaging: Packaging, st: State, rest: Term, cx: Context) -> Term:
    """Some of what there is, not all of it; nothing, if nothing is there."""
    amount = cx.services.supply.constant("share", PERM)
    some = tb.greater(rest, tb.NONE)
    inside = tb.conjoin(tb.greater(amount, tb.NONE), tb.less(amount, rest))
    fact = tb.ite(some, inside, tb.equal(amount, tb.NONE))
    packaging.allowed.add(amount.symbol)
    packaging.chosen.append(fact)
    cx.learn(replace(st, guard=tb.TRUE), fact)
    return amount


def _fetch(packaging: Packaging, need: Request, wanted: Term | None, cx: Context) -> None:
    """Move into the state around this package what it lacks and the one outside has."""
    outer = packaging.outer
    assert outer is not None
    inner = replace(cx, packaging=outer)
    amount = need.amount if wanted is None else wanted
    before = packaging.before
    asked = replace(need, amount=amount)
    if before.frames or _is_there(before, asked, inner):
        return
    for index in _places(outer, before, asked, inner):
        move = _decide(outer, before, replace(asked, index=index), inner)
        if move is not None:
            before = receive(before, move, inner)
            packaging.fetched.append(move)
    packaging.before = before
