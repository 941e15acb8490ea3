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

from pitviper.base.record import record
from pitviper.engines.concrete.rules import narrow as narrowing
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.value import NULL, Ref, Value
from pitviper.program.expr import Expr, Var
from pitviper.program.node import Node
from pitviper.program.types import BoolType, IntType, PermType, RefType

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
    narrowed = narrowing.narrow(st, variables, guards, run)
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
    st: State, variables: tuple[Var, ...], narrowed: narrowing.Narrowed, run: Run
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


def _all_values(variable: Var, narrowed: narrowing.Narrowed) -> Sequence[Value] | None:
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


def _samples(variable: Var, narrowed: narrowing.Narrowed) -> Sequence[Value]:
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
