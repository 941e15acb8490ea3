"""What the solver is told before a member: the axioms of all theories that are in use."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import names_of
from pitviper.encoding.domains import domain_axioms
from pitviper.encoding.freshness import absence_axioms
from pitviper.encoding.injective import inverse_axioms, register_inverses
from pitviper.encoding.quantified_resources import Found
from pitviper.encoding.quantify import axiom
from pitviper.encoding.symbols import DomainInstance, Symbols
from pitviper.encoding.theories.maps import map_axioms
from pitviper.encoding.theories.multisets import multiset_axioms
from pitviper.encoding.theories.sequences import index_arithmetic_axioms, sequence_axioms
from pitviper.encoding.theories.sets import set_axioms
from pitviper.encoding.theories.snapshot_maps import snapshot_map_axioms
from pitviper.program.assertion import QuantifiedPermission, Wand
from pitviper.program.expr import DomainApp, SeqRange
from pitviper.program.member import Domain, Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.terms.build import equal, variable
from pitviper.terms.normal import unsimplified
from pitviper.terms.snapshot import unwrapper, wrap
from pitviper.terms.sort import Sort
from pitviper.terms.term import Term


def background(symbols: Symbols) -> tuple[Term, ...]:
    """Axioms of domains, collections and snapshot wrappers. Domains first: their axioms may bring
    further collections into use."""
    facts = list(domain_axioms(symbols))
    if symbols.sequences:
        facts.extend(index_arithmetic_axioms())
    for sequences in symbols.sequences.values():
        facts.extend(sequence_axioms(sequences))
    for sets in symbols.sets.values():
        facts.extend(set_axioms(sets))
    for multisets in symbols.multisets.values():
        facts.extend(multiset_axioms(multisets))
    for maps in symbols.maps.values():
        facts.extend(map_axioms(maps))
    for theory in symbols.snapshot_maps.values():
        facts.extend(snapshot_map_axioms(theory))
    for known in symbols.inverses.values():
        facts.extend(inverse_axioms(known))
    facts.extend(wrapper_axiom(sort) for sort in symbols.leaves)
    if symbols.program.predicates:
        facts.extend(absence_axioms(symbols))
    return tuple(facts)


def wrapper_axiom(sort: Sort) -> Term:
    """What was wrapped into a snapshot comes out again; so wrapping is injective."""
    x = variable("x", sort)
    wrapped = wrap(x)
    out = unsimplified(unwrapper(sort), (wrapped,))
    return axiom(f"snapshot.{sort}", (x,), equal(out, x), wrapped)


def register_types(symbols: Symbols) -> None:
    """Make the sorts of all types and domain instances that occur outside generic domains."""
    program = symbols.program
    for field in program.fields.values():
        symbols.leaves[symbols.sort(field.type)] = None
    found = Found()
    for node in _roots(program):
        for inner in descendants(node):
            _register(inner, symbols)
            found.collect(inner)
    _register_maps(found, symbols)
    for domain in program.domains.values():
        if not domain.type_params:
            _register_domain(domain, symbols)


def _roots(program: Program) -> Iterator[Node]:
    yield from program.methods.values()
    yield from program.functions.values()
    yield from program.predicates.values()
    for function in program.functions.values():
        yield from function.params


def _register(node: Node, symbols: Symbols) -> None:
    cls = node.__class__
    if cls in _WITH_SYMBOLS:
        if isinstance(node, DomainApp):
            symbols.domain_function(node.domain, node.function, node.type_args)
        elif isinstance(node, SeqRange):
            symbols.sort(node.type)
        elif isinstance(node, Wand):
            symbols.shape(node)
        elif isinstance(node, QuantifiedPermission):
            register_inverses(node, symbols)
    for name in _type_fields(cls):
        symbols.sort(getattr(node, name))


_WITH_SYMBOLS = frozenset([DomainApp, QuantifiedPermission, SeqRange, Wand])


def _register_maps(found: Found, symbols: Symbols) -> None:
    """Resources that occur under a quantifier or in a trigger have snapshot maps."""
    for wand in found.quantified.wands.values():
        symbols.wand_maps(symbols.shape(wand).name)
    for name in found.quantified.fields:
        symbols.field_maps(name)
    for name in found.quantified.predicates:
        symbols.predicate_maps(name)


_TYPE_FIELDS: dict[type, tuple[str, ...]] = {}


def _type_fields(cls: type[Node]) -> tuple[str, ...]:
    found = _TYPE_FIELDS.get(cls)
    if found is None:
        found = tuple([name for name in names_of(cls) if name in ("type", "result")])
        _TYPE_FIELDS[cls] = found
    return found


def _register_domain(domain: Domain, symbols: Symbols) -> None:
    """All axioms of a domain without parameters hold, also where it declares no function."""
    symbols.instances.setdefault(DomainInstance(domain.name, ()), None)
    for function in domain.functions:
        symbols.domain_function(domain.name, function.name, ())
