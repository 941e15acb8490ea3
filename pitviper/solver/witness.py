"""Answers that need no solver: values for the constants of a question, seen by looking at it.

NOTE(witness). Before its first proof, a method asks whether its precondition can be met, and a
branch whether it can be taken: `x != null`, `0 <= n`. A context of the solver for that costs more
than everything else about a small member. So values are guessed for the constants that occur, and
all facts are computed with them: where all of them hold, the question has its counterexample. Only
the guess is a matter of luck, and where it is wrong, or where there is anything else than constants
of simple sorts, the solver is asked.

Axioms have no say in this if they are universal and all their triggers need functions: nothing here
has any, so they would sleep (NOTE(dormant)), and the solver would find such values as well. A
session that vouches for models of its quantifiers (`Z3Options.models`) looks at them all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Final
from weakref import WeakKeyDictionary

from pitviper.solver.session import Path
from pitviper.terms import operators as op
from pitviper.terms.sort import BOOL, INT, REAL, SortKind
from pitviper.terms.symbol import Function, FunctionKind, Operator
from pitviper.terms.term import App, Binder, Literal, Quantified, Term

MOST_FACTS: Final = 40
MOST_TERMS: Final = 200
"""Beyond that the solver is quicker."""

_TRIES: Final = 8
"""Values that are looked at for a number."""

_COMPUTED: Final[dict[Operator, Callable[..., Any]]] = {
    op.NOT: lambda a: not a,
    op.AND: lambda *args: all(args),
    op.OR: lambda *args: any(args),
    op.IMPLIES: lambda a, b: not a or b,
    op.EQUAL: lambda a, b: a == b,
    op.ITE: lambda c, a, b: a if c else b,
    op.PLUS: lambda a, b: a + b,
    op.MINUS: lambda a, b: a - b,
    op.TIMES: lambda a, b: a * b,
    op.LESS: lambda a, b: a < b,
    op.AT_MOST: lambda a, b: a <= b,
    op.TO_REAL: Fraction,
}
"""What operators mean; a question with another one is left to the solver."""

_asleep: WeakKeyDictionary[Quantified, bool] = WeakKeyDictionary()
"""Members of one program declare the same axioms."""


def needs_functions(axiom: Term) -> bool:
    """Whether the axiom can only fire where some function is applied to something."""
    if not isinstance(axiom, Quantified) or axiom.binder is not Binder.FORALL:
        return False
    found = _asleep.get(axiom)
    if found is None:
        groups = axiom.triggers
        found = _asleep[axiom] = bool(groups) and all(map(_applies_functions, groups))
    return found


def has_witness(path: Path, goal: Term) -> bool:
    """Whether there are values for which the path holds and the goal does not; no means: perhaps.

    That is so under all axioms that need functions.
    """
    if path.length > MOST_FACTS:
        return False
    facts = [entry.fact for entry in path]
    terms = _terms_of((*facts, goal))
    if terms is None:
        return False
    guess = _Guess()
    for fact in facts:
        guess.suppose(fact, holds=True)
    guess.suppose(goal, holds=False)
    values = guess.values(terms)
    return all(values[fact] for fact in facts) and not values[goal]


def constants_of(term: Term) -> list[Function] | None:
    """The constants of a term that consists of such and of what is computed from them."""
    terms = _terms_of((term,))
    if terms is None:
        return None
    return [t.symbol for t in terms if isinstance(t, App) and isinstance(t.symbol, Function)]


def _applies_functions(group: tuple[Term, ...]) -> bool:
    todo = list(group)
    while todo:
        term = todo.pop()
        symbol = term.symbol if isinstance(term, App) else None
        if isinstance(symbol, Function) and symbol.domain and symbol.kind is FunctionKind.DECLARED:
            return True
        todo += term.args
    return False


def _is_constant(term: Term) -> bool:
    """Whether any value of its sort may be chosen for it; a free sort has as many as one likes."""
    return (
        isinstance(term, App)
        and not term.args
        and isinstance(term.symbol, Function)
        and term.symbol.kind is FunctionKind.DECLARED
        and (term.sort in (BOOL, INT, REAL) or term.sort.kind is SortKind.FREE)
    )


def _is_computed(term: Term) -> bool:
    """Products of constants are left out: their values may become as long as one likes."""
    if not isinstance(term, App) or term.symbol not in _COMPUTED:
        return False
    return term.symbol is not op.TIMES or any(isinstance(arg, Literal) for arg in term.args)


def _terms_of(roots: tuple[Term, ...]) -> list[Term] | None:
    """All terms inside, arguments first; None if there are some whose values are not known here."""
    found: dict[Term, None] = {}
    stack = list(roots)
    while stack:
        term = stack[-1]
        if term in found:
            stack.pop()
            continue
        if not term.args:
            if not (isinstance(term, Literal) or _is_constant(term)):
                return None
            stack.pop()
            found[term] = None
            continue
        if not _is_computed(term):
            return None
        missing = [arg for arg in term.args if arg not in found]
        if missing:
            stack += missing
        else:
            stack.pop()
            found[term] = None
        if len(stack) + len(found) > MOST_TERMS:
            return None
    return list(found)


class _Guess:
    """Values of constants that the form of the facts suggests."""

    def __init__(self) -> None:
        self._seen: set[tuple[Term, bool]] = set()
        self._truths: dict[Term, bool] = {}
        self._low: dict[Term, Any] = {}
        self._high: dict[Term, Any] = {}
        self._not: dict[Term, set[Any]] = {}
        self._equal: dict[Term, Term] = {}

    def suppose(self, fact: Term, *, holds: bool) -> None:
        """What a fact says about single constants; the first part of a disjunction is tried."""
        if (fact, holds) in self._seen:
            return
        self._seen.add((fact, holds))
        symbol = fact.symbol if isinstance(fact, App) else None
        if symbol is op.NOT:
            self.suppose(fact.args[0], holds=not holds)
        elif symbol is op.AND or symbol is op.OR:
            all_of_them = (symbol is op.AND) is holds
            for part in fact.args if all_of_them else fact.args[:1]:
                self.suppose(part, holds=holds)
        elif symbol is op.IMPLIES:
            self.suppose(fact.args[0], holds=not holds)
            if not holds:
                self.suppose(fact.args[1], holds=False)
        elif symbol is op.EQUAL:
            self._compare(*fact.args, holds=holds)
        elif symbol is op.LESS or symbol is op.AT_MOST:
            low, high = fact.args if holds else reversed(fact.args)
            self._bound(low, high, strict=(symbol is op.LESS) is holds)
        elif symbol is not None:
            self._truths.setdefault(fact, holds)

    def values(self, terms: Iterable[Term]) -> dict[Term, Any]:
        """Values of all terms, of which arguments come first."""
        values: dict[Term, Any] = {}
        terms = list(terms)
        constants = [term for term in terms if _is_constant(term)]
        for literal in terms:
            if isinstance(literal, Literal):
                values[literal] = literal.value
        for constant in constants:
            if constant not in self._equal:
                values[constant] = self._value(constant, values)
        for constant in constants:
            if constant not in values:
                computed = _computed(self._equal[constant], values)
                values[constant] = self._value(constant, values) if computed is None else computed
        for term in terms:
            if term not in values:
                assert isinstance(term, App) and isinstance(term.symbol, Operator)
                values[term] = _COMPUTED[term.symbol](*[values[arg] for arg in term.args])
        return values

    def _compare(self, first: Term, second: Term, *, holds: bool) -> None:
        if not _is_constant(first):
            first, second = second, first
        if not _is_constant(first):
            return
        if holds:
            if first in self._equal and _is_constant(second):
                first, second = second, first
            self._equal.setdefault(first, second)
        elif isinstance(second, Literal):
            self._not.setdefault(first, set()).add(second.value)

    def _bound(self, low: Term, high: Term, *, strict: bool) -> None:
        step = 1 if strict and low.sort is INT else 0
        if isinstance(low, Literal) and _is_constant(high):
            least = low.value + step
            self._low[high] = max(self._low.get(high, least), least)
        elif isinstance(high, Literal) and _is_constant(low):
            most = high.value - step
            self._high[low] = min(self._high.get(low, most), most)

    def _value(self, constant: Term, values: dict[Term, Any]) -> Any:
        if constant.sort is BOOL:
            return self._truths.get(constant, False)
        if constant.sort is not INT and constant.sort is not REAL:
            return constant
        excluded = self._not.get(constant, set())
        tried = [value for value in self._numbers(constant) if value not in excluded]
        taken = {values.get(other) for other in values if other.sort is constant.sort}
        fresh = [value for value in tried if value not in taken]
        return next(iter(fresh or tried), Fraction(1) if constant.sort is REAL else 1)

    def _numbers(self, constant: Term) -> list[Any]:
        """Some between the bounds; those of real numbers may be strict, so they come last."""
        low, high = self._low.get(constant), self._high.get(constant)
        if constant.sort is REAL:
            if low is None:
                low = Fraction(0) if high is None else high - 1
            step = Fraction(1) if high is None or high <= low else (high - low) / (_TRIES + 1)
            inside = [low + step * i for i in range(1, _TRIES + 1)]
            return [*inside, low] if high is None or low <= high else inside
        if low is None:
            low = 1 if high is None else high - _TRIES + 1
        most = low + _TRIES - 1
        return list(range(low, (most if high is None else min(most, high)) + 1))


def _computed(term: Term, values: dict[Term, Any]) -> Any | None:
    """The value of a term whose constants have values; None if one has not."""
    if term in values or not isinstance(term, App) or not isinstance(term.symbol, Operator):
        return values.get(term)
    args = [_computed(arg, values) for arg in term.args]
    if None not in args:
        values[term] = _COMPUTED[term.symbol](*args)
    return values.get(term)
