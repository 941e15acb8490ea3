"""Variables that may be read before they have a value: a data-flow analysis over the graph.

A value that nothing is known about is none, unless an assumption chooses among such values.
"""

from __future__ import annotations

from pitviper.engines.explore.analysis.graph import Graph
from pitviper.engines.explore.model.instruction import (
    Assign,
    Constraint,
    ConstraintKind,
    Instruction,
)
from pitviper.engines.explore.model.program import Method
from pitviper.engines.explore.model.term import Fresh
from pitviper.engines.explore.model.walk import read_by, targets_of


def uninitialised(method: Method, graph: Graph) -> list[str]:
    """Names of variables that some path reads before it assigns them, in order."""
    params = frozenset(p.name for p in method.params)
    every = frozenset(method.locals())
    known: dict[int, frozenset[str]] = dict.fromkeys(graph.reachable, every)
    if not graph.reachable:
        return []
    known[graph.reachable[0]] = params
    changed = True
    while changed:
        changed = False
        for number in graph.reachable:
            after = known[number] | _assigned(method, graph, number)
            for transition in graph.leaving(number):
                meet = known[transition.target] & after
                if meet != known[transition.target]:
                    known[transition.target] = meet
                    changed = True
    found: dict[str, None] = {}
    for number in graph.reachable:
        have = set(known[number])
        block = graph.blocks[number]
        for instruction in method.instructions[block.start : block.end]:
            for variable in () if _is_assumption(instruction) else read_by(instruction):
                if variable.name not in have:
                    found[variable.name] = None
            have |= _given(instruction)
    return list(found)


def _assigned(method: Method, graph: Graph, number: int) -> frozenset[str]:
    block = graph.blocks[number]
    inside = method.instructions[block.start : block.end]
    return frozenset([name for i in inside for name in _given(i)])


def _given(instruction: Instruction) -> set[str]:
    """The variables that have a value behind an instruction."""
    if isinstance(instruction, Assign) and isinstance(instruction.value, Fresh):
        return set()
    if _is_assumption(instruction):
        return {v.name for v in read_by(instruction)}
    return {t.name for t in targets_of(instruction)}


def _is_assumption(instruction: Instruction) -> bool:
    return isinstance(instruction, Constraint) and instruction.kind is ConstraintKind.ASSUME
