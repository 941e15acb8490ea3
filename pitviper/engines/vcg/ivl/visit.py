"""Everything inside a procedure, in the order of its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pitviper.base.record import field, replace, struct
from pitviper.engines.vcg.ivl import language as ivl
from pitviper.terms.sort import Sort, SortKind
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import App, Quantified, Term


def forced(blocks: Iterable[ivl.Block]) -> tuple[ivl.Block, ...]:
    """The same graph with lazy facts and hints as plain ones: texts and whole formulas hold them
    all."""
    return tuple(
        [ivl.Block(b.label, b.edges, tuple(_forced(b.commands))) for b in blocks],
    )


def _forced(commands: Iterable[ivl.Command]) -> Iterator[ivl.Command]:
    for command in commands:
        match command:
            case ivl.Lazy(build=build, guard=guard, origin=origin):
                for fact in build():
                    yield ivl.Assume(fact, guard, origin)
            case ivl.Side(blocks=blocks, guard=guard, origin=origin):
                yield ivl.Side(forced(blocks), guard, origin)
            case ivl.Assert(hints=hints) if hints is not None:
                for fact in hints():
                    yield ivl.Assume(fact, origin="hint")
                yield replace(command, hints=None)
            case _:
                yield command


def eager(blocks: Iterable[ivl.Block]) -> tuple[ivl.Block, ...]:
    """The same graph without its lazy facts."""
    return tuple([ivl.Block(b.label, b.edges, tuple(_eager(b.commands))) for b in blocks])


def _eager(commands: Iterable[ivl.Command]) -> Iterator[ivl.Command]:
    for command in commands:
        match command:
            case ivl.Lazy():
                pass
            case ivl.Side(blocks=blocks, guard=guard, origin=origin):
                yield ivl.Side(eager(blocks), guard, origin)
            case _:
                yield command


def commands(blocks: Iterable[ivl.Block]) -> Iterator[ivl.Command]:
    """All commands, those of sides behind the side itself."""
    for block in blocks:
        for command in block.commands:
            yield command
            if isinstance(command, ivl.Side):
                yield from commands(command.blocks)


def graphs(blocks: tuple[ivl.Block, ...]) -> Iterator[tuple[ivl.Block, ...]]:
    """The graph, then those of its sides."""
    yield blocks
    for block in blocks:
        for command in block.commands:
            if isinstance(command, ivl.Side):
                yield from graphs(command.blocks)


def terms_of(command: ivl.Command) -> tuple[Term, ...]:
    """The terms of a command itself; those of lazy facts and sides are elsewhere."""
    match command:
        case ivl.Assume(fact=fact, guard=guard):
            return guard, fact
        case ivl.Assert(goal=goal, guard=guard, kept=kept):
            return (guard, goal) if kept is None else (guard, goal, kept)
        case ivl.Assign(variable=variable, term=term):
            return variable, term
        case ivl.Havoc(variable=variable):
            return (variable,)
        case ivl.Lazy(guard=guard) | ivl.Side(guard=guard):
            return (guard,)


def terms_of_procedure(procedure: ivl.Procedure) -> Iterator[Term]:
    """Of a procedure whose lazy facts are forced."""
    yield from procedure.axioms
    for graph in graphs(procedure.blocks):
        for block in graph:
            for edge in block.edges:
                yield edge.condition
            for command in block.commands:
                yield from terms_of(command)


SHORT: Final = 12
"""Terms with fewer symbols are repeated rather than named."""
LONG: Final = 200
"""Longer ones are named even if they occur once."""


@struct
class Declarations:
    """`shared` are closed compound terms that occur more than once or are long, arguments first."""

    sorts: dict[Sort, None] = field(default_factory=dict)
    functions: dict[Function, None] = field(default_factory=dict)
    constants: dict[Function, None] = field(default_factory=dict)
    sizes: dict[Term, int] = field(default_factory=dict)
    shared: dict[Term, None] = field(default_factory=dict)

    def add(self, terms: Iterable[Term]) -> None:
        """Look through terms."""
        for root in terms:
            self._visit(root)

    def _visit(self, root: Term) -> None:
        stack: list[tuple[Term, bool]] = [(root, False)]
        while stack:
            term, done = stack.pop()
            if done:
                self.sizes[term] = 1 + sum(self._size(arg) for arg in term.args)
                self._declare(term)
                if self.sizes[term] > LONG and not term.free:
                    self.shared.setdefault(term)
            elif term in self.sizes:
                if not term.free and self.sizes[term] >= SHORT:
                    self.shared.setdefault(term)
            else:
                stack.append((term, True))
                stack.extend((arg, False) for arg in reversed(term.args))

    def _size(self, term: Term) -> int:
        """The size of the text: what is shared counts as a name."""
        return 1 if term in self.shared else self.sizes[term]

    def _declare(self, term: Term) -> None:
        self.sort(term.sort)
        if isinstance(term, Quantified):
            for variable in term.variables:
                self.sort(variable.sort)
        if not isinstance(term, App) or not isinstance(term.symbol, Function):
            return
        symbol = term.symbol
        for sort in (*symbol.domain, symbol.range):
            self.sort(sort)
        if symbol.kind in (FunctionKind.DECLARED, FunctionKind.TEXT):
            (self.functions if symbol.domain else self.constants).setdefault(symbol)

    def sort(self, sort: Sort) -> None:
        if sort in self.sorts:
            return
        for part in sort.parts:
            self.sort(part)
        self.sorts[sort] = None
        if sort.kind is SortKind.DATATYPE:
            for constructor in sort.constructors:
                for _, field_sort in constructor.fields:
                    if field_sort is not None:
                        self.sort(field_sort)
