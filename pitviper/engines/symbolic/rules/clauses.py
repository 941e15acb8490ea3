"""Lists of contract clauses: each one is a construct of its own when it fails."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.encoding.inhale_exhale import exhaled_side, flattened
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Kind
from pitviper.engines.symbolic.outcomes import in_order
from pitviper.engines.symbolic.provenance import Provenance
from pitviper.engines.symbolic.rules.consume import consume_all
from pitviper.engines.symbolic.rules.evaluate import evaluate
from pitviper.engines.symbolic.rules.produce import Snapshot, produce, split_snapshot
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion, FieldLocation, PredicateLocation
from pitviper.program.classes import known_at_start
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.walk import descendants

Clauses = tuple[Assertion, ...]


def knowing_classes(st: State, member: Function | Predicate | Method, cx: Context) -> State:
    """What the types of parameters tell about their objects is known from the start."""
    for fact in known_at_start(member):
        st, value = evaluate(st, fact, cx.claims_only())
        st = st.assume(value, provenance=Provenance("types of the parameters", fact))
    return st


def produce_clauses(
    st: State, clauses: Clauses, snap: Snapshot, error: str, cx: Context
) -> Iterator[State]:
    """Produce all clauses from one snapshot; a failure is reported at its clause."""
    parts = [
        (conjunct, cx.proving(error, clause))
        for clause in clauses
        for conjunct in flattened((clause,))
    ]
    st, snaps = split_snapshot(st, snap, len(parts))
    items = [(a, inner, s) for (a, inner), s in zip(parts, snaps, strict=True)]
    return in_order(st, items, lambda s1, item: produce(s1, item[0], item[2], item[1]))


def check_exhaled(st: State, clauses: Clauses, error: str, cx: Context) -> None:
    """Where clauses have inhale-exhale pairs, what they exhale must make sense as well."""
    sides = [exhaled_side(clause) for clause in clauses] if cx.modes.checking else list(clauses)
    if all(side is clause for side, clause in zip(sides, clauses, strict=True)):
        return
    parts = [
        (conjunct, cx.proving(error, clause))
        for side, clause in zip(sides, clauses, strict=True)
        for conjunct in flattened((side,))
    ]
    for _ in in_order(st, parts, lambda s1, part: produce(s1, part[0], None, part[1])):
        pass


def consume_clauses(
    st: State, clauses: Clauses, error: str, part: str | None, cx: Context
) -> Iterator[State]:
    """Consume all clauses, one after the other, from `st.left`; failures are reported at each.

    `part` goes into the text of the error; None stands for the clause itself. Nothing is said about
    a clause without a meaning, unless it surely does not hold.
    """

    def rule(s1: State, clause: Assertion) -> Iterator[State]:
        if cx.found("not.wellformed", clause) and may_be_hidden(s1, clause, cx):
            yield s1
            return
        inner = cx.proving(error, clause, clause if part is None else part)
        for s2, _ in consume_all(s1, (clause,), inner):
            yield s2

    return in_order(st, clauses, rule)


def may_be_hidden(st: State, clause: Assertion, cx: Context) -> bool:
    """Whether what a clause reads may be inside an instance or wand of one of its heaps."""
    nodes = list(descendants(clause))
    if any(isinstance(node, pe.FunctionApp) for node in nodes):
        return True
    read = {node.field for node in nodes if isinstance(node, pe.FieldRead)}
    held: dict[str, None] = {}
    for heap in (st.heap, *st.old.values()):
        resources = (*heap.resources(), *heap.quantified_resources())
        if any(resource.kind is Kind.WAND for resource in resources):
            return True
        held.update({r.name: None for r in resources if r.kind is Kind.PREDICATE})
    return bool(read & _fields_inside(tuple(held), cx.services.program))


def _fields_inside(predicates: tuple[str, ...], program: Program) -> set[str]:
    """The fields that instances may hold, at any depth; all of them for an abstract predicate."""
    fields: set[str] = set()
    done: set[str] = set()
    todo = list(predicates)
    while todo:
        name = todo.pop()
        if name in done:
            continue
        done.add(name)
        body = program.predicates[name].body
        if body is None:
            return set(program.fields)
        for node in descendants(body):
            if isinstance(node, FieldLocation):
                fields.add(node.field)
            elif isinstance(node, PredicateLocation):
                todo.append(node.predicate)
    return fields
