"""Fold, unfold and unfolding of predicates."""

from __future__ import annotations

from fractions import Fraction

from pitviper.base.record import replace
from pitviper.engines.concrete.heap import location as locations
from pitviper.engines.concrete.heap.contents import WILDCARDS, add_chunk
from pitviper.engines.concrete.heap.heap import ONE, Chunk, PredicateAt, Snapshot
from pitviper.engines.concrete.outcome import Obligation
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import produce as produce_rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.program.assertion import Assertion, PredicateLocation
from pitviper.program.expr import Expr


def unfold(st: State, location: PredicateLocation, amount: Expr, run: Run) -> State:
    """An amount of the instance becomes its body, each permission multiplied by that amount."""
    instance, share = _located(st, location, amount, run)
    share = None if share is None else share * st.scale
    taken = consume_rules.take(st, instance, share, location, run)
    snapshot = taken.content
    assert isinstance(snapshot, Snapshot)
    body = _body_state(taken.state, instance, taken.amount, run)
    produced = open_body(body, instance, snapshot, run)
    return _back(produced, st)


def _back(st: State, outside: State) -> State:
    """The state after a look at a body, with all but the heap as it was."""
    return replace(outside, heap=st.heap, outer=st.outer)


def open_body(st: State, instance: PredicateAt, snapshot: Snapshot, run: Run) -> State:
    """The body with the contents of a snapshot, in a state that binds the parameters."""
    declaration = run.program.predicates[instance.predicate]
    blame = Obligation("predicate.not.wellformed", declaration.span, declaration.name)
    with run.proving(blame):
        return produce_rules.produce(st, _body(instance, run), run, snapshot)


def fold(st: State, location: PredicateLocation, amount: Expr, run: Run) -> State:
    """The body becomes an amount of the instance; what goes in is remembered."""
    instance, share = _located(st, location, amount, run)
    body = _body(instance, run)
    if share is None:
        share = _wildcard_share(_body_state(st, instance, ONE, run), body, run)
    consumed = consume_rules.consume(_body_state(st, instance, share, run), body, run)
    contents = run.snapshots.holding(consumed.contents, run.objects.allocations)
    return add_chunk(_back(consumed.state, st), instance, Chunk(share, contents), run)


def _located(
    st: State, location: PredicateLocation, amount: Expr, run: Run
) -> tuple[PredicateAt, Fraction | None]:
    instance = locations.location_of(st, location, run)
    assert isinstance(instance, PredicateAt)
    return instance, locations.positive_amount_of(st, amount, run)


def _body(instance: PredicateAt, run: Run) -> Assertion:
    body = run.program.predicates[instance.predicate].body
    if body is None:
        run.cannot(f"the abstract predicate {instance.predicate} has no body")
    return body


def _body_state(st: State, instance: PredicateAt, share: Fraction, run: Run) -> State:
    params = run.program.predicates[instance.predicate].params
    inner = replace(st, store={}, old={}, exhaled=None, scale=share)
    return inner.binding_all(params, instance.args)


def _wildcard_share(st: State, body: Assertion, run: Run) -> Fraction:
    """Less than what the scarcest permission in the body allows."""
    trial = consume_rules.consume(replace(st, binary=True), body, run)
    most = [st.held(resource) / demand for resource, demand in trial.demand.items()]
    return min(most, default=ONE) * run.pick("an amount for a wildcard", WILDCARDS)
