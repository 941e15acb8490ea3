"""Instances whose numbers a reader can hold in mind."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pitviper.counterexample.bounded.search import Found, Search
from pitviper.counterexample.bounded.values import Unevaluable
from pitviper.terms import build as tb
from pitviper.terms.sort import INT
from pitviper.terms.term import Literal, Term

NICE = ((0, 3), (0, 9), (-9, 9), (-99, 99))
"""Intervals that all numbers are tried to fit into, nicest first."""
PARTS = (2, 3, 4, 5, 6, 10, 24)
"""Denominators that all amounts are tried to have, simplest first."""
SIMPLE = 4
QUESTIONS = 24
"""For numbers one by one, where no interval fits."""
EFFORT = 200_000
"""What a question for nicer numbers may cost: there is an instance already. Twenty amounts that add
up to less than one have no common denominator below 21, which is hard to find out."""


def with_small_numbers(found: Found, search: Search, extra: Sequence[Term] = ()) -> Found:
    """Returns an instance of the same scope with small numbers, never less certain than before."""
    amounts = [t for t in search.problem.amounts if not _is_simple(found, t)]
    if not amounts:
        return _small_integers(found, search, extra)
    for parts in PARTS:
        simple = [_one_of(t, parts) for t in search.problem.amounts]
        better = search.within(found.scope, [*extra, *simple], EFFORT)
        if isinstance(better, Found) and _is_as_good(better, found):
            return _small_integers(better, search, [*extra, *simple])
    return _small_integers(found, search, extra)


def _is_simple(found: Found, amount: Term) -> bool:
    try:
        value = found.evaluator.value(amount)
    except Unevaluable:
        return True
    return isinstance(value, int | Fraction) and Fraction(value).denominator <= SIMPLE


def _one_of(amount: Term, parts: int) -> Term:
    return tb.disjoin(*[tb.equal(amount, tb.rational(n, parts)) for n in range(-1, parts + 2)])


def _small_integers(found: Found, search: Search, extra: Sequence[Term]) -> Found:
    numbers = _numbers(found, search)
    if not numbers:
        return found
    for low, high in NICE:
        if _fits(found, numbers, low, high):
            return found
        limits = [_between(n, low, high) for n in numbers]
        better = search.within(found.scope, [*extra, *limits], EFFORT)
        if isinstance(better, Found) and _is_as_good(better, found):
            return better
    return _one_by_one(found, search, numbers, list(extra))


def _one_by_one(found: Found, search: Search, numbers: list[Term], extra: list[Term]) -> Found:
    """Each number as small as those before it allow."""
    asked = 0
    for number in numbers:
        low, high = -1, _size(found, number)
        while high - low > 1 and asked < QUESTIONS:
            asked += 1
            middle = (low + high) // 2
            smaller = _between(number, -middle, middle)
            better = search.within(found.scope, [*extra, smaller], EFFORT)
            if isinstance(better, Found) and _is_as_good(better, found):
                found, high = better, _size(better, number)
            else:
                low = middle
        extra.append(_between(number, -high, high))
    return found


def _is_as_good(better: Found, found: Found) -> bool:
    return len(better.doubts) <= len(found.doubts)


def _numbers(found: Found, search: Search) -> list[Term]:
    """What a reader will see: variables, fields, and the fields of every object."""
    shown = [*search.problem.numbers, *search.located(found.objects)]
    return [n for n in dict.fromkeys(shown) if n.sort is INT and not isinstance(n, Literal)]


def _fits(found: Found, numbers: list[Term], low: int, high: int) -> bool:
    try:
        values = [found.evaluator.value(n) for n in numbers]
    except Unevaluable:
        return True
    return all(isinstance(v, int) and low <= v <= high for v in values)


def _size(found: Found, number: Term) -> int:
    try:
        value = found.evaluator.value(number)
    except Unevaluable:
        return 0
    return abs(value) if isinstance(value, int) else 0


def _between(number: Term, low: int, high: int) -> Term:
    return tb.conjoin(tb.at_least(number, tb.integer(low)), tb.at_most(number, tb.integer(high)))
