"""Quantified formulas, and expressions about what is held."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pitviper.engines.concrete.heap import location
from pitviper.engines.concrete.heap.heap import FieldAt, Heap, PredicateAt, Resource
from pitviper.engines.concrete.node_facts import conditions
from pitviper.engines.concrete.rules import assume as assume_rules
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import instances, shape
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import UNSETTLED, State
from pitviper.engines.shared.values import Value
from pitviper.program.assertion import FieldLocation, PredicateLocation, Wand
from pitviper.program.expr import CurrentPerm, Exists, Expr, Forall, ForPerm, Var

Quantifier: TypeAlias = Forall | Exists | ForPerm


def evaluate_quantifier(st: State, e: Quantifier, run: Run) -> bool:
    match e:
        case Forall():
            return _eval_forall(st, e, run)
        case Exists():
            return _eval_exists(st, e, run)
        case ForPerm():
            return _eval_forperm(st, e, run)


def _eval_forall(st: State, e: Forall, run: Run) -> bool:
    """All values are looked at even after a false one: the body must be defined for all."""
    answers: list[bool] = []
    exact = instances.for_each(
        st, _binder(e), run, lambda s: answers.append(rules.boolean(s, e.body, run))
    )
    if not exact and all(answers):
        run.cannot("a quantifier over infinitely many values", e)
    return all(answers)


def _eval_exists(st: State, e: Exists, run: Run) -> bool:
    answers: list[bool] = []
    binder = instances.Binder(e, e.variables, (e.body,))
    exact = instances.for_each(
        st, binder, run, lambda s: answers.append(rules.boolean(s, e.body, run))
    )
    names = frozenset([variable.name for variable in e.variables])
    if not exact and not (any(answers) and run.facts.is_total(e.body, names)):
        run.cannot("a quantifier over infinitely many values", e)
    return any(answers)


def assume_forall(st: State, e: Forall, run: Run) -> None:
    """Each instance is assumed."""
    if not instances.for_each(st, _binder(e), run, lambda s: assume_rules.assume(s, e.body, run)):
        run.cannot("a quantifier over infinitely many values", e)


def _binder(e: Forall) -> instances.Binder:
    return instances.Binder(e, e.variables, tuple(conditions(e.body)))


def current_permission(st: State, e: CurrentPerm, run: Run) -> Fraction:
    heap = _held_heap(st, e, run)
    if isinstance(e.location, Wand):
        return heap.amount(shape.resource_of(st, e.location, run))
    return heap.amount(location.location_of(st, e.location, run))


def _held_heap(st: State, e: Expr, run: Run) -> Heap:
    heap = st.heap if st.exhaled is None else st.exhaled
    if heap is UNSETTLED:
        run.cannot("permissions in the middle of an exhale and an unfolding", e)
    if st.outer:
        run.cannot("permissions while a wand is packaged", e)
    return heap


def _eval_forperm(st: State, e: ForPerm, run: Run) -> bool:
    holds = True
    for resource in _held_heap(st, e, run).chunks:
        bound = _match(st, e, resource, run)
        if bound is not None:
            inner = st.binding_all([v for v, _ in bound], [value for _, value in bound])
            holds = rules.boolean(inner, e.body, run) and holds
    return holds


def _match(st: State, e: ForPerm, resource: Resource, run: Run) -> list[tuple[Var, Value]] | None:
    """The values of the variables for which the location is this resource."""
    match e.location, resource:
        case FieldLocation(receiver, name), FieldAt(ref, held) if name == held:
            return _match_args(st, e, (receiver,), (ref,), run)
        case PredicateLocation(name, args), PredicateAt(held, values) if name == held:
            return _match_args(st, e, args, values, run)
        case Wand(), _:
            run.cannot("forperm over wands", e)
        case _:
            return None


def _match_args(
    st: State, e: ForPerm, args: tuple[Expr, ...], values: tuple[Value, ...], run: Run
) -> list[tuple[Var, Value]] | None:
    names = {variable.name: variable for variable in e.variables}
    bound: dict[str, Value] = {}
    for arg, value in zip(args, values, strict=True):
        if isinstance(arg, Var) and arg.name in names:
            if bound.setdefault(arg.name, value) != value:
                return None
        elif rules.evaluate(st, arg, run) != value:
            return None
    return [(names[name], value) for name, value in bound.items()]
