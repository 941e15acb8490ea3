"""Whether the end of a method can be reached, where nothing else was found.

NOTE(end). Axioms, `inhale`, `assume` and postconditions of what has no body may contradict each
other; then everything holds behind them, for no reason. Each verifier asks once for each method, at
its end, whether what is known there is contradictory, and warns. It is no contradiction if a
condition excludes the end (a loop that goes on for ever), or if the program says `false` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pitviper.program.assertion import Star
from pitviper.program.cfg import BasicBlock, flow_graph
from pitviper.program.expr import And, BoolLit
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.stmt import Inhale, MethodCall, Stmt
from pitviper.solver.session import FactKind, Path
from pitviper.source.span import Span

END_UNREACHABLE = "the end of"
"""How the warning begins; those who know what to do about it know it by that."""

CONDITION = "condition"
"""The provenance of facts that say which ways are not taken."""


def end_unreachable(name: str) -> str:
    """Returns the warning about a method."""
    return f"{END_UNREACHABLE} {name} is never reached: what is assumed before contradicts itself"


def end_of(method: Method) -> Span:
    """Where the warning stands: at the brace that ends the body, where there is one."""
    body = method.span if method.body is None else method.body.span
    last = Span(body.file, max(body.end - 1, body.start), body.end)
    return last if last.text == "}" else method.span


def is_by_assumption(path: Path, is_over: Callable[[Path], bool]) -> bool:
    """Whether what made a contradictory path so is more than a condition of the program."""
    entries = list(path)
    low, high = 0, len(entries)  # the first `low` are possible, the first `high` are not
    while low + 1 < high:
        middle = (low + high) // 2
        if is_over(entries[middle - 1]):
            high = middle
        else:
            low = middle
    last = entries[high - 1] if entries else Path()
    return not entries or (last.kind is not FactKind.BRANCH and last.provenance is not CONDITION)


def says_unreachable(method: Method, program: Program) -> bool:
    """Whether each way to the end passes a `false` that was written, or it is promised there."""
    if method.body is None or _claims_false(method.postconditions):
        return True
    graph = flow_graph(method.body)
    seen, todo = {graph.entry}, [graph.entry]
    while todo:
        block = graph.blocks[todo.pop()]
        if block.id == graph.exit:
            return False
        for target in [] if _says_false(block, program) else _ways(block):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return True


def _ways(block: BasicBlock) -> list[int]:
    """Where flow may go on, conditions that are literals taken at their word."""
    return [
        edge.target
        for edge in block.edges
        if not isinstance(edge.condition, BoolLit) or edge.condition.value is edge.when
    ]


def _says_false(block: BasicBlock, program: Program) -> bool:
    return any(_claims_false(_assumed(statement, program)) for statement in block.statements)


def _assumed(statement: Stmt, program: Program) -> tuple[Node, ...]:
    match statement:
        case Inhale(assertion):
            return (assertion,)
        case MethodCall():
            return program.methods[statement.method].postconditions
        case _:
            return ()


def _claims_false(assumed: Iterable[Node]) -> bool:
    """Whether a conjunct is the word `false`."""
    for claim in assumed:
        match claim:
            case Star(parts) | And(parts):
                if _claims_false(parts):
                    return True
            case _:
                if is_false(claim):
                    return True
    return False


def is_false(claim: Node) -> bool:
    """Whether it is the word."""
    return isinstance(claim, BoolLit) and not claim.value
