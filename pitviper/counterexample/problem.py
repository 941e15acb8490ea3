"""From a recorded symbolic state to the problem that an instance is sought for."""

from __future__ import annotations

from pitviper.counterexample.bounded.search import Fact, Holding, Problem
from pitviper.counterexample.bounded.values import theories_of
from pitviper.counterexample.question import Sought
from pitviper.counterexample.recorded_state import Inside, contents
from pitviper.encoding.background import wrapper_axiom
from pitviper.encoding.freshness import absence_axioms
from pitviper.encoding.operators import NULL
from pitviper.encoding.symbols import Symbols
from pitviper.encoding.theories.maps import map_axioms
from pitviper.encoding.theories.multisets import multiset_axioms
from pitviper.encoding.theories.sequences import index_arithmetic_axioms, sequence_axioms
from pitviper.encoding.theories.sets import set_axioms
from pitviper.encoding.theories.snapshot_maps import SnapshotMaps, snapshot_map_axioms
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, Kind, QuantifiedChunk, Resource
from pitviper.engines.symbolic.provenance import BranchPoint, Provenance
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.verifier import Run
from pitviper.explain.final_expression import FinalExpressions, names_in
from pitviper.program.member import Function, Program
from pitviper.program.print.expressions import text_of
from pitviper.solver.session import Path
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, INT, PERM, REF, Sort
from pitviper.terms.term import TRUE, Quantified, Term

HELD_ONCE = "no more than write permission to a field"
AGREE = "a location has one value"
BODY = "the body of a predicate instance that is held"


def problem_of(sought: Sought, constraints: tuple[Fact, ...] = ()) -> Problem:
    """Returns all that the verifier knew in a state, and what the user wants in addition."""
    run, st = sought.run, sought.state
    symbols = run.symbols
    shown = FinalExpressions(sought.origins, names_in(st, sought.origins))
    generated = _generated(symbols, run.background)
    axioms = _domain_facts(run, generated)
    before = run.dependencies.functions_before(sought.member)
    functions = [axiom for name in before for axiom in run.axioms.get(name, ())]
    holdings = heap_holdings(st.held, symbols)
    goal = None
    if sought.goal is not None:
        goal = Fact(sought.goal, shown.text(sought.goal))
    everything = tuple(
        [h for heap in (st.held, *st.old.values()) for h in heap_holdings(heap, symbols)]
    )
    return Problem(
        (*_path_facts(st.path, shown), *_heap_facts(sought), *constraints),
        goal,
        axioms,
        (*generated, *functions),
        (*run.background, *functions),
        theories_of(symbols),
        _references(st, holdings, symbols),
        _numbers(st, everything),
        tuple(dict.fromkeys(everything)),
        _symbols_of(st, BOOL),
        _symbols_of(st, PERM),
    )


def _path_facts(path: Path, shown: FinalExpressions) -> list[Fact]:
    return [_fact(entry, shown) for entry in path if entry.fact is not TRUE]


def _fact(entry: Path, shown: FinalExpressions) -> Fact:
    match entry.provenance:
        case Provenance(node=node):
            return Fact(entry.fact, text_of(node), node.span)
        case BranchPoint(node=node, taken=taken):
            return Fact(entry.fact, text_of(node) if taken else f"!({text_of(node)})", node.span)
        case _:
            return Fact(entry.fact, shown.text(entry.fact))


def _generated(symbols: Symbols, background: tuple[Term, ...]) -> tuple[Term, ...]:
    """What the verifier states about its own symbols."""
    own = {
        *[a for th in symbols.snapshot_maps.values() for a in snapshot_map_axioms(th)],
        *absence_axioms(symbols),
        *[wrapper_axiom(sort) for sort in symbols.leaves],
    }
    return tuple([axiom for axiom in background if axiom in own])


def _domain_facts(run: Run, generated: tuple[Term, ...]) -> tuple[Fact, ...]:
    """What is left of the background: collections have a meaning without axioms."""
    symbols = run.symbols
    others = {
        *generated,
        *index_arithmetic_axioms(),
        *[a for th in symbols.sequences.values() for a in sequence_axioms(th)],
        *[a for th in symbols.sets.values() for a in set_axioms(th)],
        *[a for th in symbols.multisets.values() for a in multiset_axioms(th)],
        *[a for th in symbols.maps.values() for a in map_axioms(th)],
    }
    named = _axiom_places(symbols.program)
    return tuple([_axiom(axiom, named) for axiom in run.background if axiom not in others])


def _axiom(term: Term, named: dict[str, tuple[str, Span]]) -> Fact:
    name = term.name if isinstance(term, Quantified) else ""
    text, span = named.get(name, ("an axiom of a domain", None))
    return Fact(term, text, span)


def _axiom_places(program: Program) -> dict[str, tuple[str, Span]]:
    """Axioms by the names of their terms, which tell where they stand."""
    found: dict[str, tuple[str, Span]] = {}
    for domain in program.domains.values():
        for axiom in domain.axioms:
            text = f"axiom {axiom.name}" if axiom.name else f"an axiom of {domain.name}"
            for span in (axiom.span, axiom.body.span):
                found[str(span)] = (text, axiom.span)
    return found


