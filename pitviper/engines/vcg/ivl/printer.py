"""Programs of the intermediate language as text for people: `--emit ivl`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pitviper.engines.vcg.ivl import language as ivl
from pitviper.engines.vcg.ivl.notation import Notation
from pitviper.engines.vcg.ivl.visit import Declarations, forced, terms_of_procedure
from pitviper.terms import build as tb
from pitviper.terms.sort import Sort, SortKind
from pitviper.terms.symbol import Function
from pitviper.terms.term import Quantified, Term, Var


class _Names:
    """Things are called what they are called inside; no name has a space."""

    def of_function(self, symbol: Function) -> str:
        return symbol.name.replace(" ", ".")

    def of_variable(self, variable: Var) -> str:
        return variable.name

    def of_sort(self, sort: Sort) -> str:
        return sort.name


def print_program(program: ivl.Program) -> str:
    """Declarations, axioms, procedures; lazy facts are marked as such."""
    procedures = [ivl.Procedure(p.name, _marked(p.blocks), p.axioms) for p in program.procedures]
    common = Declarations()
    common.add(program.axioms)
    for procedure in procedures:
        common.add(terms_of_procedure(procedure))
    lines = [*_sorts(common.sorts), ""]
    lines += [_function(symbol) for symbol in common.functions]
    lines += ["", *_axioms(program.axioms)]
    for procedure in procedures:
        lines += ["", *_procedure(procedure)]
    return "\n".join(lines) + "\n"


def _marked(blocks: tuple[ivl.Block, ...]) -> tuple[ivl.Block, ...]:
    """Lazy facts built, with a note of where they were."""
    return forced(
        [
            ivl.Block(b.label, b.edges, tuple([_mark(command) for command in b.commands]))
            for b in blocks
        ]
    )


def _mark(command: ivl.Command) -> ivl.Command:
    match command:
        case ivl.Lazy(build=build, guard=guard, origin=origin):
            return ivl.Lazy(build, guard, f"lazy {origin}".strip())
        case ivl.Side(blocks=blocks, guard=guard, origin=origin):
            return ivl.Side(_marked(blocks), guard, origin)
        case _:
            return command


def _sorts(sorts: Iterable[Sort]) -> Iterator[str]:
    for sort in sorts:
        if sort.kind is SortKind.FREE:
            yield f"type {sort}"
        elif sort.kind is SortKind.TEXT:
            yield f"type {sort}  // known to the solver"
        elif sort.kind is SortKind.DATATYPE:
            constructors = [
                f"{c.name}({', '.join(f'{n}: {f or sort}' for n, f in c.fields)})"
                for c in sort.constructors
            ]
            yield f"type {sort} = {' | '.join(constructors)}"


def _function(symbol: Function) -> str:
    domain = ", ".join(map(str, symbol.domain))
    return f"function {_Names().of_function(symbol)}({domain}): {symbol.range}"


def _axioms(axioms: Sequence[Term]) -> Iterator[str]:
    notation = Notation(_Names())
    for axiom in axioms:
        name = f"  // {axiom.name}" if isinstance(axiom, Quantified) and axiom.name else ""
        yield f"axiom {notation.text(axiom)}{name}"


class _Writer:
    def __init__(self, notation: Notation) -> None:
        self._notation = notation
        self.lines: list[str] = []

    def block(self, block: ivl.Block, indent: str) -> None:
        comes = " or ".join(map(self._edge, block.edges))
        self.lines.append(f"{indent}{block.label}:{f'  // from {comes}' if comes else ''}")
        for command in block.commands:
            self._command(command, f"{indent}  ")

    def _edge(self, edge: ivl.Edge) -> str:
        if edge.condition is tb.TRUE:
            return edge.source
        return f"{edge.source} if {self._notation.text(edge.condition)}"

    def _command(self, command: ivl.Command, indent: str) -> None:
        text = self._notation.text
        match command:
            case ivl.Assume(fact=fact, guard=guard, origin=origin):
                note = f"  // {origin}" if origin else ""
                self.lines.append(f"{indent}assume {self._guarded(guard, fact)}{note}")
            case ivl.Assert(goal=goal, guard=guard, obligation=ob):
                note = f"{ob.error}:{ob.reason} at {ob.span}"
                self.lines.append(f"{indent}assert {self._guarded(guard, goal)}  // {note}")
                if command.kept is not None and command.kept is not tb.TRUE:
                    self.lines.append(f"{indent}assume {self._guarded(guard, command.kept)}")
            case ivl.Assign(variable=variable, term=term):
                self.lines.append(f"{indent}{text(variable)} := {text(term)}")
            case ivl.Havoc(variable=variable):
                self.lines.append(f"{indent}havoc {text(variable)}")
            case ivl.Side(blocks=blocks, guard=guard, origin=origin):
                condition = "" if guard is tb.TRUE else f" if {text(guard)}"
                note = f"  // {origin}" if origin else ""
                self.lines.append(f"{indent}side{condition} {{{note}")
                for block in blocks:
                    self.block(block, f"{indent}  ")
                self.lines.append(f"{indent}}}")
            case ivl.Lazy():
                raise AssertionError("lazy facts were built")

    def _guarded(self, guard: Term, fact: Term) -> str:
        text = self._notation.text(fact)
        return text if guard is tb.TRUE else f"[{self._notation.text(guard)}] {text}"


def _procedure(procedure: ivl.Procedure) -> Iterator[str]:
    declarations = Declarations()
    declarations.add(terms_of_procedure(procedure))
    notation = Notation(_Names())
    yield f"procedure {procedure.name} {{"
    for symbol in declarations.constants:
        yield f"  const {_Names().of_function(symbol)}: {symbol.range}"
    for axiom in procedure.axioms:
        yield f"  axiom {notation.text(axiom)}"
    for number, term in enumerate(declarations.shared, 1):
        yield f"  let t{number} = {notation.definition(term)}"
        notation.named[term] = f"t{number}"
    writer = _Writer(notation)
    for block in procedure.blocks:
        writer.block(block, "  ")
    yield from writer.lines
    yield "}"
