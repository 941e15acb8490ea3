"""Values hidden in folded instances: what a clause without a meaning may still be about.

A location that nobody holds has some value, so a claim about it fails. If a folded instance may
hold it, its value may be the one that was claimed, and nothing can be said.
"""

from __future__ import annotations

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Kind
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion, FieldLocation, PredicateLocation
from pitviper.program.member import Program
from pitviper.program.walk import descendants


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
