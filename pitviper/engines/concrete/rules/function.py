"""Application of functions that depend on the heap."""

from __future__ import annotations

from itertools import combinations

from pitviper.base.record import replace
from pitviper.engines.concrete.heap.contents import content_key
from pitviper.engines.concrete.heap.heap import Closures, Content, PredicateAt, Resource, Snapshot
from pitviper.engines.concrete.outcome import Obligation
from pitviper.engines.concrete.rules import assume as assume_rules
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import consume as contract
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import predicate
from pitviper.engines.concrete.run import Applied, Key, Run
from pitviper.engines.concrete.state import RESULT, State
from pitviper.engines.concrete.values.choose import force
from pitviper.engines.concrete.values.unknown import Raw
from pitviper.engines.shared.values import Token, references_in
from pitviper.program.expr import Expr, FunctionApp
from pitviper.program.member import Function
from pitviper.program.types import STATE


def apply_function(st: State, e: FunctionApp, run: Run) -> Raw:
    """The precondition must hold; the value depends on the arguments and what it mentions."""
    run.tick()
    function = run.program.functions[e.function]
    args = [rules.evaluate_raw(st, arg, run) for arg in e.args]
    store = {p.name: arg for p, arg in zip(function.params, args, strict=True)}
    exact = run.options.respect_function_pre_perm_amounts
    outside = State(
        store, st.heap, outer=st.outer, binary=not exact, assuming=False, scale=st.scale
    )
    blame = run.for_member("application.precondition", e, function.name)
    clauses = [(precondition, blame) for precondition in function.preconditions]
    footprint = consume_rules.consume_clauses(outside, clauses, run).contents
    inside = _inside(function, store, footprint, run)
    if function.body is None:
        return apply_abstract(inside, e, function, footprint, run)
    with run.nested():
        return _apply_defined(inside, function, function.body, footprint, run)


def _inside(
    function: Function, store: dict[str, Raw], footprint: dict[Resource, Content], run: Run
) -> State:
    """The state that the function sees: what its precondition mentions, nothing else."""
    source = run.snapshots.holding(dict(footprint), run.objects.allocations)
    st = State(store, binary=not run.options.respect_function_pre_perm_amounts)
    with run.on_behalf_of(function):
        return contract.inhale_clauses(st, function.preconditions, source, run)


def _apply_defined(
    st: State, function: Function, body: Expr, footprint: dict[Resource, Content], run: Run
) -> Raw:
    key = _key(st, function, footprint, run)
    known = run.memo.defined
    if key not in known:
        value = _evaluate_body(st, function, body, key, run)
        known[key] = value
        check_postconditions(st.binding(RESULT, value), function, run)
    found = known[key]
    if found is None:
        run.cannot(f"{function.name} depends on its own value", body)
    return run.unknowns.look(found)


def _evaluate_body(st: State, function: Function, body: Expr, key: Key, run: Run) -> Raw:
    run.memo.defined[key] = None
    try:
        with run.proving(Obligation("function.not.wellformed", function.span, function.name)):
            return rules.evaluate_raw(st, body, run)
    finally:
        del run.memo.defined[key]


def check_postconditions(st: State, function: Function, run: Run) -> None:
    """The value of a function satisfies its postconditions, whoever applies it.

    Of `[A, B]`, B is checked and A may then be relied on.
    """
    for postcondition in function.postconditions:
        with run.proving(Obligation("not.wellformed", postcondition.span, function.name)):
            holds = rules.boolean(replace(st, assuming=False), postcondition, run)
            if holds:
                assume_rules.assume(replace(st, assuming=True), postcondition, run)
        if not holds:
            name = function.name
            with run.proving(
                Obligation("postcondition.violated", postcondition.span, name, (name,))
            ):
                run.fail("assertion.false", postcondition, postcondition)


def _key(st: State, function: Function, footprint: dict[Resource, Content], run: Run) -> Key:
    args = tuple([run.unknowns.look(st.store[p.name]) for p in function.params])
    contents = frozenset([(r, content_key(c, run)) for r, c in footprint.items()])
    return function.name, args, contents


def apply_abstract(
    st: State, e: FunctionApp, function: Function, footprint: dict[Resource, Content], run: Run
) -> Raw:
    """A value decided before for the same arguments and the same part of the heap, or a new one."""
    if function.name in run.constraints.functions:
        run.cannot(f"axioms speak about {function.name}", e)
    args = tuple([force(st.store[p.name], run) for p in function.params])
    if any(ref.is_generic for arg in args for ref in references_in(arg)):
        run.cannot(f"{function.name} on all objects", e)
    check_joined(run)
    known = run.memo.abstract.setdefault((function.name, args), [])
    for applied in known:
        if _same_footprint(applied.footprint, footprint, run):
            return run.unknowns.look(applied.value)
    if function.result == STATE:  # states that differ have values that differ
        value: Raw = Token(STATE, sum(map(len, run.memo.abstract.values())))
    else:
        value = run.hole(function.result, f"the value of {function.name}")
    known.append(Applied(footprint, value))
    for postcondition in function.postconditions:
        with run.proving(Obligation("not.wellformed", postcondition.span, function.name)):
            assume_rules.assume(st.binding(RESULT, value), postcondition, run)
    return run.unknowns.look(value)


def check_joined(run: Run) -> None:
    """Contents that turned out to be the same give a function the same value."""
    if run.memo.joins == run.snapshots.joins:
        return
    run.memo.joins = run.snapshots.joins
    for (name, _), known in list(run.memo.abstract.items()):
        for one, other in combinations(known, 2):
            same = _same_footprint(one.footprint, other.footprint, run)
            if same and not run.unknowns.equate(one.value, other.value):
                run.infeasible(f"two values of {name}", run.obligation.span)


def _same_footprint(one: dict[Resource, Content], other: dict[Resource, Content], run: Run) -> bool:
    if one.keys() != other.keys():
        return False
    for resource, content in one.items():
        if not _same_content(resource, content, other[resource], run):
            return False
    return True


def _same_content(resource: Resource, one: Content, other: Content, run: Run) -> bool:
    run.tick()
    if isinstance(one, Snapshot) and isinstance(other, Snapshot):
        assert isinstance(resource, PredicateAt)
        return _same_snapshot(resource, one, other, run)
    if isinstance(one, Snapshot | Closures) or isinstance(other, Snapshot | Closures):
        raise TypeError("contents of different kinds")
    return force(one, run) == force(other, run)


def _same_snapshot(instance: PredicateAt, one: Snapshot, other: Snapshot, run: Run) -> bool:
    """Contents of an abstract predicate are the same only if they are known to be."""
    if run.snapshots.find(one) == run.snapshots.find(other):
        return True
    if run.program.predicates[instance.predicate].body is None:
        return False
    with run.nested():
        return _same_footprint(_opened(instance, one, run), _opened(instance, other, run), run)


def _opened(instance: PredicateAt, snapshot: Snapshot, run: Run) -> dict[Resource, Content]:
    """All that a predicate instance holds directly."""
    params = run.program.predicates[instance.predicate].params
    st = State({}, binary=True).binding_all(params, instance.args)
    heap = predicate.open_body(st, instance, snapshot, run).heap
    return {resource: chunk.content for resource, chunk in heap.chunks.items()}
