"""Single-assignment form: each assignment makes a new version, joins choose between versions."""

from __future__ import annotations

from dataclasses import dataclass

from pitviper.engines.explore.analysis.graph import Graph
from pitviper.engines.explore.model.program import Method
from pitviper.engines.explore.model.walk import read_by, targets_of


@dataclass(frozen=True, slots=True)
class Version:
    """A variable as one assignment (or join) has made it; 0 is the value of a parameter."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
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
