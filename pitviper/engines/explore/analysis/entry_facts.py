"""What holds whenever a block is entered or left: what all ways there have in common.

Conditions of transitions and of constraints are combined with assignments (section 2.3 of the
paper). A branch or an assertion whose condition is known needs no question to the solver: a run
just goes on, and there is no second path.
"""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.engines.explore.analysis.graph import Graph, Transition
from pitviper.engines.explore.analysis.knowledge import (
    NOTHING,
    Knowledge,
    assigned,
    assuming,
    decide,
    forgetting,
    joined,
    widened_to,
)
from pitviper.engines.explore.model.program import (
    Assign,
    Call,
    Constraint,
    ConstraintKind,
    Instruction,
    Method,
)

Calls: TypeAlias = list[tuple[Call, Knowledge]]
"""Calls of other methods, with what is known there."""

PATIENCE = 3
"""Times that a block is looked at before bounds that still move are given up."""


@record
class MethodFacts:
    """Per block that can be reached what is known at its start and at its end.

    `branches` and `constraints` are those whose condition is known, by instruction.
    """

    entries: dict[int, Knowledge] = field(default_factory=dict)
    exits: dict[int, Knowledge] = field(default_factory=dict)
    branches: dict[int, bool] = field(default_factory=dict)
    constraints: dict[int, bool] = field(default_factory=dict)
    calls: Calls = field(default_factory=list)


def method_facts(method: Method, graph: Graph, start: Knowledge = NOTHING) -> MethodFacts:
    """What is known in a method that is entered with `start`."""
    entries = _entries(method, graph, start)
    done = MethodFacts(entries)
    for number, known in entries.items():
        after = _through(method, graph, number, known, done)
        if after is None:
            continue
        done.exits[number] = after
        for transition in graph.leaving(number):
            if transition.branch is not None and transition.condition is not None:
                value = decide(transition.condition, after)
                if value is not None:
                    done.branches[transition.branch] = value
    return done


def _entries(method: Method, graph: Graph, start: Knowledge) -> dict[int, Knowledge]:
    if not graph.reachable:
        return {}
    order = {number: at for at, number in enumerate(graph.reachable)}
    heads = {t.target for t in graph.back}
    known: dict[int, Knowledge] = {graph.reachable[0]: start}
    visits: dict[int, int] = {}
    todo = {graph.reachable[0]}
    while todo:
        number = min(todo, key=order.__getitem__)
        todo.discard(number)
        after = _through(method, graph, number, known[number])
        for transition in () if after is None else graph.leaving(number):
            here = _along(transition, after)
            if here is None:
                continue
            target = transition.target
            before = known.get(target)
            meet = here if before is None else joined(before, here)
            visits[target] = visits.get(target, 0) + 1
            if before is not None and target in heads and visits[target] > PATIENCE:
                meet = widened_to(before, meet)
            if meet != before:
                known[target] = meet
                todo.add(target)
    return {number: known[number] for number in graph.reachable if number in known}


def _along(transition: Transition, known: Knowledge | None) -> Knowledge | None:
    """None where the transition is never taken."""
    if known is None or transition.condition is None:
        return known
    return assuming(transition.condition, transition.when, known)


def _through(
    method: Method, graph: Graph, number: int, known: Knowledge, done: MethodFacts | None = None
) -> Knowledge | None:
    """What is known at the end of a block; None if no run comes there."""
    block = graph.blocks[number]
    current: Knowledge | None = known
    for index in range(block.start, block.end):
        if current is None:
            return None
        instruction = method.instructions[index]
        if done is not None:
            _note(index, instruction, current, done)
        current = _behind(instruction, current)
    return current


def _note(index: int, instruction: Instruction, known: Knowledge, done: MethodFacts) -> None:
    if isinstance(instruction, Constraint):
        value = decide(instruction.condition, known)
        if value is not None:
            done.constraints[index] = value
    elif isinstance(instruction, Call) and not instruction.native:
        done.calls.append((instruction, known))


def _behind(instruction: Instruction, known: Knowledge) -> Knowledge | None:
    match instruction:
        case Assign(target, value):
            return assigned(target, value, known)
        case Call(_, _, targets):
            return forgetting([t.name for t in targets], known)
        case Constraint(ConstraintKind.ASSERT | ConstraintKind.ASSUME, condition):
            return assuming(condition, True, known)  # noqa: FBT003
        case _:
            return known
