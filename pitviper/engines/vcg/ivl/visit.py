"""Everything inside a procedure, in the order of its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitviper.engines.vcg.ivl.language import (
    Assert,
    Assign,
    Assume,
    Block,
    Command,
    Havoc,
    Lazy,
    Procedure,
    Program,
    Side,
)
from pitviper.terms.term import Term


def forced(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The same graph with lazy facts as plain ones: texts and whole formulas hold them all."""
    return tuple(
        [Block(b.label, b.edges, tuple(_forced(b.commands))) for b in blocks],
    )


def _forced(commands: Iterable[Command]) -> Iterator[Command]:
    for command in commands:
        match command:
            case Lazy(build=build, guard=guard, origin=origin):
                for fact in build():
                    yield Assume(fact, guard, origin)
            case Side(blocks=blocks, guard=guard, origin=origin):
                yield Side(forced(blocks), guard, origin)
            case _:
                yield command


def eager(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The same graph without its lazy facts."""
    return tuple([Block(b.label, b.edges, tuple(_eager(b.commands))) for b in blocks])


def _eager(commands: Iterable[Command]) -> Iterator[Command]:
    for command in commands:
        match command:
            case Lazy():
                pass
            case Side(blocks=blocks, guard=guard, origin=origin):
                yield Side(eager(blocks), guard, origin)
            case _:
                yield command


def commands(blocks: Iterable[Block]) -> Iterator[Command]:
    """All commands, those of sides behind the side itself."""
    for block in blocks:
        for command in block.commands:
            yield command
            if isinstance(command, Side):
                yield from commands(command.blocks)


def graphs(blocks: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    """The graph, then those of its sides."""
    yield blocks
    for block in blocks:
        for command in block.commands:
            if isinstance(command, Side):
                yield from graphs(command.blocks)


def terms_of(command: Command) -> tuple[Term, ...]:
    """The terms of a command itself; those of lazy facts and sides are elsewhere."""
    match command:
        case Assume(fact=fact, guard=guard):
            return guard, fact
        case Assert(goal=goal, guard=guard, kept=kept):
            return (guard, goal) if kept is None else (guard, goal, kept)
        case Assign(variable=variable, term=term):
            return variable, term
        case Havoc(variable=variable):
            return (variable,)
        case Lazy(guard=guard) | Side(guard=guard):
            return (guard,)


def terms_of_procedure(procedure: Procedure) -> Iterator[Term]:
    """Of a procedure whose lazy facts are forced."""
    yield from procedure.axioms
    for graph in graphs(procedure.blocks):
        for block in graph:
            for edge in block.edges:
                yield edge.condition
            for command in block.commands:
                yield from terms_of(command)


def terms_of_program(program: Program) -> Iterator[Term]:
    yield from program.axioms
    for procedure in program.procedures:
        yield from terms_of_procedure(procedure)
