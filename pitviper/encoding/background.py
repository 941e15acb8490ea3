"""What the solver is told before a member: the axioms of all theories that are in use."""

from __future__ import annotations

from pitviper.encoding.axiom import axiom
from pitviper.encoding.domains import domain_axioms
from pitviper.encoding.freshness import absence_axioms
from pitviper.encoding.symbols import Symbols
from pitviper.encoding.theories.maps import map_axioms
from pitviper.encoding.theories.multisets import multiset_axioms
from pitviper.encoding.theories.sequences import index_arithmetic_axioms, sequence_axioms
from pitviper.encoding.theories.sets import set_axioms
from pitviper.encoding.theories.snapshot_maps import snapshot_map_axioms
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
