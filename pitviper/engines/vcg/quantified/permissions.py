"""Quantified permissions: many locations inhaled, exhaled or looked at, at once.

NOTE(quantified-entries). A quantified permission is one summand: an amount for every index. What is
exhaled first cancels a summand with the same amounts, else it becomes a negative one. Values are
those of the array. Where permission is lost, a new array takes over what is still held.
"""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import record, replace
from pitviper.encoding.operators import NULL
from pitviper.encoding.triggers.sums import obstacles, term_triggers
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import AnyEntry, Entry, Family, Kind, QuantifiedEntry, Sign
from pitviper.engines.vcg.heap.total import held_anywhere, total, total_in
from pitviper.engines.vcg.ivl.language import Assert
from pitviper.engines.vcg.quantified import statements
from pitviper.engines.vcg.quantified import terms as qt
from pitviper.engines.vcg.quantified.inverse import Inverse, formals_of, image_in, injectivity
from pitviper.engines.vcg.quantified.slice import SLICES, slice_axioms, slice_term
from pitviper.engines.vcg.rules.quantifier import Check
from pitviper.engines.vcg.state import Heap, State
from pitviper.engines.vcg.wands.packaging import Packaging
from pitviper.engines.vcg.wands.quantified import QuantifiedNeed, transfer_quantified
from pitviper.engines.vcg.wands.value import remembered_together
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.solver.session import SUBSET
from pitviper.terms import build as tb
from pitviper.terms.snapshot import UNIT, unwrap
from pitviper.terms.sort import BOOL, REF
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import function
from pitviper.terms.term import App, Term

_OBJECT = function("is an object", (REF,), BOOL)
"""Not for null. If `forall r :: r != null` were said like that, the solver would see at once that
it is false, and with it the permissions of programs that claim all locations of a field."""


@record
class Slice:
    """Locations of a kind of which permission was given up: any of them."""

    kind: Kind


# ---------------------------------------------------------------- inhale


def inhale_quantified(
    st: State, a: pa.QuantifiedPermission, snap: Term | None, cx: Context
) -> State:
    """One more summand; with a snapshot, also the values it has."""
    e = qt.evaluate_quantified(st, a, cx)
    if e is None:
        return st
    inverse = qt.checked_inverse(st, e, cx)
    amount = inverse.amount(e.denoted)
    _assume_held(st, e, cx)
    if snap is not None and e.kind.what is not Family.WAND:
        st = _valued(st, e, inverse, snap, cx)
    st = st.on(_added(st.heap, e.kind, amount, snap, cx))
    _bound(st, e.kind, cx)
    return st


def _bound(st: State, kind: Kind, cx: Context) -> None:
    """No field is held more than once in all: at indices with an entry of their own, and wherever
    the latest summand meets another one."""
    if not kind.is_field or cx.in_function or len(st.heap.entries(kind)) < 2:
        return

    def build() -> tuple[Term, ...]:
        *others, latest = st.heap.entries(kind)
        facts = [
            tb.at_most(total_in(st, st.heap, kind, other.index, cx), tb.WRITE)
            for other in others
            if isinstance(other, Entry)
        ]
        meet = [
            pattern
            for other in others
            if _is_quantified(other)
            for pattern in _meeting(st, kind, latest, other)
        ]
        patterns = tuple([p for p in meet if all(not obstacles(t) for t in p)])
        if patterns:
            formals = formals_of(kind.index)
            bound = tb.at_most(total_in(st, st.heap, kind, formals, cx), tb.WRITE)
            facts.append(tb.forall(formals, bound, patterns, f"bound.{kind.name}"))
        return tuple(facts)

    cx.lazily(st, build)


def _is_quantified(entry: AnyEntry) -> bool:
    return isinstance(entry, QuantifiedEntry) and entry.sign is Sign.PLUS


