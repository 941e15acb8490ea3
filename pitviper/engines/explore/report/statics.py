"""Tells what the analyses of a model know about the methods of the source."""

from __future__ import annotations

from pitviper.engines.explore.analysis.dataflow import single_assignment, uninitialised
from pitviper.engines.explore.analysis.entry_facts import MethodFacts
from pitviper.engines.explore.analysis.graph import Block, Graph, Transition, graph_of
from pitviper.engines.explore.analysis.knowledge import Knowledge
from pitviper.engines.explore.analysis.model_facts import model_facts
from pitviper.engines.explore.model.printer import term_text
from pitviper.engines.explore.model.program import Method, Model
from pitviper.engines.explore.model.term import HIDDEN, Operation, Term
from pitviper.results.exploration import StaticBlock, StaticEdge, StaticMethod
from pitviper.source.span import Span


def static_methods(model: Model, names: tuple[str, ...]) -> tuple[StaticMethod, ...]:
    facts = model_facts(model)
    return tuple([static_method(model.methods[name], facts[name]) for name in names])


def static_method(method: Method, facts: MethodFacts) -> StaticMethod:
    graph = graph_of(method)
    edges = [t for t in graph.transitions if t.source in graph.reachable]
    feasible = [t for t in edges if _is_feasible(t, facts)]
    versions = single_assignment(method, graph)
    made: dict[str, int] = {}
    for version in [v for group in versions.makes.values() for v in group]:
        if not version.name.startswith(HIDDEN):
            made[version.name] = max(made.get(version.name, 0), version.number)
    for joined in [v for group in versions.joins.values() for v in group if v.name in made]:
        made[joined.name] = max(made[joined.name], joined.number)
    return StaticMethod(
        method.name,
        tuple([_block(b, method, facts) for b in graph.blocks]),
        tuple([_edge(t, facts) for t in edges]),
        tuple(sorted({t.target for t in graph.back})),
        graph.paths,
        ways(graph, feasible),
        len(facts.branches) + sum(facts.constraints.values()),
        dead_lines(method, tuple(facts.exits), graph),
        tuple([name for name in uninitialised(method, graph) if not name.startswith(HIDDEN)]),
        tuple(made.items()),
    )


def ways(graph: Graph, edges: list[Transition]) -> int | None:
    """The number of ways through a method along some of its edges; None if one is a loop's."""
    if any(t in edges for t in graph.back):
        return None
    leaving: dict[int, list[int]] = {}
    for transition in edges:
        leaving.setdefault(transition.source, []).append(transition.target)
    found: dict[int, int] = {}
    for number in reversed(graph.reachable):
        has_exit = not graph.leaving(number)
        found[number] = 1 if has_exit else sum(found[t] for t in leaving.get(number, ()))
    return found.get(0, 0)


def dead_lines(method: Method, alive: tuple[int, ...], graph: Graph) -> tuple[int, ...]:
    """Lines no instruction of which is in a block that runs come through."""
    lines: dict[int, bool] = {}
    for block in graph.blocks:
        for instruction in method.instructions[block.start : block.end]:
            if instruction.span.text and not _is_whole(instruction.span):
                line = instruction.span.line
                lines[line] = lines.get(line, False) or block.number in alive
    return tuple(sorted([line for line, lives in lines.items() if not lives]))


def _block(block: Block, method: Method, facts: MethodFacts) -> StaticBlock:
    lines: dict[str, None] = {}
    for instruction in method.instructions[block.start : block.end]:
        text = instruction.span.text.strip().splitlines()
        if text and not _is_whole(instruction.span):
            lines[f"{instruction.span.line}: {text[0]}"] = None
    known, left = facts.entries.get(block.number), facts.exits.get(block.number)
    return StaticBlock(
        block.number, tuple(lines), _texts(known), _texts(left), reachable=known is not None
    )


def _texts(known: Knowledge | None) -> tuple[str, ...]:
    return () if known is None else tuple(known.texts())


def _edge(transition: Transition, facts: MethodFacts) -> StaticEdge:
    condition = transition.condition
    text = ""
    if condition is not None:
        text = term_text(condition) if transition.when else _negated(condition)
    return StaticEdge(
        transition.source, transition.target, text, feasible=_is_feasible(transition, facts)
    )


def _negated(condition: Term) -> str:
    if isinstance(condition, Operation) and condition.operator == "not":
        return term_text(condition.args[0])
    return term_text(Operation("not", (condition,), condition.type))


def _is_feasible(transition: Transition, facts: MethodFacts) -> bool:
    if transition.source not in facts.exits:
        return False
    decided = None if transition.branch is None else facts.branches.get(transition.branch)
    return decided is None or decided is transition.when


def _is_whole(span: Span) -> bool:
    """Whether a place is a whole declaration: instructions of no line in particular."""
    return span.text.count("\n") > 0 and span.text.lstrip().startswith(("method", "@"))
