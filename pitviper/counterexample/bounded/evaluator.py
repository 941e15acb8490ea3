"""What a term means in an instance: our own evaluator, which shares nothing with the solver.

NOTE(finite). Quantifiers over references range over the objects of the instance, those over other
sorts over the values that occur in it. Over integers they range over the interval that their guards
give, which is all that matters; without guards over the integers that occur, and then the
evaluator tells that this was a sample. So it does where references are only compared, and for
amounts, collections and data types, of which there are always others. Programs can always make
further objects: where a quantifier only asks which collections they are in, some that are in none
stand for these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TypeAlias, TypeVar

from pitviper.counterexample.bounded.guards import Range, matches, range_of
from pitviper.counterexample.bounded.interpretation import Interpretation, default
from pitviper.counterexample.bounded.values import (
    Circular,
    Underspecified,
    Unevaluable,
    Value,
    in_order,
)
from pitviper.solver.model import Element
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.snapshot import UNIT, pair
from pitviper.terms.sort import BOOL, INT, REAL, REF, Sort, SortKind
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function, FunctionKind, Operator
from pitviper.terms.term import App, Binder, Literal, Quantified, Term, Var

Env: TypeAlias = Mapping[Var, Value]

MAX_VALUATIONS = 60_000
MOST_UNROLLED = 60
"""How often definitions are evaluated for what they mention."""
WIDEST = 400
"""Integers of one quantifier."""


class Evaluator:
    """Values of terms in one interpretation; `witnesses` decided the ground quantifiers.

    `sampled` are quantifiers over more values than occur, `of_objects` those that say something of
    each object. `strays` are applications whose value is a reference that is no object of the
    instance, `unsettled` functions whose definitions lead to ever further values.
    """

    def __init__(
        self,
        interpretation: Interpretation,
        by_triggers: frozenset[Term],
        stands_for: Mapping[Function, Quantified],
    ) -> None:
        self.interpretation = interpretation
        self.objects = interpretation.objects
        self.touched: dict[Function, dict[tuple[Value, ...], Value]] = {}
        self.witnesses: dict[Quantified, tuple[Value, ...]] = {}
        self.sampled: dict[Quantified, None] = {}
        self.of_objects: dict[Quantified, None] = {}
        self.strays: dict[tuple[Function, tuple[Value, ...]], None] = {}
        self.unsettled: dict[Function, None] = {}
        self._by_triggers = by_triggers
        self._stands_for = stands_for
        self._inside = frozenset([interpretation.null, *self.objects])
        self._occurrences: dict[tuple[Term, Var], tuple[tuple[Function, int], ...]] = {}
        self._known: dict[Term, Value] = {}
        self._why: dict[Term, Unevaluable] = {}
        self._valuations = 0
        self._under_way: set[Term] = set()
        self.steps = 0
        self._integers: list[Value] | None = None

    def value(self, term: Term, env: Env | None = None) -> Value:
        """Returns the value of a term; Unevaluable where it has none that can be computed."""
        if term.free:
            return self._compute(term, env or {})
        if term in self._why:
            raise self._why[term]
        found = self._known.get(term)
        if found is None:
            if term in self._under_way:
                raise Circular("a value that depends on itself")
            self._under_way.add(term)
            try:
                found = self._known[term] = self._compute(term, {})
            except Unevaluable as why:
                self._why[term] = why
                raise
            finally:
                self._under_way.discard(term)
        return found

    def holds(self, fact: Term) -> bool:
        self._valuations = 0
        return self.value(fact) is True

    # ------------------------------------------------------------ terms

    def _compute(self, term: Term, env: Env) -> Value:
        match term:
            case Literal(value=value):
                return value
            case Var():
                return env[term]
            case Quantified():
                return self._quantifier(term, env)
            case App(symbol=Function() as symbol) if symbol in self._stands_for:
                return self.value(self._stands_for[symbol])
            case App(symbol=Function() as symbol):
                return self._application(symbol, [self.value(a, env) for a in term.args])
            case App(symbol=Operator() as symbol):
                return apply(symbol, [partial(self.value, a, env) for a in term.args])
            case _:
                raise Unevaluable(f"{term!r}")

    def _application(self, symbol: Function, args: list[Value]) -> Value:
        interpretation = self.interpretation
        meaning = interpretation.theories.meanings.get(symbol)
        if meaning is not None:
            try:
                return meaning(*args)
            except Underspecified:
                pass  # the model decides, like for any other function
        raws = [
            interpretation.encode(value, sort)
            for value, sort in zip(args, symbol.domain, strict=True)
        ]
        known = [raw for raw in raws if raw is not None]
        if len(known) < len(raws):  # a collection that the model does not know
            raw = default(symbol.range, interpretation)
        else:
            raw = interpretation.apply(symbol, tuple(known))
        result = interpretation.decode(raw, symbol.range)
        if symbol.range is REF and result not in self._inside:
            self.strays[symbol, tuple(args)] = None
        self.touched.setdefault(symbol, {})[tuple(args)] = result
        return result

    # ------------------------------------------------------------ quantifiers

    def _quantifier(self, term: Quantified, env: Env) -> bool:
        decisive = term.binder is Binder.EXISTS
        missing: Unevaluable | None = None
        for valuation in self._candidates(term, env):
            self._valuations += 1
            self.steps += 1
            if self._valuations > MAX_VALUATIONS:
                raise Unevaluable("a quantifier over too many values")
            try:
                if self.value(term.body, valuation) is decisive:
                    if not term.free:
                        self.witnesses[term] = tuple([valuation[v] for v in term.variables])
                    return decisive
            except Unevaluable as why:
                missing = missing or why
        if missing is not None:
            raise missing
        return not decisive

    def settle(self, definitions: Sequence[Term]) -> list[Term]:
        """Returns the definitions that fail where they matter, for what they mention as well."""
        for _ in range(MOST_UNROLLED):
            before = {symbol: len(known) for symbol, known in self.touched.items()}
            failing = [d for d in definitions if self._fails(d)]
            growing = [s for s, known in self.touched.items() if len(known) > before.get(s, 0)]
            if failing or not growing:
                return failing
        self.unsettled.update(dict.fromkeys(growing))
        return failing

    def _fails(self, definition: Term) -> bool:
        self._known.pop(definition, None)
        self._why.pop(definition, None)
        try:
            return not self.holds(definition)
        except Unevaluable:
            return False

    def _candidates(self, term: Quantified, env: Env) -> Iterator[Env]:
        if term in self._by_triggers:
            return matches(term, self)
        return self._assignments(term, 0, dict(env))

    def _assignments(self, term: Quantified, at: int, env: dict[Var, Value]) -> Iterator[Env]:
        if at == len(term.variables):
            yield env
            return
        variable = term.variables[at]
        for value in self._domain(term, variable, env):
            yield from self._assignments(term, at + 1, {**env, variable: value})

    def _domain(self, term: Quantified, variable: Var, env: Env) -> list[Value]:
        if variable.sort is BOOL:
            return [False, True]
        if variable.sort is REF:
            if not self._speaks_of_objects(term):
                self.sampled[term] = None
            elif self._columns(term, variable):
                self.of_objects[term] = None
            else:
                others = [Element(REF, f"other{i}") for i, _ in enumerate(term.variables)]
                return [self.interpretation.null, *self.objects, *others]
            return [self.interpretation.null, *self.objects]
        found = range_of(term, variable, lambda t: self._bound(t, env))
        if found is not None and found.members is not None:
            return found.members
        columns = self._columns(term, variable)
        if variable.sort is INT and (found is not None or not columns):
            return self._interval(term, found)
        if not columns:
            if not self._may_be_few(variable.sort):
                self.sampled[term] = None
            return self.interpretation.elements(variable.sort)
        self.sampled[term] = None
        args = [(args, i) for symbol, i in columns for args, _ in self.applications(symbol)]
        return in_order(dict.fromkeys([values[i] for values, i in args]))

    def _may_be_few(self, sort: Sort) -> bool:
        """Whether a sort has as many values as a model likes: that of a domain."""
        return sort.kind is SortKind.FREE and not self.interpretation.theories.is_read(sort)

    def _speaks_of_objects(self, term: Quantified) -> bool:
        """Whether the body says more of an object than which one it is: there may be others."""
        return any(
            isinstance(t, App) and isinstance(t.symbol, Function) and t.args
            for t in subterms(term.body)
        )

    def _columns(self, term: Quantified, variable: Var) -> tuple[tuple[Function, int], ...]:
        """The places of functions without meaning where the variable stands: it matters there."""
        found = self._occurrences.get((term, variable))
        if found is None:
            found = self._occurrences[term, variable] = tuple(
                dict.fromkeys(
                    [
                        (t.symbol, i)
                        for t in subterms(term.body)
                        if isinstance(t, App)
                        and isinstance(t.symbol, Function)
                        and not is_interpreted(t.symbol, self)
                        for i, arg in enumerate(t.args)
                        if arg is variable
                    ]
                )
            )
        return found

    def _bound(self, term: Term, env: Env) -> Value | None:
        """The value of a term whose variables are bound already."""
        if any(v not in env for v in term.free):
            return None
        try:
            return self.value(term, env)
        except Unevaluable:
            return None

    def _interval(self, term: Quantified, found: Range | None) -> list[Value]:
        integers = self.integers()
        if found is None or found.low is None or found.high is None:
            self.sampled[term] = None
            low = found.low if found is not None else None
            high = found.high if found is not None else None
            return [
                i
                for i in integers
                if isinstance(i, int) and (low is None or i >= low) and (high is None or i <= high)
            ]
        if found.high - found.low > WIDEST:
            raise Unevaluable(f"a quantifier over {found.high - found.low + 1} integers")
        return list(range(found.low, found.high + 1))

    def integers(self) -> list[Value]:
        """Returns the integers that occur, and their neighbours."""
        if self._integers is None:
            known = [i for i in self.interpretation.pool(INT) if isinstance(i, int)]
            near = dict.fromkeys([j for i in [0, *known] for j in (i - 1, i, i + 1)])
            self._integers = in_order(near)[:WIDEST]
        return self._integers

    def applications(self, symbol: Function) -> Iterator[tuple[list[Value], Value]]:
        """Gives the applications of a symbol that occur, as values."""
        for term in self.interpretation.ground.applications.get(symbol, ()):
            try:
                self.value(term)
            except Circular:
                raise
            except Unevaluable:
                continue
        for args, result in list(self.touched.get(symbol, {}).items()):
            yield list(args), result

    def elements(self, sort: Sort) -> list[Value]:
        if sort is REF:
            return [self.interpretation.null, *self.objects]
        return self.integers() if sort is INT else self.interpretation.elements(sort)


def is_interpreted(symbol: Function, evaluator: Evaluator) -> bool:
    """Whether a symbol means the same in every instance."""
    return (
        symbol.kind is not FunctionKind.DECLARED
        or symbol in evaluator.interpretation.theories.meanings
    )


V = TypeVar("V", bound=object)


def apply(symbol: Operator, args: Sequence[Callable[[], V]]) -> V:
    """Applies an operator; arguments that do not matter are not computed and need no value."""
    found = _connective(symbol, args)
    if found is None:
        found = _strict(symbol, [arg() for arg in args])
    return found  # type: ignore[return-value]  # truth values and numbers are values of either kind


def _connective(symbol: Operator, args: Sequence[Callable[[], V]]) -> object:
    if symbol is op.AND:
        return _decide(args, decisive=False)
    if symbol is op.OR:
        return _decide(args, decisive=True)
    if symbol is op.IMPLIES:
        return _decide([lambda: not args[0](), args[1]], decisive=True)
    if symbol is op.ITE:
        return args[1]() if args[0]() else args[2]()
    return None


def _decide(args: Sequence[Callable[[], object]], *, decisive: bool) -> bool:
    """One decisive argument is enough, whatever the others are."""
    missing: Unevaluable | None = None
    for arg in args:
        try:
            if arg() is decisive:
                return decisive
        except Unevaluable as reason:
            missing = missing or reason
    if missing is not None:
        raise missing
    return not decisive


def _strict(symbol: Operator, values: list[V]) -> object:
    if symbol is op.NOT:
        return not values[0]
    if symbol is op.EQUAL:
        return values[0] == values[1]
    if symbol is op.DISTINCT:
        return len(set(values)) == len(values)
    return _number(symbol, values)


def _number(symbol: Operator, values: Sequence[object]) -> object:
    a = _numeric(values[0])
    if symbol is op.TO_REAL:
        return Fraction(a)
    b = _numeric(values[1])
    if symbol is op.PLUS:
        return a + b
    if symbol is op.MINUS:
        return a - b
    if symbol is op.TIMES:
        return a * b
    if symbol is op.LESS:
        return a < b
    if symbol is op.AT_MOST:
        return a <= b
    if b == 0:
        raise Unevaluable("division by zero")
    if symbol is op.DIVIDE:
        return Fraction(a) / b
    size = b if b > 0 else -b
    remainder = a % size
    return remainder if symbol is op.MOD else (a - remainder) // b


def _numeric(value: object) -> int | Fraction:
    if not isinstance(value, int | Fraction):
        raise Unevaluable(f"{value} is no number")
    return value


def literal_of(value: int | Fraction, sort: Sort) -> Term:
    """Returns the literal of a value; truth values are integers to Python, the sort tells."""
    if sort is BOOL:
        return tb.truth(holds=bool(value))
    return tb.rational(Fraction(value)) if sort is REAL else tb.integer(int(value))


def structure(constructor: str, args: Sequence[Term], wanted: int) -> Term | None:
    """Returns the term of a snapshot, if all its parts have one."""
    if len(args) < wanted:
        return None
    return pair(args[0], args[1]) if constructor == "Snap.pair" else UNIT