def _meeting(st: State, kind: Kind, one: AnyEntry, other: AnyEntry) -> tuple[tuple[Term, ...], ...]:
    """What shows that both summands may say something about an index: their inverses, or their
    conditions if they have none; where one has an inverse and one has none, a read as well."""
    formals = formals_of(kind.index)
    read = (kind.select(st.heap.array(kind), formals),)
    by_condition: list[Term] = []
    by_read: list[Term] = []
    for entry in (one, other):
        image = image_in(entry.amount)
        if image is not None:
            by_condition.append(image)
            by_read.append(image)
        else:
            by_condition += (*term_triggers(formals, (entry.amount,)), read)[0]
            by_read += read
    ways = [by_condition] if by_read == [*read, *read] else [by_condition, by_read]
    return tuple(dict.fromkeys([tuple(dict.fromkeys(way)) for way in ways]))


def _added(heap: Heap, kind: Kind, amount: Term, snap: Term | None, cx: Context) -> Heap:
    """With one more summand, or without the debt that it pays; instances of wands are new ones,
    which remember what the snapshot says, if there is one."""
    formals = formals_of(kind.index)
    entries = heap.entries(kind)
    for at, other in enumerate(entries):
        if isinstance(other, QuantifiedEntry) and other.key is amount and other.sign is Sign.MINUS:
            return heap.holding(kind, (*entries[:at], *entries[at + 1 :]))
    values = None
    if kind.what is Family.WAND:
        values = cx.fresh("wands", kind.sort) if snap is None else unwrap(snap, kind.sort)
    entry = QuantifiedEntry(formals, amount, Sign.PLUS, amount, values)
    return heap.holding(kind, (*entries, entry))


def _assume_held(st: State, e: qt.Evaluated, cx: Context) -> None:
    """What holding the locations means, each fact under the condition of its values."""
    d, name = e.denoted, f"held.{e.kind.name}"
    read = e.kind.select(qt.matchable(st.heap.array(e.kind), cx), d.args)
    if not e.wildcard:
        positive = tb.implies(d.condition, tb.at_least(d.amount, tb.NONE))
        cx.learn(st, d.generalised(positive, name, read))
    if not e.kind.is_field:
        return
    if not cx.in_function:
        bounded = tb.implies(d.condition, tb.at_most(d.amount, tb.WRITE))
        cx.learn(st, d.generalised(bounded, name, read))
    exists = tb.implies(d.meant, tb.apply(_OBJECT, d.args[0]))
    cx.learn(st, d.generalised(exists, name, read))
    cx.services.emitter.assume(tb.negate(tb.apply(_OBJECT, NULL)))


def _valued(st: State, e: qt.Evaluated, inverse: Inverse, snap: Term, cx: Context) -> State:
    """The values of the snapshot at the indices that are denoted, the old ones at those held.

    Elsewhere nothing is known. A function cannot look there, so for its own footprint the array of
    the snapshot does as it is.
    """
    kind, old = e.kind, st.heap.array(e.kind)
    new = unwrap(snap, kind.sort)
    nothing = not any(h.entries(kind) for h in (st.heap, *st.frames))
    if not kind.index or ((cx.function is not None or cx.alone) and nothing):
        return st.on(st.heap.valued(kind, new))
    both = cx.fresh(f"{kind.name}_values", kind.sort)
    formals = formals_of(kind.index)
    here = kind.select(both, formals)
    taken = tb.greater(inverse.amount(e.denoted), tb.NONE)
    facts = [tb.implies(taken, tb.equal(here, kind.select(new, formals)))]
    if not nothing:
        held = tb.greater(held_anywhere(st, st.heap, kind, formals, cx), tb.NONE)
        facts.append(tb.implies(held, tb.equal(here, kind.select(old, formals))))
    cx.learn(st, tb.forall(formals, tb.conjoin(*facts), ((here,),), f"values.{kind.name}"))
    return st.on(qt.without_values(st, kind, cx).valued(kind, both))


