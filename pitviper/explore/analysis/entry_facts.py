"""Conditions that hold whenever a block is entered: what all ways there have decided.

A condition is known behind a branch or a constraint, as long as none of its variables is assigned
again. Branches whose condition is known need no second path: the model can do without them.
"""

from __future__ import annotations

from pitviper.explore.analysis.graph import Graph
from pitviper.explore.model.instruction import Branch, Constraint
from pitviper.explore.model.program import Method
from pitviper.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.explore.model.walk import subterms, targets_of

Facts = frozenset[tuple[Term, bool]]
"""Conditions with the value they have."""


def entry_facts(method: Method, graph: Graph) -> dict[int, Facts]:
    """Per reachable block the conditions that every way there has decided alike.

    Only of conditions that a branch asks for again is anything noted.
    """
    wanted = _asked_again(method)
    known: dict[int, Facts | None] = dict.fromkeys(graph.reachable)
    known[graph.reachable[0]] = frozenset()
    changed = True
    while changed:
        changed = False
        for number in graph.reachable:
            facts = known[number]
            if facts is None:
                continue
            after = _behind(method, graph, number, facts, wanted)
            for transition in graph.leaving(number):
                here = after
                if transition.condition is not None and transition.condition in wanted:
                    here = after | {(transition.condition, transition.when)}
                before = known[transition.target]
                meet = here if before is None else before & here
                if meet != before:
                    known[transition.target] = meet
                    changed = True
    return {number: facts or frozenset() for number, facts in known.items()}


def decided_branches(method: Method, graph: Graph) -> dict[int, bool]:
    """Branches whose condition is known when they are reached, by their instruction."""
    wanted = _asked_again(method)
    facts = entry_facts(method, graph)
    found: dict[int, bool] = {}
    for number in graph.reachable:
        here = dict(_behind(method, graph, number, facts[number], wanted))
        for transition in graph.leaving(number):
            if transition.branch is not None and transition.condition in here:
                found[transition.branch] = here[transition.condition]
    return found


def _asked_again(method: Method) -> frozenset[Term]:
    """Conditions of branches that stand at another branch or constraint, too."""
    branches: dict[Term, int] = {}
    others: dict[Term, int] = {}
    for instruction in method.instructions:
        if isinstance(instruction, Branch) and not isinstance(instruction.condition, Literal):
            branches[instruction.condition] = branches.get(instruction.condition, 0) + 1
        elif isinstance(instruction, Constraint):
            others[instruction.condition] = 1
    return frozenset([t for t, n in branches.items() if n + others.get(t, 0) > 1 and _is_stable(t)])


def _behind(
    method: Method, graph: Graph, number: int, facts: Facts, wanted: frozenset[Term]
) -> Facts:
    """What is known at the end of a block."""
    block = graph.blocks[number]
    for instruction in method.instructions[block.start : block.end]:
        assigned = {t.name for t in targets_of(instruction)} if facts else set()
        if assigned:
            facts = frozenset(f for f in facts if not _mentions(f[0], assigned))
        if isinstance(instruction, Constraint) and instruction.condition in wanted:
            facts = facts | {(instruction.condition, True)}
    return facts


def _mentions(term: Term, names: set[str]) -> bool:
    return any(isinstance(t, Local) and t.name in names for t in subterms(term))


def _is_stable(term: Term) -> bool:
    """Whether the value depends on variables only: heaps change without being assigned."""
    heap_operators = ("held", "held_instance", "read", "receivers", "arguments")
    return not any(
        isinstance(t, Fresh) or (isinstance(t, Operation) and t.operator in heap_operators)
        for t in subterms(term)
    )
