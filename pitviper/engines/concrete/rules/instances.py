"""The values of bound variables that matter.

NOTE(instances). A quantifier is evaluated by going through the values of its variables outside of
which it says nothing: intervals, members of collections, values given by an equation. References
that no guard limits are gone through as well: null, the objects the run has met, and one stand-in
for all others. No state can tell the others apart, so what holds for the stand-in holds for them.
Where the values cannot be limited, some samples are tried and the answer is not exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.shared.values import NULL, Ref, Value, elements_of
from pitviper.program import expr as pe
from pitviper.program.expr import CompareOp, Expr, IntOp, Var
from pitviper.program.node import Node
from pitviper.program.types import INT, BoolType, IntType, PermType, RefType

_DISTANCES = (0, 1, 2, 3, 4, 10, 1000)
_AMOUNTS = tuple(Fraction(n, 2) for n in (0, 1, 2, -1))


@record
class Binder:
    """A node that binds variables, with the conjuncts that limit them."""

    node: Node
    variables: tuple[Var, ...]
    limits: tuple[Expr, ...]


def for_each(st: State, binder: Binder, run: Run, visit: Callable[[State], None]) -> bool:
    """Visit all states that matter; the answer is whether these are all.

    A visit may decide on a reference: then there is one object more to go through.
    """
    guards = run.facts.guards(binder.node, binder.variables, binder.limits)
    while True:
        before = len(run.objects.known())
        found = _Found([], exact=True)
        _extend(st, binder.variables, guards, found, run)
        for state in found.states:
            visit(state)
        if len(run.objects.known()) == before:
            return found.exact


class _Found:
    def __init__(self, states: list[State], *, exact: bool) -> None:
        self.states = states
        self.exact = exact


def _extend(
    st: State, variables: tuple[Var, ...], guards: list[Expr], found: _Found, run: Run
) -> None:
    if not variables:
        found.states.append(st)
        return
    narrowed = narrow(st, variables, guards, run)
    if narrowed is None:
        return
    variable, values = _most_limited(st, variables, narrowed, run)
    if values is None:
        found.exact = False
        values = _samples(variable, narrowed)
    rest = tuple([v for v in variables if v is not variable])
    for value in values:
        run.tick()
        _extend(st.binding(variable.name, value), rest, guards, found, run)


def _most_limited(
    st: State, variables: tuple[Var, ...], narrowed: Narrowed, run: Run
) -> tuple[Var, Sequence[Value] | None]:
    for variable in variables:
        if (members := narrowed.members.get(variable.name)) is not None:
            return variable, members
    for variable in variables:
        if (values := _all_values(variable, narrowed)) is not None:
            return variable, values
    for variable in variables:
        if isinstance(variable.type, RefType):
            return variable, _references(st, run)
    return variables[0], None


def _all_values(variable: Var, narrowed: Narrowed) -> Sequence[Value] | None:
    match variable.type:
        case BoolType():
            return (False, True)
        case IntType():
            low, high = narrowed.interval(variable.name)
            return None if low is None or high is None else range(low, high + 1)
        case _:
            return None


def _references(st: State, run: Run) -> list[Value]:
    """All that can be told apart; two variables may stand for one unknown object or for two."""
    generic = [v for v in st.store.values() if isinstance(v, Ref) and v.is_generic]
    return [NULL, *run.objects.known(), *dict.fromkeys(generic), run.objects.generic()]


def _samples(variable: Var, narrowed: Narrowed) -> Sequence[Value]:
    match variable.type:
        case IntType():
            low, high = narrowed.interval(variable.name)
            if high is not None:
                return [high - distance for distance in _DISTANCES]
            if low is not None:
                return [low + distance for distance in _DISTANCES]
            return [*_DISTANCES, *[-distance for distance in _DISTANCES[1:]]]
        case PermType():
            return _AMOUNTS
        case _:
            return ()


_Side: TypeAlias = tuple[str | None, int]
"""A variable plus a number, or a number alone."""


@struct
class Narrowed:
    """Intervals of integer variables, and the only values that others can have."""

    low: dict[str, int] = field(default_factory=dict)
    high: dict[str, int] = field(default_factory=dict)
    members: dict[str, list[Value]] = field(default_factory=dict)

    def interval(self, name: str) -> tuple[int | None, int | None]:
        return self.low.get(name), self.high.get(name)

    def at_least(self, name: str, value: int) -> None:
        self.low[name] = max(value, self.low.get(name, value))

    def at_most(self, name: str, value: int) -> None:
        self.high[name] = min(value, self.high.get(name, value))

    def is_empty(self) -> bool:
        return any(name in self.high and self.high[name] < low for name, low in self.low.items())


def narrow(st: State, variables: tuple[Var, ...], guards: list[Expr], run: Run) -> Narrowed | None:
    """What the guards leave of the variables, None if nothing at all.

    Guards are looked at from left to right, up to the first that is not well-defined.
    """
    reader = _Reader(st, frozenset([variable.name for variable in variables]), run)
    for _ in range(len(variables) + 1):
        for guard in guards:
            answer = run.attempt(partial(reader.read, guard))
            if not isinstance(answer, bool):
                break
            if not answer or reader.found.is_empty():
                return None
    return reader.found


class _Reader:
    """Reads guards in a state in which some variables have no value yet."""

    def __init__(self, st: State, names: frozenset[str], run: Run) -> None:
        self.st = st
        self.names = names
        self.run = run
        self.found = Narrowed()

    def read(self, guard: Expr) -> bool:
        """False if the guard is false for all values of the variables."""
        if self.is_closed(guard):
            return rules.boolean(self.st, guard, self.run)
        match guard:
            case pe.Compare(op, left, right):
                self.read_comparison(op, left, right)
            case pe.Equal(left, right):
                self.read_equation(left, right)
            case pe.SeqContains(element, collection) | pe.SetContains(element, collection):
                self.read_membership(element, collection)
            case pe.MapContains(element, collection):
                self.read_membership(element, collection)
            case _:
                pass
        return True

    def is_closed(self, e: Expr) -> bool:
        return self.names.isdisjoint(self.run.facts.free(e))

    def read_membership(self, element: Expr, collection: Expr) -> None:
        if isinstance(element, Var) and not self.is_closed(element) and self.is_closed(collection):
            members = elements_of(rules.evaluate(self.st, collection, self.run))
            self.found.members.setdefault(element.name, members)

    def read_equation(self, left: Expr, right: Expr) -> None:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Var) and not self.is_closed(one) and self.is_closed(other):
                value = rules.evaluate(self.st, other, self.run)
                self.found.members.setdefault(one.name, [value])
                return
        if left.type == INT:
            self.at_most(left, right, 0)
            self.at_most(right, left, 0)

    def read_comparison(self, op: CompareOp, left: Expr, right: Expr) -> None:
        if isinstance(left, pe.MultisetCount) and op is CompareOp.GT and self.is_closed(right):
            if rules.integer(self.st, right, self.run) >= 0:
                self.read_membership(left.element, left.multiset)
        elif left.type == INT:
            gap = 1 if op in (CompareOp.LT, CompareOp.GT) else 0
            if op in (CompareOp.LT, CompareOp.LE):
                self.at_most(left, right, gap)
            else:
                self.at_most(right, left, gap)

    def at_most(self, smaller: Expr, larger: Expr, gap: int) -> None:
        """`smaller + gap <= larger`: each side limits a variable on the other."""
        one, other = self.side(smaller), self.side(larger)
        if one is None or other is None:
            return
        (name, plus), (other_name, other_plus) = one, other
        low = plus if name is None else _sum(self.found.low.get(name), plus)
        high = (
            other_plus if other_name is None else _sum(self.found.high.get(other_name), other_plus)
        )
        if name is not None and high is not None:
            self.found.at_most(name, high - gap - plus)
        if other_name is not None and low is not None:
            self.found.at_least(other_name, low + gap - other_plus)

    def side(self, e: Expr) -> _Side | None:
        """A variable plus a number, if the expression has that form."""
        if self.is_closed(e):
            return None, rules.integer(self.st, e, self.run)
        match e:
            case Var(name):
                return name, 0
            case pe.IntArith(IntOp.ADD | IntOp.SUB as op, left, right):
                one, other = self.side(left), self.side(right)
                if op is IntOp.ADD and one is not None and one[0] is None:
                    one, other = other, one
                if one is None or other is None or other[0] is not None:
                    return None
                return one[0], one[1] + (other[1] if op is IntOp.ADD else -other[1])
            case _:
                return None


def _sum(a: int | None, b: int) -> int | None:
    return None if a is None else a + b
