"""Instances whose numbers and collections a reader can hold in mind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from pitviper.counterexample.bounded.search import Found, Search
from pitviper.counterexample.bounded.values import (
    Bag,
    Table,
    Unevaluable,
    Value,
    bag,
    in_order,
    table,
)
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets
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
MOST_DROPPED = 120
MOST_STEPS = 40_000
"""How often an instance is evaluated with a smaller collection, and the steps of that."""
EFFORT = 200_000
"""What a question for nicer numbers may cost: there is an instance already. Twenty amounts that add
up to less than one have no common denominator below 21, which is hard to find out."""


def made_small(found: Found, search: Search, extra: Sequence[Term] = ()) -> Found:
    """Returns an instance of the same scope with small collections and numbers, never less certain
    than before."""
    found = _without_needless(found, search)
    found, wishes = _short_sequences(found, search, extra)
    found = _simple_amounts(found, search, [*extra, *wishes])
    return _without_needless(found, search)


def _short_sequences(
    found: Found, search: Search, extra: Sequence[Term]
) -> tuple[Found, list[Term]]:
    """Sequences as short as those before them allow, and what keeps them so: numbers that are
    sought later must not make them grow again."""
    wishes, asked = list[Term](), 0
    for collection in search.problem.collections:
        theory = search.problem.theories.by_sort[collection.sort]
        if not isinstance(theory, Sequences):
            continue
        size = tb.apply(theory.length, collection)
        known = _number_of(found, size)
        if known is None:
            continue
        smaller = 0
        while smaller < known and asked < QUESTIONS:
            asked += 1
            better = search.within(found.scope, [*extra, *wishes, _at_most(size, smaller)], EFFORT)
            if isinstance(better, Found) and _is_as_good(better, found):
                now = _number_of(better, size)
                if now is not None and now < known:
                    found, known = better, now
                    break
            smaller += 1
        wishes.append(_at_most(size, known))
    return found, wishes


def _without_needless(found: Found, search: Search) -> Found:
    """Sets, multisets and maps without what they can do without: the solver's collections hold
    whatever nothing speaks against. No solver is asked, all facts are evaluated again."""
    tried = steps = 0
    for each in search.problem.collections:
        value = _value(found, each)
        dropped = [] if value is None else [_EMPTY.get(type(value), value), *_smaller(value)]
        while dropped and tried < MOST_DROPPED and steps < MOST_STEPS:
            smaller = dropped.pop(0)
            better = search.reread(found, each, smaller)
            tried, steps = tried + 1, steps + (better.evaluator.steps if better else 0)
            if better is not None and _is_as_good(better, found) and _value(better, each) != value:
                found, value = better, smaller
                dropped = [*_smaller(value)]
    return found


_EMPTY: Mapping[type, Value] = {frozenset: frozenset(), Bag: bag({}), Table: table(())}


def _smaller(value: Value) -> Iterator[Value]:
    """Gives the collections that lack one element; largest first, since small numbers are nicer."""
    match value:
        case frozenset():
            for element in in_order(value)[::-1]:
                yield value - {element}
        case Bag(counts):
            for element in in_order([e for e, _ in counts])[::-1]:
                yield bag({**dict(counts), element: 0})
                yield bag({**dict(counts), element: value.count(element) - 1})
        case Table(entries):
            for key in in_order(value.keys)[::-1]:
                yield table([entry for entry in entries if entry[0] != key])
        case _:
            return


def _value(found: Found, term: Term) -> Value | None:
    try:
        return found.evaluator.value(term)
    except Unevaluable:
        return None


def _number_of(found: Found, number: Term) -> int | None:
    value = _value(found, number)
    return value if isinstance(value, int) else None


def _at_most(number: Term, high: int) -> Term:
    return tb.at_most(number, tb.integer(high))


def _simple_amounts(found: Found, search: Search, extra: Sequence[Term]) -> Found:
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
    sets = [c for c in search.problem.collections if _is_of_numbers(c, search)]
    if not numbers and not sets:
        return found
    for low, high in NICE:
        if _fits(found, numbers, low, high) and _all_fit(found, sets, low, high):
            return found
        limits = [_between(n, low, high) for n in numbers]
        limits += [_elements_between(s, low, high, search) for s in sets]
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
    """What a reader will see: variables, fields, the fields of every object, and the numbers in
    sequences and maps."""
    shown = [*search.problem.numbers, *search.located(found.objects)]
    for collection in search.problem.collections:
        theory = search.problem.theories.by_sort[collection.sort]
        if isinstance(theory, Sequences) and theory.element is INT:
            length = _number_of(found, tb.apply(theory.length, collection)) or 0
            shown += [tb.apply(theory.index, collection, tb.integer(i)) for i in range(length)]
        if isinstance(theory, Maps) and theory.values.element is INT:
            value = _value(found, collection)
            keys = value.keys if isinstance(value, Table) else ()
            named = [
                found.evaluator.interpretation.term_for(key, theory.keys.element) for key in keys
            ]
            shown += [tb.apply(theory.lookup, collection, key) for key in named if key is not None]
    return [n for n in dict.fromkeys(shown) if n.sort is INT and not isinstance(n, Literal)]


def _fits(found: Found, numbers: list[Term], low: int, high: int) -> bool:
    try:
        values = [found.evaluator.value(n) for n in numbers]
    except Unevaluable:
        return True
    return all(isinstance(v, int) and low <= v <= high for v in values)


def _is_of_numbers(collection: Term, search: Search) -> bool:
    theory = search.problem.theories.by_sort[collection.sort]
    return isinstance(theory, Sets) and theory.element is INT


def _all_fit(found: Found, sets: list[Term], low: int, high: int) -> bool:
    for each in sets:
        value = _value(found, each)
        if isinstance(value, frozenset) and not all(
            isinstance(v, int) and low <= v <= high for v in value
        ):
            return False
    return True


def _elements_between(numbers: Term, low: int, high: int, search: Search) -> Term:
    theory = search.problem.theories.by_sort[numbers.sort]
    assert isinstance(theory, Sets)
    element = tb.variable("element!small", INT)
    inside = tb.apply(theory.contains, element, numbers)
    body = tb.implies(inside, _between(element, low, high))
    return tb.forall((element,), body, ((inside,),))


def _size(found: Found, number: Term) -> int:
    return abs(_number_of(found, number) or 0)


def _between(number: Term, low: int, high: int) -> Term:
    return tb.conjoin(tb.at_least(number, tb.integer(low)), tb.at_most(number, tb.integer(high)))