# ---------------------------------------------------------------- heaps


def heap_holdings(heap: Heap, symbols: Symbols) -> tuple[Holding, ...]:
    plain = [_plain(chunk) for chunk in heap]
    return (*plain, *[_quantified(chunk, symbols) for chunk in heap.quantified_chunks()])


def _plain(chunk: Chunk) -> Holding:
    resource = chunk.resource
    return Holding(resource.kind.value, resource.name, (), chunk.args, chunk.amount, chunk.value)


def _quantified(chunk: QuantifiedChunk, symbols: Symbols) -> Holding:
    resource = chunk.resource
    value = tb.apply(_maps(resource, symbols).look, chunk.map, *chunk.formals)
    formals = chunk.formals
    return Holding(resource.kind.value, resource.name, formals, formals, chunk.amount, value)


def _maps(resource: Resource, symbols: Symbols) -> SnapshotMaps:
    match resource.kind:
        case Kind.FIELD:
            return symbols.field_maps(resource.name)
        case Kind.PREDICATE:
            return symbols.predicate_maps(resource.name)
        case Kind.WAND:
            return symbols.wand_maps(resource.name)


def _heap_facts(sought: Sought) -> list[Fact]:
    """What holds of every heap: the verifier states it only where it needs it.

    In a function amounts count only as positive or none, so they may add up to more than write.
    """
    if isinstance(sought.member, Function) and not sought.run.options.respect_function_amounts:
        return []
    st, symbols = sought.state, sought.run.symbols
    facts = []
    for number, heap in enumerate(dict.fromkeys((st.held, *st.old.values()))):
        inside = contents(heap, sought, f"inside{number}")
        facts += _one_heap(heap, inside, symbols)
    return facts


def _one_heap(heap: Heap, contained: tuple[Inside, ...], symbols: Symbols) -> list[Fact]:
    facts = [Fact(term, BODY) for inside in contained for term in inside.facts()]
    for name in symbols.program.fields:
        resource = Resource(Kind.FIELD, name)
        plain, wide = heap.of(resource), heap.quantified(resource)
        r = tb.variable(f"{name}!r", REF)
        within = [amount for inside in contained for amount in _within(inside, resource, r)]
        if plain or wide or within:
            parts = [tb.ite(tb.equal(c.args[0], r), c.amount, tb.NONE) for c in plain]
            total = tb.total([*parts, *[c.amount_at((r,)) for c in wide], *within])
            facts.append(Fact(tb.forall((r,), tb.at_most(total, tb.WRITE)), HELD_ONCE))
            nothing = tb.total([c.amount_at((NULL,)) for c in wide])
            facts.append(Fact(tb.at_most(nothing, tb.NONE), "null has no fields"))
    for resource in heap.resources():
        if resource.kind is not Kind.WAND:
            facts += _agreeing(heap.of(resource))
    return facts


def _within(inside: Inside, resource: Resource, at: Term) -> list[Term]:
    """What an instance holds of a field of an object."""
    amounts = []
    for outcome in inside.outcomes:
        for chunk in outcome.heap.of(resource):
            here = tb.conjoin(outcome.guard, tb.equal(chunk.args[0], at))
            amounts.append(tb.ite(here, chunk.amount, tb.NONE))
        for wide in outcome.heap.quantified(resource):
            amounts.append(tb.ite(outcome.guard, wide.amount_at((at,)), tb.NONE))
    return amounts


def _agreeing(chunks: tuple[Chunk, ...]) -> list[Fact]:
    facts = []
    for i, a in enumerate(chunks):
        for b in chunks[:i]:
            same = [tb.equal(x, y) for x, y in zip(a.args, b.args, strict=True)]
            held = [tb.greater(a.amount, tb.NONE), tb.greater(b.amount, tb.NONE)]
            agree = tb.implies(tb.conjoin(*same, *held), tb.equal(a.value, b.value))
            facts.append(Fact(agree, AGREE))
    return facts


# ---------------------------------------------------------------- what a reader sees


def _references(st: State, holdings: tuple[Holding, ...], symbols: Symbols) -> tuple[Term, ...]:
    """References in the order in which they are met, then the sets of them."""
    sets = symbols.set(REF).sort
    found = [*st.store.values()]
    for holding in holdings:
        if not holding.formals:
            found += [*holding.args, holding.value]
    references = [t for t in found if t.sort is REF and t is not NULL]
    return tuple(dict.fromkeys([*references, *[t for t in st.store.values() if t.sort is sets]]))


def _numbers(st: State, holdings: tuple[Holding, ...]) -> tuple[Term, ...]:
    found = [*st.store.values(), *[h.value for h in holdings if not h.formals]]
    return tuple(dict.fromkeys([t for t in found if t.sort is INT]))


def _symbols_of(st: State, sort: Sort) -> tuple[Term, ...]:
    """Variables whose value the solver may choose."""
    return tuple(dict.fromkeys([t for t in st.store.values() if t.sort is sort and not t.args]))
