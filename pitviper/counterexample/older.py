"""What was there before a new object: it stands in none of the values that anybody had.

A verifier says so of references, and of sets and sequences of them. Here it counts for everything
that objects stand in, multisets, maps and data types among them, as deep as values go.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import record
from pitviper.counterexample.bounded.evaluator import Evaluator
from pitviper.counterexample.bounded.values import (
    Adt,
    Bag,
    Built,
    Table,
    Theories,
    Unevaluable,
    Value,
)
from pitviper.encoding.operators import NULL
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.multisets import Multisets
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets
from pitviper.terms import build as tb
from pitviper.terms.sort import REF
from pitviper.terms.term import Term

DEEPEST = 3
"""Levels of data types about which the solver is told; the evaluator looks at all."""


@record
class Older:
    """A value that was there before the new object `made`, if `given`."""

    made: Term
    given: Term
    term: Term

    def facts(self, theories: Theories) -> Iterator[Term]:
        """Gives that the object is not in the value, as far as few terms say it."""
        for absent in _absent(self.made, self.term, theories, DEEPEST):
            yield tb.implies(self.given, absent)

    def is_broken(self, evaluator: Evaluator) -> bool:
        """Returns whether the object stands in the value after all."""
        try:
            if evaluator.value(self.given) is not True:
                return False
            return _occurs(evaluator.value(self.made), evaluator.value(self.term))
        except Unevaluable:
            return False


def _absent(made: Term, term: Term, theories: Theories, depth: int) -> Iterator[Term]:
    if term.sort is REF:
        if term is not NULL:
            yield tb.differ(made, term)
        return
    match theories.by_sort.get(term.sort):
        case Sets() as sets if sets.element is REF:
            yield tb.negate(tb.apply(sets.contains, made, term))
        case Sequences() as sequences if sequences.element is REF:
            yield tb.negate(tb.apply(sequences.contains, term, made))
        case Multisets() as bags if bags.element is REF:
            yield tb.equal(tb.apply(bags.count, made, term), tb.integer(0))
        case Maps() as maps:
            yield from _absent(made, tb.apply(maps.domain, term), theories, depth)
            yield from _absent(made, tb.apply(maps.range, term), theories, depth)
        case None if term.sort in theories.adts and depth > 0:
            yield from _absent_in_parts(made, term, theories.adts[term.sort], theories, depth)


def _absent_in_parts(
    made: Term, term: Term, adt: Adt, theories: Theories, depth: int
) -> Iterator[Term]:
    for case in adt.cases:
        built = tb.equal(tb.apply(adt.tag, term), tb.integer(case.number))
        for part in case.parts:
            for absent in _absent(made, tb.apply(part, term), theories, depth - 1):
                yield tb.implies(built, absent)


def _occurs(made: Value, inside: Value) -> bool:
    todo = [inside]
    while todo:
        value = todo.pop()
        if value == made:
            return True
        match value:
            case frozenset() | tuple():
                todo.extend(value)
            case Bag(counts):
                todo.extend([element for element, _ in counts])
            case Table(entries):
                todo.extend([part for entry in entries for part in entry])
            case Built(_, args):
                todo.extend(args)
    return False