# ---------------------------------------------------------------- exhale


def exhale_quantified(
    st: State, a: pa.QuantifiedPermission, cx: Context, given_up: dict[object, None]
) -> State:
    """Every location must be held; each gives its amount."""
    e = qt.evaluate_quantified(st, a, cx)
    if e is None:
        return st
    inverse = qt.checked_inverse(st, e, cx)
    if cx.reading:
        _claim(st, e, lambda held: tb.greater(held, tb.NONE), cx)
        return st
    amount = inverse.amount(e.denoted)
    given_up[Slice(e.kind)] = None
    qt.link_values(st, e.kind, cx)
    if _own(st, e.kind, amount) is not None:
        return st.leaving(taken(st.held, e.kind, amount))
    if cx.packaging is not None:
        cx.learn(st, _back_again(e, inverse))
    if cx.packaging is not None and not _is_there(st, e, cx):
        need = QuantifiedNeed(
            e.kind, amount, e.wildcard, e.location, *_facts_outside(e, inverse, cx)
        )
        st = transfer_quantified(st, need, cx)
    if e.wildcard:
        _claim(st, e, lambda held: tb.greater(held, tb.NONE), cx)
        _leave_some(st, e, cx)
    else:
        _claim(st, e, lambda held: tb.at_least(held, e.denoted.amount), cx)
    if cx.claiming and not st.held.entries(e.kind):
        return st  # where nothing was, nothing went: a debt would only hide what comes in later
    return st.leaving(taken(st.held, e.kind, amount))


def _back_again(e: qt.Evaluated, inverse: Inverse) -> Term:
    """The inverse functions at the index of the constants, which no trigger may match."""
    d = e.denoted
    here: dict[Term, Term] = dict(zip(formals_of(e.kind.index), d.args, strict=True))
    same = [tb.equal(substitute(inverse.back[x], here), x) for x in d.xs if x in inverse.back]
    return tb.implies(d.meant, tb.conjoin(substitute(inverse.image, here), *same))


def _facts_outside(e: qt.Evaluated, inverse: Inverse, cx: Context) -> tuple[tuple[Term, ...], Term]:
    """What is known about inverse functions also outside of a package: all of it, if different
    values denote different indices there, whatever the left-hand side is; and that goal."""
    packaging = cx.packaging
    assert isinstance(packaging, Packaging)
    goal, _ = injectivity(e.denoted, tb.TRUE, cx.services.symbols.inverses, cx.services.supply)
    if not packaging.is_outer(*inverse.facts):
        return (), tb.TRUE
    if not cx.services.emitter.proves(goal, SUBSET, depth=packaging.depth):
        return (), tb.TRUE
    return inverse.facts, goal


def _is_there(st: State, e: qt.Evaluated, cx: Context) -> bool:
    """Whether nothing has to be moved into a package."""
    d = e.denoted
    held = total(st, e.kind, d.args, cx)
    enough = tb.greater(held, tb.NONE) if e.wildcard else tb.at_least(held, d.amount)
    return cx.proves(st, tb.implies(tb.conjoin(d.meant, e.learnt), enough), SUBSET)


def _own(st: State, kind: Kind, amount: Term) -> int | None:
    """The place of a summand with just these amounts, if no debt may concern the same indices."""
    entries = st.held.entries(kind)
    if any(entry.sign is not Sign.PLUS for entry in entries):
        return None
    for at, other in enumerate(entries):
        if isinstance(other, QuantifiedEntry) and other.key is amount:
            return at
    return None


def taken(heap: Heap, kind: Kind, amount: Term) -> Heap:
    """Without a summand that has just these amounts, or with a debt."""
    entries = heap.entries(kind)
    for at, other in enumerate(entries):
        if isinstance(other, QuantifiedEntry) and other.key is amount and other.sign is Sign.PLUS:
            kept = (*entries[:at], *entries[at + 1 :])
            return qt.unvalued(heap.holding(kind, kept), kind)
    debt = QuantifiedEntry(formals_of(kind.index), tb.minus(tb.NONE, amount), Sign.MINUS, amount)
    return qt.unvalued(heap.holding(kind, (*entries, debt)), kind)


