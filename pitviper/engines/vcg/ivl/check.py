"""The type checker of the intermediate language.

Terms check their own sorts when they are made; what is checked here is how they are put together.
A complaint is a bug of whoever built the procedure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitviper.engines.vcg.ivl import language as ivl
from pitviper.engines.vcg.ivl.visit import commands, forced, graphs, terms_of
from pitviper.terms.sort import BOOL
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import App, Term


def complaints(program: ivl.Program) -> tuple[str, ...]:
    """What is wrong with a program; nothing, if it is well-formed."""
    found: list[str] = []
    for number, axiom in enumerate(program.axioms):
        found += [f"axiom {number}: {said}" for said in _formula(axiom)]
    names: set[str] = set()
    for procedure in program.procedures:
        if procedure.name in names:
            found.append(f"two procedures {procedure.name}")
        names.add(procedure.name)
        found += [f"{procedure.name}: {said}" for said in _procedure(procedure)]
    return tuple(found)


def _procedure(procedure: ivl.Procedure) -> Iterator[str]:
    for axiom in procedure.axioms:
        yield from _formula(axiom)
    blocks = forced(procedure.blocks)
    labels = [block.label for graph in graphs(blocks) for block in graph]
    for label in dict.fromkeys(labels):
        if labels.count(label) > 1:
            yield f"two blocks {label}"
    for graph in graphs(blocks):
        yield from _graph(graph)
    yield from _single_assignment(commands(blocks))


def _graph(blocks: tuple[ivl.Block, ...]) -> Iterator[str]:
    """Edges come from earlier blocks; only the first block has none."""
    if not blocks:
        yield "a graph without blocks"
    earlier: set[str] = set()
    for position, block in enumerate(blocks):
        if bool(block.edges) != bool(position):
            yield f"{block.label}: the entry, and only the entry, has no edges"
        for edge in block.edges:
            if edge.source not in earlier:
                yield f"{block.label}: no earlier block {edge.source}"
            yield from _formula(edge.condition)
        earlier.add(block.label)
        for command in block.commands:
            yield from _command(command)


def _command(command: ivl.Command) -> Iterator[str]:
    match command:
        case ivl.Assign(variable=variable, term=term):
            yield from _constant(variable)
            if variable.sort is not term.sort:
                yield f"{variable!r} of sort {variable.sort} gets a value of sort {term.sort}"
            yield from _closed(term)
        case ivl.Havoc(variable=variable):
            yield from _constant(variable)
        case ivl.Assert(constants=constants):
            for constant in constants:
                yield from _constant(constant)
            for term in terms_of(command):
                yield from _formula(term)
        case _:
            for term in terms_of(command):
                yield from _formula(term)


def _single_assignment(found: Iterable[ivl.Command]) -> Iterator[str]:
    """A constant gets one value, from what was there before."""
    given: set[Term] = set()
    used: set[Term] = set()
    for command in found:
        if isinstance(command, ivl.Assign):
            inside = set(subterms(command.term))
            if command.variable in given:
                yield f"{command.variable!r} is assigned twice"
            if command.variable in inside:
                yield f"{command.variable!r} is assigned a value that mentions it"
            elif command.variable in used:
                yield f"{command.variable!r} is used before it is assigned"
            given.add(command.variable)
            used |= inside
        elif isinstance(command, ivl.Havoc):
            if command.variable in given:
                yield f"{command.variable!r} is introduced twice"
            given.add(command.variable)
        else:
            for term in terms_of(command):
                used.update(subterms(term))


def _formula(term: Term) -> Iterator[str]:
    if term.sort is not BOOL:
        yield f"{term!r} of sort {term.sort} is no formula"
    yield from _closed(term)


def _closed(term: Term) -> Iterator[str]:
    if term.free:
        yield f"{term!r} mentions the variable {term.free[0].name}, which nobody binds"


def _constant(term: App) -> Iterator[str]:
    symbol = term.symbol
    if term.args or not isinstance(symbol, Function) or symbol.kind is not FunctionKind.DECLARED:
        yield f"{term!r} is no constant"
