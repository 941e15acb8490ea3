"""A scope: so many objects, and nothing else.

NOTE(closed). Everything said here holds only within the scope: that every reference is null or one
of the objects, that collections are short, that objects are numbered in the order in which they are
met. So these facts never go where a claim about all scopes is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pitviper.base.record import record
from pitviper.counterexample.bounded.ground import GroundTerms
from pitviper.counterexample.bounded.values import Theories
from pitviper.encoding.operators import NULL
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets
from pitviper.terms import build as tb
from pitviper.terms.snapshot import FIRST, SECOND, UNIT, first, pair, second
from pitviper.terms.sort import REF
from pitviper.terms.term import App, Term

MORE = 3
"""How many more elements than objects a collection may have at first."""
LONG = (12, 40)
"""Sizes that are tried where short collections will not do."""


@record
class Scope:
    """So many objects, and collections of so many elements.

    With `pairs`, every snapshot that is taken apart is a pair; else some may be empty.
    """

    objects: int
    longest: int
    pairs: bool = True


def usual_scopes(start: int, most: int) -> Iterator[Scope]:
    """Gives the scopes that are tried as a rule, smallest first."""
    for count in range(min(start, most), most + 1):
        yield Scope(count, count + MORE)


def scopes(start: int, most: int) -> Iterator[Scope]:
    """Gives the usual ones, then those that are needed rarely."""
    yield from usual_scopes(start, most)
    first = min(start, most)
    few = dict.fromkeys([first, most])
    for longest in LONG:
        for count in few:
            yield Scope(count, longest)
    for count in range(first, most + 1):
        yield Scope(count, count + MORE, pairs=False)


def outline(scope: Scope, ground: GroundTerms, theories: Theories) -> Scope:
    """Returns the scope with the least bounds that say the same about the terms there are.

    Without a reference the number of objects bounds nothing, without a collection the number of
    elements, and without a snapshot that is taken apart it does not matter what parts are.
    """
    references = any(term is not NULL for term in ground.by_sort.get(REF, ()))
    sized = any(ground.by_sort.get(sort) for sort in (*theories.by_sort, *theories.adts))
    apart = any(ground.applications.get(symbol) for symbol in (FIRST, SECOND))
    return Scope(
        objects=scope.objects if references else 0,
        longest=scope.longest if sized else 0,
        pairs=scope.pairs or not apart,
    )


@lru_cache
def objects(count: int) -> tuple[App, ...]:
    """Returns the objects of a scope; smaller scopes have the first ones."""
    return tuple([tb.constant(f"object!{i}", REF) for i in range(1, count + 1)])


def closure(
    scope: Scope, ground: GroundTerms, roots: tuple[Term, ...], theories: Theories
) -> list[Term]:
    """Returns the facts that make up a scope for all terms there are so far."""
    atoms = objects(scope.objects)
    facts = [tb.distinct(NULL, *atoms)]
    for term in ground.by_sort.get(REF, ()):
        if term not in atoms and term is not NULL:
            facts.append(tb.disjoin(*[tb.equal(term, atom) for atom in (NULL, *atoms)]))
    apart = _pairs(ground) if scope.pairs else _empty()
    return [
        *facts,
        *_order(atoms, roots, theories),
        *_short(scope.longest, ground, theories),
        *apart,
    ]


def _order(atoms: tuple[App, ...], roots: tuple[Term, ...], theories: Theories) -> list[Term]:
    """Each object is met only after the one before it: references first, then sets of them."""
    facts: list[Term] = []
    met: list[Term] = [tb.FALSE for _ in atoms]
    references = [root for root in roots if root.sort is REF]
    for root in references:
        hits = [tb.equal(root, atom) for atom in atoms]
        facts += [tb.implies(hits[j], met[j - 1]) for j in range(1, len(atoms))]
        met = [tb.disjoin(before, hit) for before, hit in zip(met, hits, strict=True)]
    for root in [root for root in roots if root.sort is not REF]:
        theory = theories.by_sort[root.sort]
        assert isinstance(theory, Sets)
        hits = [tb.apply(theory.contains, atom, root) for atom in atoms]
        known = [tb.disjoin(before, hit) for before, hit in zip(met, hits, strict=True)]
        facts += [tb.implies(hits[j], known[j - 1]) for j in range(1, len(atoms))]
        met = known
    return facts


def _short(longest: int, ground: GroundTerms, theories: Theories) -> list[Term]:
    facts = []
    for sort, theory in theories.by_sort.items():
        size = theory.length if isinstance(theory, Sequences) else theory.size
        for term in ground.by_sort.get(sort, ()):
            facts.append(tb.at_most(tb.apply(size, term), tb.integer(longest)))
            if isinstance(theory, Maps):
                facts.append(tb.at_least(tb.apply(size, term), tb.integer(0)))
    return facts


def _pairs(ground: GroundTerms) -> list[Term]:
    """What is taken apart is a pair: of other snapshots, parts could be anything."""
    parts = [t for symbol in (FIRST, SECOND) for t in ground.applications.get(symbol, ())]
    wholes = dict.fromkeys([t.args[0] for t in parts])
    return [tb.equal(whole, pair(first(whole), second(whole))) for whole in wholes]


def _empty() -> list[Term]:
    """The parts of the empty snapshot are empty: one of many possible choices."""
    return [tb.equal(tb.hint(part, UNIT), UNIT) for part in (FIRST, SECOND)]
