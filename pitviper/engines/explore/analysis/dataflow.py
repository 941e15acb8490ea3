"""Variables that may be read before they have a value: a data-flow analysis over the graph.

A value that nothing is known about is none, unless an assumption chooses among such values.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.engines.explore.analysis.graph import Graph
from pitviper.engines.explore.model.program import (
    Assign,
    Constraint,
    ConstraintKind,
    Instruction,
    Method,
    read_by,
    targets_of,
)
from pitviper.engines.explore.model.term import Fresh


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


@record
class Version:
    """A variable as one assignment (or join) has made it; 0 is the value of a parameter."""

    name: str
    number: int


@record
class SingleAssignment:
    """Per instruction the versions that it reads and makes; per block those that joins make.

    A join lists the version that comes from each predecessor.
    """

    reads: dict[int, tuple[Version, ...]]
    makes: dict[int, tuple[Version, ...]]
    joins: dict[int, dict[Version, tuple[Version, ...]]]


def single_assignment(method: Method, graph: Graph) -> SingleAssignment:
    """Joins are made for all variables where paths meet that bring different versions."""
    counters: dict[str, int] = {}
    entering: dict[int, dict[str, Version]] = {}
    leaving: dict[int, dict[str, Version]] = {}
    reads: dict[int, tuple[Version, ...]] = {}
    makes: dict[int, tuple[Version, ...]] = {}
    heads = {t.target for t in graph.back}
    joined: dict[int, dict[str, Version]] = {}
    names = list(method.locals())
    for number in graph.reachable:
        before = _predecessors(graph, number)
        current: dict[str, Version] = {}
        for name in names:
            known = {leaving[p][name] for p in before if p in leaving and name in leaving[p]}
            if number in heads or len(known) > 1:
                current[name] = joined.setdefault(number, {})[name] = _fresh(name, counters)
            elif known:
                (current[name],) = known
            elif number == graph.reachable[0]:
                current[name] = Version(name, 0)
        entering[number] = dict(current)
        block = graph.blocks[number]
        for index in range(block.start, block.end):
            instruction = method.instructions[index]
            reads[index] = tuple(
                [current[v.name] for v in read_by(instruction) if v.name in current]
            )
            made = []
            for target in targets_of(instruction):
                current[target.name] = _fresh(target.name, counters)
                made.append(current[target.name])
            makes[index] = tuple(made)
        leaving[number] = current
    joins = {
        number: {
            version: tuple(
                [leaving[p][name] for p in _predecessors(graph, number) if name in leaving[p]]
            )
            for name, version in versions.items()
        }
        for number, versions in joined.items()
    }
    return SingleAssignment(reads, makes, joins)


def _predecessors(graph: Graph, block: int) -> list[int]:
    alive = set(graph.reachable)
    return [t.source for t in graph.transitions if t.target == block and t.source in alive]


def _fresh(name: str, counters: dict[str, int]) -> Version:
    counters[name] = counters.get(name, 0) + 1
    return Version(name, counters[name])
