"""What the solver has to be told when its model is not an instance.

Every lemma is true in all instances of any size: see NOTE(closed) in `scope.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pitviper.base.record import record
from pitviper.counterexample.bounded.evaluator import Evaluator
from pitviper.counterexample.bounded.ground import Namer
from pitviper.counterexample.bounded.values import (
    Bag,
    Built,
    Table,
    Underspecified,
    Unevaluable,
    Value,
    in_order,
)
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.multisets import Multisets
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets
from pitviper.terms import build as tb
from pitviper.terms.operators import EQUAL
from pitviper.terms.sort import BOOL, Sort
from pitviper.terms.substitute import instantiate
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Binder, Quantified, Term


@record
class Lemma:
    """A fact for the solver; `source` is where it comes from, None: it is true by itself.

    An instance of a quantifier tells which values it was instantiated with.
    """

    term: Term
    source: Term | None = None
    quantifier: Quantified | None = None
    values: tuple[Term, ...] = ()


class Teacher:
    """Makes lemmas for one search; names of witnesses are its own."""

    def __init__(self, given: Iterable[Term], namer: Namer) -> None:
        self._given = frozenset(given)
        self._namer = namer
        self._supply = Supply("%slot")

    def instances(self, fact: Term, evaluator: Evaluator) -> Iterator[Lemma]:
        """Gives instances of the ground quantifiers of a fact at the values that decide them."""
        for term in _quantifiers(fact, self._namer):
            values = evaluator.witnesses.get(term)
            if values is None:
                continue
            terms = _applied(term, values, evaluator)
            if terms is not None:
                for made in self._instance(term, terms):
                    yield Lemma(made, fact, term, tuple(terms))

    def _instance(self, term: Quantified, values: list[Term]) -> list[Term]:
        body = instantiate(term, values)
        name = self._namer.stand_in(term)
        if term.binder is Binder.EXISTS:
            return self._namer.named(tb.implies(body, name))
        return self._namer.named(body if term in self._given else tb.implies(name, body))

    # ------------------------------------------------------------ collections

    def meanings(self, evaluator: Evaluator) -> Iterator[Lemma]:
        """Gives lemmas for operations on collections whose result in the model is wrong."""
        yield from map(Lemma, _twins(evaluator))
        for term in evaluator.interpretation.ground.all:
            try:
                yield from map(Lemma, self._meaning(term, evaluator))
            except Unevaluable:
                continue

    def _meaning(self, term: App, evaluator: Evaluator) -> Iterator[Term]:
        theories = evaluator.interpretation.theories
        if term.symbol is EQUAL and theories.is_read(term.args[0].sort):
            args = [evaluator.value(arg) for arg in term.args]
            result: Value = args[0] == args[1]
        elif isinstance(term.symbol, Function) and term.symbol in theories.meanings:
            args = [evaluator.value(arg) for arg in term.args]
            try:
                result = theories.meanings[term.symbol](*args)
            except Underspecified:
                return
        else:
            return
        interpretation = evaluator.interpretation
        if interpretation.decode(interpretation.raw(term), term.sort) == result:
            return
        if _is_size(term, evaluator):
            yield from self._size(term, evaluator)
            return
        point = _Point(evaluator)
        for arg, value in zip(term.args, args, strict=True):
            point.given(arg, value)
        lemma = point.then(term, result)
        if lemma is not None:
            yield lemma

    def _size(self, term: App, evaluator: Evaluator) -> Iterator[Term]:
        """As large as its elements are many; where it is larger there is one more."""
        collection = term.args[0]
        theory = evaluator.interpretation.theories.by_sort[collection.sort]
        if isinstance(theory, Maps | Sequences):
            return
        found = [
            evaluator.interpretation.term_for(value, theory.element)
            for value in in_order(_elements(evaluator.value(collection)))
        ]
        known = [t for t in found if t is not None]
        counted: Term = tb.integer(0)
        for element in known:
            counted = tb.plus(counted, _count(theory, element, collection))
        apart = tb.distinct(*known) if len(known) > 1 else tb.TRUE
        yield tb.implies(apart, tb.at_least(term, counted))
        slot = self._supply.constant("element", theory.element)
        new = tb.conjoin(*[tb.differ(slot, element) for element in known])
        inside = tb.greater(_count(theory, slot, collection), tb.integer(0))
        yield tb.implies(tb.conjoin(apart, tb.greater(term, counted)), tb.conjoin(inside, new))


def _applied(term: Quantified, values: Sequence[Value], evaluator: Evaluator) -> list[Term] | None:
    """Returns terms with these values; those that a function is applied to, if one of the triggers
    is such an application. A lemma about them excludes more models than one about the values."""
    for trigger in term.triggers:
        match trigger:
            case (App(symbol=Function() as symbol, args=args),) if args == term.variables:
                for known in evaluator.interpretation.ground.applications.get(symbol, ()):
                    if _values(known.args, evaluator) == tuple(values):
                        return list(known.args)
    found = [
        evaluator.interpretation.term_for(value, v.sort)
        for value, v in zip(values, term.variables, strict=True)
    ]
    terms = [t for t in found if t is not None]
    return terms if len(terms) == len(found) else None


def _values(terms: Iterable[Term], evaluator: Evaluator) -> tuple[Value, ...] | None:
    try:
        return tuple([evaluator.value(term) for term in terms])
    except Unevaluable:
        return None


def _count(theory: Sets | Multisets, element: Term, collection: Term) -> Term:
    if isinstance(theory, Multisets):
        return tb.apply(theory.count, element, collection)
    inside = tb.apply(theory.contains, element, collection)
    return tb.ite(inside, tb.integer(1), tb.integer(0))


def _elements(value: Value) -> list[Value]:
    if isinstance(value, Bag):
        return [x for x, _ in value.counts]
    assert isinstance(value, frozenset)
    return list(value)


def _is_size(term: App, evaluator: Evaluator) -> bool:
    theory = evaluator.interpretation.theories.by_sort.get(term.args[0].sort) if term.args else None
    return isinstance(theory, Sets | Multisets) and term.symbol is theory.size


def _twins(evaluator: Evaluator) -> Iterator[Term]:
    """Collections with the same elements that the model tells apart: are they equal?"""
    interpretation = evaluator.interpretation
    for sort, theory in interpretation.theories.by_sort.items():
        first: dict[Value, Term] = {}
        for term in interpretation.ground.by_sort.get(sort, ()):
            try:
                other = first.setdefault(evaluator.value(term), term)
                if interpretation.raw(term) != interpretation.raw(other):
                    yield tb.iff(tb.apply(theory.equals, term, other), tb.equal(term, other))
            except Unevaluable:
                continue


class _Point:
    """Describes values by terms: arguments that have these values give this result."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._interpretation = evaluator.interpretation
        self._conditions: list[Term] = []
        self._complete = True

    def given(self, term: Term, value: Value) -> None:
        self._conditions += self._described(term, value)

    def then(self, term: App, value: Value) -> Term | None:
        if term.sort is BOOL:
            claims = [term if value is True else tb.negate(term)]
        else:
            claims = self._described(term, value)
        if not self._complete:
            return None
        return tb.implies(tb.conjoin(*self._conditions), tb.conjoin(*claims))

    def _term(self, value: Value, sort: Sort) -> Term:
        found = self._interpretation.term_for(value, sort)
        if found is None:
            self._complete = False
            return tb.constant("?", sort)
        return found

    def _described(self, term: Term, value: Value) -> list[Term]:
        theory = self._interpretation.theories.by_sort.get(term.sort)
        match theory:
            case Sets():
                assert isinstance(value, frozenset)
                return self._set(theory, term, value)
            case Sequences():
                assert isinstance(value, tuple)
                return [
                    tb.equal(tb.apply(theory.length, term), tb.integer(len(value))),
                    *[
                        self._same(tb.apply(theory.index, term, tb.integer(i)), x)
                        for i, x in enumerate(value)
                    ],
                ]
            case Multisets():
                assert isinstance(value, Bag)
                parts = dict(value.counts)
                elements = [self._term(x, theory.element) for x in in_order(parts)]
                return [
                    tb.equal(tb.apply(theory.size, term), tb.integer(value.size)),
                    tb.distinct(*elements) if len(elements) > 1 else tb.TRUE,
                    *[
                        tb.equal(tb.apply(theory.count, e, term), tb.integer(parts[x]))
                        for e, x in zip(elements, in_order(parts), strict=True)
                    ],
                ]
            case Maps():
                assert isinstance(value, Table)
                keys = tb.apply(theory.domain, term)
                return [
                    *self._set(theory.keys, keys, value.keys),
                    *[self._entry(theory, term, k, v) for k, v in _sorted(value)],
                ]
            case None if isinstance(value, Built):
                adt = self._interpretation.theories.adts[term.sort]
                case = adt.case(value.constructor)
                return [
                    tb.equal(tb.apply(adt.tag, term), tb.integer(case.number)),
                    *[
                        self._same(tb.apply(part, term), x)
                        for part, x in zip(case.parts, value.args, strict=True)
                    ],
                ]
            case None:
                return [self._same(term, value)]

    def _entry(self, theory: Maps, term: Term, key: Value, value: Value) -> Term:
        at = self._term(key, theory.keys.element)
        return self._same(tb.apply(theory.lookup, term, at), value)

    def _set(self, theory: Sets, term: Term, value: frozenset[Value]) -> list[Term]:
        elements = [self._term(x, theory.element) for x in in_order(value)]
        return [
            tb.equal(tb.apply(theory.size, term), tb.integer(len(value))),
            tb.distinct(*elements) if len(elements) > 1 else tb.TRUE,
            *[tb.apply(theory.contains, e, term) for e in elements],
        ]

    def _same(self, term: Term, value: Value) -> Term:
        return tb.equal(term, self._term(value, term.sort))


def _sorted(value: Table) -> list[tuple[Value, Value]]:
    entries = dict(value.entries)
    return [(k, entries[k]) for k in in_order(entries)]


def _quantifiers(fact: Term, namer: Namer) -> Iterator[Quantified]:
    """Those that are ground and stand in no other, or whose names occur."""
    stack, seen = [fact], set[Term]()
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if isinstance(term, Quantified):
            if not term.free:
                yield term
        else:
            if isinstance(term, App) and isinstance(term.symbol, Function):
                named = namer.stands_for.get(term.symbol)
                stack += [] if named is None else [named]
            stack.extend(reversed(term.args))
