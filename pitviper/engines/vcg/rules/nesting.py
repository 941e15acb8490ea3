"""Predicate instances inside others: an instance that can be unfolded to the end is not inside
itself.

NOTE(nesting). Instances stand for finite structures. An instance with its snapshot determines the
instances inside it, with theirs. So "inside" is a relation between instances with snapshots, which
holds whenever and wherever it was seen: it is transitive, and no instance is inside one of the same
predicate with the same arguments, whatever their snapshots.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import record
from pitviper.encoding.inhale_exhale import flattened
from pitviper.encoding.quantify import axiom
from pitviper.encoding.symbols import Symbols
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap import snapshot as snapshots
from pitviper.engines.vcg.heap.entry import Index, Kind, is_positive
from pitviper.engines.vcg.kinds import located, predicate_kind
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.state import State
from pitviper.program import assertion as pa
from pitviper.program.assertion import Assertion
from pitviper.program.member import Program
from pitviper.program.walk import descendants
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.sort import BOOL, uninterpreted
from pitviper.terms.symbol import function
from pitviper.terms.term import Term

INSTANCE = uninterpreted("%Instance")
INSIDE = function("%inside", (INSTANCE, INSTANCE), BOOL)


@record
class Part:
    """An instance that a body holds, in a state with a guard."""

    state: State
    kind: Kind
    index: Index
    snap: Term


def instance(kind: Kind, index: Index, snap: Term) -> Term:
    symbol = function(f"instance {kind.name}", (*kind.index, SNAP), INSTANCE)
    return tb.apply(symbol, *index, snap)


def assume_nested(st: State, body: Assertion, outer: Part, cx: Context) -> None:
    """What is inside an instance that is folded or unfolded in a state that has its contents."""
    if not recursive_predicates(cx.services.program, cx):
        return
    whole = instance(outer.kind, outer.index, outer.snap)
    for part in _parts(st, body, outer.snap, snapshots.quiet(cx)):
        inner = instance(part.kind, part.index, part.snap)
        cx.learn(part.state, tb.apply(INSIDE, whole, inner))
        if part.kind == outer.kind:
            same = [tb.equal(a, b) for a, b in zip(part.index, outer.index, strict=True)]
            cx.learn(part.state, tb.negate(tb.conjoin(*same)))


def _parts(st: State, a: Assertion, snap: Term, cx: Context) -> Iterator[Part]:
    """The instances that an assertion holds, from left to right, with their snapshots."""
    match a:
        case pa.Star():
            conjuncts = flattened((a,))
            for conjunct, part in zip(
                conjuncts, snapshots.split(snap, len(conjuncts)), strict=True
            ):
                yield from _parts(st, conjunct, part, cx)
        case pa.Access(pa.PredicateLocation() as location):
            kind, parts = located(location, cx.services.symbols)
            index = tuple([ev.evaluate(st, part, cx) for part in parts])
            st, amount, wildcard = ev.amount_of(st, a.amount, cx)
            some = wildcard or is_positive(amount, st.known)
            yield Part(st if some else st.under(tb.greater(amount, tb.NONE)), kind, index, snap)
        case pa.Guarded(condition, body):
            yield from _parts(st.under(ev.evaluate(st, condition, cx)), body, snap, cx)
        case pa.Choice(condition, then, otherwise):
            value = ev.evaluate(st, condition, cx)
            yield from _parts(st.under(value), then, snap, cx)
            yield from _parts(st.under(tb.negate(value)), otherwise, snap, cx)
        case pa.Binding(variable, bound, body):
            value = ev.evaluate(st, bound, cx)
            yield from _parts(st.binding(variable.name, value), body, snap, cx)
        case _:
            return


def recursive_predicates(program: Program, cx: Context) -> bool:
    """Whether some predicate may have instances of predicates inside."""
    known = cx.services.memo.get("nesting")
    if known is None:
        known = cx.services.memo["nesting"] = nests(program)
    return known is True


def nests(program: Program) -> bool:
    """Whether an instance of some predicate may be inside another one of it."""
    inside = {
        name: {
            node.predicate
            for node in (descendants(p.body) if p.body is not None else ())
            if isinstance(node, pa.PredicateLocation)
        }
        for name, p in program.predicates.items()
    }
    for name in inside:
        reached, todo = set[str](), [name]
        while todo:
            for inner in sorted(inside[todo.pop()] - reached):
                reached.add(inner)
                todo.append(inner)
        if name in reached:
            return True
    return False


def nesting_axioms(symbols: Symbols) -> tuple[Term, ...]:
    """Transitive; and irreflexive for each predicate."""
    program = symbols.program
    if not nests(program):
        return ()
    a, b, c = (tb.variable(name, INSTANCE) for name in "abc")
    one, two = tb.apply(INSIDE, a, b), tb.apply(INSIDE, b, c)
    both = tb.implies(tb.conjoin(one, two), tb.apply(INSIDE, a, c))
    facts = [axiom("inside.transitive", (a, b, c), both, (one, two))]
    for name in program.predicates:
        kind = predicate_kind(name, symbols)
        index = tuple([tb.variable(f"x{i}", sort) for i, sort in enumerate(kind.index)])
        v, w = tb.variable("v", SNAP), tb.variable("w", SNAP)
        itself = tb.apply(INSIDE, instance(kind, index, v), instance(kind, index, w))
        facts.append(axiom(f"inside.{name}", (*index, v, w), tb.negate(itself), itself))
    return tuple(facts)