def _claim(st: State, e: qt.Evaluated, goal: Callable[[Term], Term], cx: Context) -> None:
    """A goal about what is held at any index that is meant; if it is proved, nothing is known from
    it afterwards, because the sums say the same."""
    if not cx.claiming:
        return
    d = e.denoted
    held = total(st, e.kind, d.args, cx)
    wanted = tb.implies(tb.conjoin(d.meant, e.learnt), goal(held))
    if wanted is tb.TRUE:
        return
    reason = "wand.not.found" if e.kind.what is Family.WAND else "insufficient.permission"
    obligation = cx.obligation(reason, e.location, e.location)
    constants = tuple([x for x in d.xs if isinstance(x, App)])
    granted = d.generalised(wanted, f"granted.{e.kind.name}")
    cx.services.emitter.emit(
        Assert(wanted, obligation, st.guard, constants, tb.TRUE, granted=granted)
    )


def _leave_some(st: State, e: qt.Evaluated, cx: Context) -> None:
    """Wildcards are chosen below what is held."""
    d = e.denoted
    less = tb.implies(d.condition, tb.less(d.amount, total(st, e.kind, d.args, cx)))
    cx.learn(st, d.generalised(less, f"wildcard.{e.kind.name}", d.amount))


def forget(st: State, before: Heap, heap: Heap, item: object, cx: Context) -> Heap:
    """At the end of an exhale: a new array, which has the old values where something is left."""
    assert isinstance(item, Slice)
    del before
    kind = item.kind
    new = cx.fresh(f"{kind.name}_values", kind.sort)
    if any(h.entries(kind) for h in (heap, *st.frames)):
        formals = formals_of(kind.index)
        here = kind.select(new, formals)
        left = tb.greater(held_anywhere(st, heap, kind, formals, cx), tb.NONE)
        same: Term = tb.implies(left, tb.equal(here, kind.select(heap.array(kind), formals)))
        if formals:
            same = tb.forall(formals, same, ((here,),), f"frame.{kind.name}")
        cx.learn(st, same, "frame")
    return heap.valued(kind, new)


# ---------------------------------------------------------------- snapshots


def snapshot_quantified(st: State, a: pa.QuantifiedPermission, cx: Context) -> Term:
    """All values as one term; with `claiming`, something must be held at every index.

    Triggers are hints for those who get the permissions, not for those who only look at them.
    """
    e = qt.evaluate_quantified(st, replace(a, triggers=()), cx)
    if e is None:
        return UNIT
    inverse = qt.checked_inverse(st, e, cx)
    _claim(st, e, lambda held: tb.greater(held, tb.NONE), cx)
    kind = e.kind
    for axiom in slice_axioms(kind, inverse.family):
        cx.services.emitter.assume(axiom, origin=SLICES)
    positive = e.denoted.positive
    if not set(subterms(positive)).isdisjoint(e.denoted.xs):
        positive = tb.TRUE  # the family says where
    qt.link_values(st, kind, cx)
    values = st.heap.array(kind)
    if kind.what is Family.WAND:  # which of several instances goes is unknown
        values = remembered_together(st.heap, kind) or cx.fresh("wands", kind.sort)
    return slice_term(kind, inverse, values, positive)


# ---------------------------------------------------------------- forperm


def forperm_quantified(
    st: State, e: pe.ForPerm, entry: AnyEntry, cx: Context, check: Check | None
) -> Term:
    """The body for all locations that one summand holds."""
    assert isinstance(entry, QuantifiedEntry)
    if entry.sign is Sign.MINUS:
        return tb.TRUE
    return statements.for_all_held(st, e, entry, cx, check)
