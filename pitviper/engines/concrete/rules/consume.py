"""Exhale: check what an assertion says, give up what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NoReturn

from pitviper.base.record import field, record, replace, struct
from pitviper.engines.concrete.heap import location as locations
from pitviper.engines.concrete.heap.contents import WILDCARDS, add_chunk
from pitviper.engines.concrete.heap.heap import (
    EMPTY_HEAP,
    ONE,
    ZERO,
    Chunk,
    Closures,
    Content,
    Resource,
    Snapshot,
    WandAt,
    part_of,
)
from pitviper.engines.concrete.outcome import Failed, Obligation, Stop
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import produce as produce_rules
from pitviper.engines.concrete.rules import quantifier, wand
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.program import assertion as pa
from pitviper.program.assertion import Assertion
from pitviper.program.expr import And, Expr
from pitviper.program.node import Node


@record
class Consumed:
    """`state` is without what was given up; `asserted` still has it.

    (They differ from the state before in what a package took from outside.) `contents` is what
    was given up, `demand` how much of each resource.
    """

    state: State
    asserted: State
    contents: dict[Resource, Content]
    demand: dict[Resource, Fraction]


@struct
class Exhaling:
    """An exhale under way: `now` is the state without what has been given up so far."""

    now: State
    asserted: State
    contents: dict[Resource, Content] = field(default_factory=dict)
    demand: dict[Resource, Fraction] = field(default_factory=dict)


def consume(st: State, a: pa.Assertion, run: Run) -> Consumed:
    """Expressions are evaluated in the state before; `perm` in the state without what is gone."""
    exhaling = Exhaling(st, st)
    _consume(st, a, exhaling, run)
    return _result(exhaling)


def consume_clauses(
    st: State, clauses: Sequence[tuple[pa.Assertion, Obligation]], run: Run
) -> Consumed:
    """Several assertions in one exhale, each with its own obligation."""
    exhaling = Exhaling(st, st)
    for clause, obligation in clauses:
        with run.proving(obligation):
            _consume(st, clause, exhaling, run)
    return _result(exhaling)


def _result(exhaling: Exhaling) -> Consumed:
    return Consumed(exhaling.now, exhaling.asserted, exhaling.contents, exhaling.demand)


def _consume(st: State, a: pa.Assertion, exhaling: Exhaling, run: Run) -> None:
    run.tick()
    match a:
        case pa.Star(conjuncts):
            for conjunct in conjuncts:
                _consume(st, conjunct, exhaling, run)
        case pa.Access(location, amount):
            here = _evaluation(st, exhaling)
            resource = locations.location_of(here, location, run)
            share = locations.amount_of(here, amount, run)
            give_up(exhaling, resource, None if share is None else share * st.scale, location, run)
        case pa.Wand():
            give_up(exhaling, wand.resource_of(st, a, run), ONE, a, run)
        case pa.Guarded(condition, body):
            if rules.boolean(_evaluation(st, exhaling), condition, run):
                _consume(st, body, exhaling, run)
        case pa.Choice(condition, then, otherwise):
            holds = rules.boolean(_evaluation(st, exhaling), condition, run)
            _consume(st, then if holds else otherwise, exhaling, run)
        case pa.QuantifiedPermission():
            spread = quantifier.spread_of(_evaluation(st, exhaling), a, run)
            for item in spread.items:
                share = None if item.amount is None else item.amount * st.scale
                give_up(exhaling, item.resource, share, spread.node, run)
            spread.finish(run)
        case pa.Binding(variable, bound, body):
            value = rules.evaluate_raw(_evaluation(st, exhaling), bound, run)
            _consume(st.binding(variable.name, value), body, exhaling, run)
        case pa.InhaleExhale(_, exhaled):
            _consume(st, exhaled, exhaling, run)
        case And(operands):
            for operand in operands:
                _check(_evaluation(st, exhaling), operand, run)
        case _:
            _check(_evaluation(st, exhaling), a, run)


def _evaluation(st: State, exhaling: Exhaling) -> State:
    return replace(st, exhaled=exhaling.now.heap, assuming=False)


def _check(st: State, e: Expr, run: Run) -> None:
    if not rules.boolean(st, e, run):
        run.fail("assertion.false", e, e)


@record
class Taken:
    """`amount` is what was taken, also where a wildcard was asked for."""

    state: State
    amount: Fraction
    content: Content


def take(st: State, resource: Resource, amount: Fraction | None, node: Node, run: Run) -> Taken:
    """Give up one resource; None for a wildcard."""
    exhaling = Exhaling(st, st)
    taken = give_up(exhaling, resource, amount, node, run)
    return Taken(exhaling.now, taken, exhaling.contents[resource])


def give_up(
    exhaling: Exhaling, resource: Resource, amount: Fraction | None, node: Node, run: Run
) -> Fraction:
    """Take an amount of a resource out of the state, from the surrounding heaps where needed.

    In binary states the resource must be held, and stays. A wildcard is some amount of what the
    heap itself has; in a package, those around it are asked if it has nothing.
    """
    if amount == 0:
        return ZERO
    held = exhaling.now.held(resource)
    if exhaling.now.binary and held > 0:
        _remember(exhaling, resource, ONE, amount)
        return held
    if amount is None and held > 0:
        most = exhaling.now.heap.amount(resource) or held
        amount = most * run.pick("an amount for a wildcard", WILDCARDS)
    if amount is not None:
        _fetch(exhaling, resource, amount - exhaling.now.heap.amount(resource), run)
    if amount is None or amount > held:
        _refuse(resource, node, run)
    _remember(exhaling, resource, amount, amount)
    exhaling.now = exhaling.now.on(exhaling.now.heap.without(resource, amount))
    return amount


def _refuse(resource: Resource, node: Node, run: Run) -> NoReturn:
    if isinstance(resource, WandAt):
        run.fail("wand.not.found", node)
    run.fail("insufficient.permission", node, node)


def _remember(
    exhaling: Exhaling, resource: Resource, amount: Fraction, demand: Fraction | None
) -> None:
    chunk = exhaling.now.chunk(resource)
    assert chunk is not None
    content, before = part_of(chunk, amount), exhaling.contents.get(resource)
    if isinstance(content, Closures) and isinstance(before, Closures):
        content = Closures((*before.items, *content.items))
    exhaling.contents[resource] = content
    if demand is not None:
        exhaling.demand[resource] = exhaling.demand.get(resource, ZERO) + demand


def _fetch(exhaling: Exhaling, resource: Resource, missing: Fraction, run: Run) -> None:
    """Move what the heap of a package lacks out of the heaps around it, as far as they have it.

    Both parts have the same contents, even if they are not enough.
    """
    outer = list(exhaling.now.outer)
    for at, heap in enumerate(outer):
        part = min(missing, heap.amount(resource))
        if part > 0:
            moved = Chunk(part, part_of(heap.chunks[resource], part))
            outer[at] = heap.without(resource, part)
            exhaling.now = add_chunk(exhaling.now, resource, moved, run)
            exhaling.asserted = add_chunk(exhaling.asserted, resource, moved, run)
            missing -= part
    exhaling.now = replace(exhaling.now, outer=tuple(outer))
    exhaling.asserted = replace(exhaling.asserted, outer=tuple(outer))


def exhale_clauses(st: State, clauses: Sequence[Assertion], error: str, run: Run) -> Consumed:
    """Exhale clauses of the current member.

    Verifiers check first that the clauses are well-formed with no other permissions. So if this
    exhale fails, and it is not because something is false, that is looked at before.
    """
    named = [(clause, clause_obligation(error, clause, run)) for clause in clauses]
    ended = run.attempt(lambda: consume_clauses(st, named, run))
    if isinstance(ended, Consumed):
        return ended
    if isinstance(ended, Failed) and ended.finding.reason != "assertion.false":
        contents = {resource: chunk.content for resource, chunk in st.heap.chunks.items()}
        framed = run.attempt(lambda: inhale_alone(st, clauses, contents, run))
        if isinstance(framed, Failed):
            raise Stop(framed)
    raise Stop(ended)


def clause_obligation(error: str, clause: Assertion, run: Run) -> Obligation:
    part = run.member if error == "postcondition.violated" else clause
    return Obligation(error, clause.span, run.member, (part,), run.obligation.origin)


def inhale_alone(
    st: State, clauses: Sequence[Assertion], contents: dict[Resource, Content], run: Run
) -> State:
    """A state with what the clauses hold, and nothing else."""
    source = run.snapshots.holding(contents, run.objects.allocations)
    return inhale_clauses(replace(st, heap=EMPTY_HEAP), clauses, source, run)


def inhale_clauses(
    st: State, clauses: Sequence[Assertion], source: Snapshot | None, run: Run
) -> State:
    """Inhale clauses of the current member."""
    for clause in clauses:
        with run.proving(clause_obligation("not.wellformed", clause, run)):
            st = produce_rules.produce(st, clause, run, source)
    return st
