"""Which variables a loop may change."""

from __future__ import annotations

from pitviper.program import stmt as ps
from pitviper.program.cfg import BlockId, FlowGraph
from pitviper.program.expr import Var


def loop_targets(graph: FlowGraph, head: BlockId) -> dict[str, Var]:
    """All variables that some statement of the loop assigns or declares, by name."""
    assigned: dict[str, Var] = {}
    for name in graph.loops[head]:
        for statement in graph.blocks[name].statements:
            for target in _targets(statement):
                assigned[target.name] = target
    return assigned


def _targets(statement: ps.Stmt) -> tuple[Var, ...]:
    match statement:
        case ps.LocalAssign(target) | ps.New(target) | ps.Declare(target):
            return (target,)
        case ps.MethodCall():
            return statement.targets
        case _:
            return ()
