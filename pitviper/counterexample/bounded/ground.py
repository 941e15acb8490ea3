"""The terms without free variables that the solver was told about: they span an instance."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import BOOL, Sort
from pitviper.terms.substitute import instantiate
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Binder, Literal, Quantified, Term


class GroundTerms:
    """Grows with the facts; every list is in the order of first occurrence."""

    def __init__(self) -> None:
        self._seen: set[Term] = set()
        self.by_sort: dict[Sort, list[Term]] = {}
        self.applications: dict[Function, list[App]] = {}
        self.all: list[App] = []

    def add(self, facts: Iterable[Term]) -> None:
        for fact in facts:
            self._add(fact)

    def _add(self, root: Term) -> None:
        """Arguments come before the terms they occur in; nothing inside a quantifier is ground."""
        stack = [(root, False)]
        while stack:
            term, visited = stack.pop()
            if visited:
                self._note(term)
            elif term not in self._seen and not isinstance(term, Quantified):
                self._seen.add(term)
                stack.append((term, True))
                stack.extend([(arg, False) for arg in reversed(term.args)])

    def _note(self, term: Term) -> None:
        if term.free:
            return
        if isinstance(term, App):
            self.all.append(term)
            if isinstance(term.symbol, Function):
                self.applications.setdefault(term.symbol, []).append(term)
        if isinstance(term, App | Literal):
            self.by_sort.setdefault(term.sort, []).append(term)


class Namer:
    """Replaces quantifiers that claim existence by constants; equisatisfiable, not equivalent.

    A quantifier inside a fact gets a name, its `stand_in`, so that what is learnt about the one
    reaches the other: the solver would forget that both are the same.
    """

    def __init__(self) -> None:
        self._supply = Supply("%witness")
        self._mixed: dict[Term, bool] = {}
        self.stands_for: dict[Function, Quantified] = {}
        self._stand_ins: dict[Quantified, App] = {}

    def named(self, fact: Term) -> list[Term]:
        """Returns the fact, and what its names mean."""
        if isinstance(fact, Quantified) and fact.binder is Binder.FORALL:
            return [fact]
        known = len(self._stand_ins)
        named = self._walk(fact, positive=True)
        meanings = [_meaning(term, name) for term, name in list(self._stand_ins.items())[known:]]
        return [*(named.args if _is_conjunction(named) else [named]), *meanings]

    def stand_in(self, term: Quantified) -> Term:
        """Returns the name of a quantifier, or itself if it has none."""
        return self._stand_ins.get(term, term)

    def _named_quantifier(self, term: Quantified) -> Term:
        name = self._stand_ins.get(term)
        if name is None:
            name = self._stand_ins[term] = self._supply.constant("claim", BOOL)
            assert isinstance(name.symbol, Function)
            self.stands_for[name.symbol] = term
        return name

    def _walk(self, term: Term, *, positive: bool) -> Term:
        if term.free or not self._has_quantifier(term):
            return term
        if isinstance(term, Quantified):
            claims = (term.binder is Binder.EXISTS) is positive
            if claims:
                return self._walk(self._instance(term), positive=positive)
            return self._named_quantifier(term)
        assert isinstance(term, App)
        symbol, args = term.symbol, term.args
        if symbol is op.NOT:
            return tb.negate(self._walk(args[0], positive=not positive))
        if symbol in (op.AND, op.OR):
            return tb.apply(symbol, *[self._walk(a, positive=positive) for a in args])
        if symbol is op.IMPLIES:
            condition = self._walk(args[0], positive=not positive)
            return tb.implies(condition, self._walk(args[1], positive=positive))
        if symbol is op.EQUAL and args[0].sort is BOOL:
            both = tb.conjoin(_implies(args[0], args[1]), _implies(args[1], args[0]))
            return self._walk(both, positive=positive)
        if symbol is op.ITE and term.sort is BOOL:
            sides = _implies(args[0], args[1]), _implies(tb.negate(args[0]), args[2])
            return self._walk(tb.conjoin(*sides), positive=positive)
        return term

    def _instance(self, term: Quantified) -> Term:
        return instantiate(term, [self._supply.constant(v.name, v.sort) for v in term.variables])

    def _has_quantifier(self, term: Term) -> bool:
        found = self._mixed.get(term)
        if found is None:
            found = isinstance(term, Quantified) or any(map(self._has_quantifier, term.args))
            self._mixed[term] = found
        return found


def _is_conjunction(term: Term) -> bool:
    return isinstance(term, App) and term.symbol is op.AND


def _meaning(term: Quantified, name: App) -> Term:
    """A name is used where its quantifier must not be claimed too easily: one way is enough."""
    if term.binder is Binder.FORALL:
        return tb.implies(name, term)
    none = tb.forall(term.variables, tb.negate(term.body), term.triggers, term.name, term.weight)
    return tb.disjoin(name, none)


def _implies(a: Term, b: Term) -> Term:
    return tb.disjoin(tb.negate(a), b)
