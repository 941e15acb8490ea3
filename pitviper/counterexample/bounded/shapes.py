"""The shape of an instance: who refers to whom, whatever the numbers and the names are."""

from __future__ import annotations

from itertools import islice, permutations
from typing import TypeAlias

from pitviper.counterexample.bounded.scope import objects
from pitviper.counterexample.bounded.search import Found, Search
from pitviper.counterexample.bounded.values import Unevaluable, Value
from pitviper.encoding.theories.sets import Sets
from pitviper.results.counterexample import Counterexample, Shown
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, REF
from pitviper.terms.term import Term

Edge: TypeAlias = tuple[str, ...]
MOST_ORDERS = 5040
"""Orders of objects that are compared: all, for up to seven objects."""


def excluding(found: Found, search: Search) -> Term:
    """Returns what holds in every instance of another shape."""
    return tb.negate(tb.conjoin(*_literals(found, search)))


def _literals(found: Found, search: Search) -> list[Term]:
    evaluator, ground = found.evaluator, search.ground
    atoms = objects(found.objects)
    literals = []
    located = [t for t in search.located(found.objects) if t.sort is REF]
    roots = [root for root in search.problem.roots if root.sort is REF]
    for term in dict.fromkeys([*roots, *located]):
        for value in _value(term, found):
            name = evaluator.interpretation.term_for(value, REF)
            literals += [] if name is None else [tb.equal(term, name)]
    for sort, theory in search.problem.theories.by_sort.items():
        if isinstance(theory, Sets) and theory.element is REF:
            for collection in ground.by_sort.get(sort, ()):
                for atom in atoms:
                    inside = tb.apply(theory.contains, atom, collection)
                    for value in _value(inside, found):
                        literals.append(inside if value is True else tb.negate(inside))
    decisions = [t for t in search.problem.choices if t.sort is BOOL]
    for term in decisions:
        for value in _value(term, found):
            literals.append(term if value is True else tb.negate(term))
    return literals or [tb.TRUE]


def _value(term: Term, found: Found) -> list[Value]:
    try:
        return [found.evaluator.value(term)]
    except Unevaluable:
        return []


def shape_of(instance: Counterexample) -> frozenset[Edge]:
    """Returns the same for two instances exactly if renaming objects makes them alike."""
    edges = _edges(instance)
    names = instance.objects
    best: tuple[Edge, ...] | None = None
    for order in islice(permutations(range(len(names))), MOST_ORDERS):
        renamed = dict(zip(names, map(str, order), strict=True))
        drawn = tuple(sorted([tuple([renamed.get(part, part) for part in e]) for e in edges]))
        best = drawn if best is None else min(best, drawn)
    return frozenset(best or ())


def _edges(instance: Counterexample) -> list[Edge]:
    edges: list[Edge] = []
    for variable in instance.variables:
        edges += _members(("variable", variable.name), variable.value)
    for heap in instance.heaps:
        for at in heap.locations:
            edges += _members((heap.label, at.object, at.field, at.amount), at.value)
        for held in heap.instances:
            args = [part for arg in held.args for part in _structure(arg)]
            edges.append((heap.label, held.kind, held.name, held.amount, *args))
    return edges


def _members(edge: Edge, value: Shown) -> list[Edge]:
    """One edge for each element of a collection without order."""
    if value.text.startswith(("Set(", "Multiset(")):
        return [edge, *[(*edge, "contains", member) for member in value.objects]]
    return [(*edge, *_structure(value))]


def _structure(value: Shown) -> tuple[str, ...]:
    """Objects and truth values matter, numbers do not."""
    if value.text in ("true", "false", "null"):
        return (value.text,)
    return value.objects
