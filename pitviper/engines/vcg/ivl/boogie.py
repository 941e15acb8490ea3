"""Programs of the intermediate language as Boogie text: `--emit boogie`.

NOTE(boogie). The text is for cross-checks with another tool; our own results never depend on it.
Reach conditions become jumps, sides become branches that return, lazy facts are assumed where they
stand. Each assertion prints a message with its number in brackets, which leads back to the place in
the user's program. Data types become functions with axioms, sorts that only an SMT solver knows
become opaque types: there Boogie may prove less, never more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pitviper.base.record import record
from pitviper.engines.vcg.ivl import language as ivl
from pitviper.engines.vcg.ivl.notation import Notation
from pitviper.engines.vcg.ivl.visit import Declarations, forced, terms_of_procedure
from pitviper.terms import build as tb
from pitviper.terms.sort import Sort, SortKind
from pitviper.terms.symbol import Function, FunctionKind, constructor, selector
from pitviper.terms.term import Term, Var


@record
class BoogieText:
    """The text, and what each numbered assertion is about, by procedure."""

    text: str
    obligations: dict[int, tuple[str, ivl.Obligation]]


def print_boogie(program: ivl.Program) -> BoogieText:
    return _Boogie().program(program)


class _Boogie:
    def __init__(self) -> None:
        self._names = BoogieNames()
        self._notation = Notation(self._names)
        self._obligations: dict[int, tuple[str, ivl.Obligation]] = {}
        self._lines: list[str] = []

    def program(self, program: ivl.Program) -> BoogieText:
        procedures = [ivl.Procedure(p.name, forced(p.blocks), p.axioms) for p in program.procedures]
        axioms = Declarations()
        axioms.add(program.axioms)
        everything = Declarations()
        everything.add(program.axioms)
        for procedure in procedures:
            everything.add(terms_of_procedure(procedure))
        self._lines += self._sorts(everything.sorts)
        self._lines += [self._function(symbol) for symbol in everything.functions]
        for symbol in axioms.constants:
            self._lines.append(f"const {self._typed(symbol)};")
        self._lines += [f"axiom {self._notation.text(axiom)};" for axiom in program.axioms]
        for procedure in procedures:
            self._procedure(procedure, frozenset(axioms.constants))
        return BoogieText("\n".join(self._lines) + "\n", self._obligations)

    # ------------------------------------------------------------ declarations

    def _sorts(self, sorts: Iterable[Sort]) -> Iterator[str]:
        for sort in sorts:
            if sort.kind in (SortKind.FREE, SortKind.DATATYPE) or (
                sort.kind is SortKind.TEXT and bit_width(sort) is None
            ):
                yield f"type {self._names.of_sort(sort)};"
        for sort in sorts:
            if sort.kind is SortKind.DATATYPE:
                yield from self._datatype(sort)

    def _datatype(self, sort: Sort) -> Iterator[str]:
        """Constructors are injective, different, and together all there is."""
        x = tb.variable("x", sort)
        tag = tb.function(f"tag<{sort}>", (sort,), tb.integer(0).sort)
        yield self._function(tag)
        choices, readers = [], []
        for number, candidate in enumerate(sort.constructors):
            build = constructor(sort, candidate.name)
            fields = [selector(sort, name) for name, _ in candidate.fields]
            readers += fields
            yield self._function(build)
            yield from map(self._function, fields)
            values = [tb.variable(f"v{n}", s) for n, s in enumerate(build.domain)]
            made = tb.apply(build, *values)
            facts = [tb.equal(tb.apply(tag, made), tb.integer(number))]
            facts += [
                tb.equal(tb.hint(field, made), value)
                for field, value in zip(fields, values, strict=True)
            ]
            axiom = tb.forall(values, tb.conjoin(*facts), ((made,),)) if values else facts[0]
            yield f"axiom {self._notation.text(axiom)};"
            choices.append(tb.equal(x, tb.apply(build, *[tb.apply(f, x) for f in fields])))
        if readers:
            groups = tuple([(tb.apply(field, x),) for field in readers])
            yield f"axiom {self._notation.text(tb.forall([x], tb.disjoin(*choices), groups))};"

    def _function(self, symbol: Function) -> str:
        if not symbol.domain:
            return f"const {self._typed(symbol)};"
        of_sort = self._names.of_sort
        known = symbol.kind is FunctionKind.TEXT and all(
            sort.kind is not SortKind.TEXT or bit_width(sort) is not None
            for sort in (*symbol.domain, symbol.range)
        )
        mark = f'{{:builtin "{symbol.name}"}} ' if known else ""
        domain = ", ".join(map(of_sort, symbol.domain))
        name = self._names.of_function(symbol)
        return f"function {mark}{name}({domain}): {of_sort(symbol.range)};"

    def _typed(self, symbol: Function) -> str:
        return f"{self._names.of_function(symbol)}: {self._names.of_sort(symbol.range)}"

    # ------------------------------------------------------------ procedures

    def _procedure(self, procedure: ivl.Procedure, known: frozenset[Function]) -> None:
        declarations = Declarations()
        declarations.add(terms_of_procedure(procedure))
        self._lines += ["", f"procedure {self._names.new(procedure.name)}()", "{"]
        for symbol in declarations.constants:
            if symbol not in known:
                self._lines.append(f"  var {self._typed(symbol)};")
        before = dict(self._notation.named)
        definitions = []
        for term in declarations.shared:
            name = self._names.new("t")
            self._lines.append(f"  var {name}: {self._names.of_sort(term.sort)};")
            definitions.append(f"  assume {name} == ({self._notation.definition(term)});")
            self._notation.named[term] = name
        self._lines += definitions
        self._lines += [f"  assume {self._notation.text(axiom)};" for axiom in procedure.axioms]
        _Graph(procedure.blocks, self._names, procedure.name, self).write(None)
        self._lines.append("}")
        self._notation.named = before

    def line(self, text: str) -> None:
        self._lines.append(f"  {text}")

    def text(self, term: Term) -> str:
        return self._notation.text(term)

    def number(self, member: str, obligation: ivl.Obligation) -> int:
        """The number of an assertion; also said in a comment, for people."""
        number = len(self._obligations) + 1
        self._obligations[number] = (member, obligation)
        self.line(f"// [{number}] {obligation.error}:{obligation.reason} at {obligation.span}")
        return number


class _Graph:
    """Writes one graph: first the names of its blocks, then their text."""

    def __init__(
        self, blocks: tuple[ivl.Block, ...], names: BoogieNames, member: str, out: _Boogie
    ) -> None:
        self._blocks = blocks
        self._names = names
        self._member = member
        self._out = out
        self._labels = {block.label: names.new(block.label) for block in blocks}
        self._edges = {
            (block.label, number): names.new(f"to.{block.label}")
            for block in blocks
            for number, _ in enumerate(block.edges)
        }

    def write(self, guard: Term | None) -> None:
        for block in self._blocks:
            self._out.line(f"{self._labels[block.label]}:")
            if guard is not None and guard is not tb.TRUE:
                self._out.line(f"assume {self._out.text(guard)};")
            guard = None
            for command in block.commands:
                self._command(command)
            self._leave(block)

    def _leave(self, block: ivl.Block) -> None:
        """Edges have blocks of their own, for their conditions."""
        leaving = [
            (target, number, edge)
            for target in self._blocks
            for number, edge in enumerate(target.edges)
            if edge.source == block.label
        ]
        if not leaving:
            self._out.line("return;")
            return
        labels = [self._edges[target.label, number] for target, number, _ in leaving]
        self._out.line(f"goto {', '.join(labels)};")
        for (target, _, edge), label in zip(leaving, labels, strict=True):
            self._out.line(f"{label}:")
            if edge.condition is not tb.TRUE:
                self._out.line(f"assume {self._out.text(edge.condition)};")
            self._out.line(f"goto {self._labels[target.label]};")

    def _command(self, command: ivl.Command) -> None:
        out = self._out
        match command:
            case ivl.Assume(fact=fact, guard=guard):
                out.line(f"assume {out.text(tb.implies(guard, fact))};")
            case ivl.Assign(variable=variable, term=term):
                out.line(f"assume {out.text(tb.equal(variable, term))};")
            case ivl.Assert():
                self._assert(command)
            case ivl.Side(blocks=blocks, guard=guard):
                graph = _Graph(blocks, self._names, self._member, out)
                start, after = graph._labels[blocks[0].label], self._names.new("after")
                out.line(f"goto {start}, {after};")
                graph.write(guard)
                out.line(f"{after}:")
            case _:
                pass

    def _assert(self, command: ivl.Assert) -> None:
        """A goal whose failure must not be assumed away stands on a branch of its own."""
        out, obligation = self._out, command.obligation
        if obligation.kind.warns:
            return
        number = out.number(self._member, obligation)
        goal = out.text(tb.implies(command.guard, command.goal))
        text = f'assert {{:msg "{obligation.error}:{obligation.reason} [{number}]"}} {goal};'
        if command.kept is None:
            out.line(text)
            return
        check, after = self._names.new("check"), self._names.new("after")
        out.line(f"goto {check}, {after};")
        out.line(f"{check}:")
        out.line(text)
        out.line("return;")
        out.line(f"{after}:")
        if command.kept is not tb.TRUE:
            out.line(f"assume {out.text(tb.implies(command.guard, command.kept))};")


_KEYWORDS: Final = frozenset(
    """assert assume async atomic axiom bool break call complete const cone div else ensures exists
    extends false finite forall forward free function goto havoc if implementation int invariant
    iterator lambda left mod modifies old par procedure real requires return returns right stable
    then this true type unique var where while yield yields""".split()
)
_ILLEGAL: Final = re.compile(r"[^A-Za-z0-9_.$#'~^?]")
_BITS: Final = re.compile(r"\(_ BitVec (\d+)\)\Z")


class BoogieNames:
    """Gives each symbol, variable and sort one name. Bound variables never share one."""

    def __init__(self) -> None:
        self._given: dict[object, str] = {}
        self._taken: dict[str, int] = {}

    def of_function(self, symbol: Function) -> str:
        return self._name(symbol, symbol.name)

    def of_variable(self, variable: Var) -> str:
        return self._name(variable, f"{variable.name}'")

    def of_sort(self, sort: Sort) -> str:
        match sort.kind:
            case SortKind.INT:
                return "int"
            case SortKind.BOOL:
                return "bool"
            case SortKind.REAL:
                return "real"
            case SortKind.ARRAY:
                *domain, range_ = map(self.of_sort, sort.parts)
                return f"[{', '.join(domain)}]{range_}"
            case _:
                bits = bit_width(sort)
                return f"bv{bits}" if bits is not None else self._name(sort, sort.name)

    def new(self, hint: str) -> str:
        """A name for something that has none inside."""
        return self._name(object(), hint)

    def _name(self, thing: object, hint: str) -> str:
        known = self._given.get(thing)
        if known is None:
            known = self._given[thing] = self._fresh(hint)
        return known

    def _fresh(self, hint: str) -> str:
        base = _ILLEGAL.sub("~", hint.replace("@", "#"))
        if not base[:1].isalpha() or base in _KEYWORDS or re.match(r"bv\d+\Z", base):
            base = f"${base}"
        number = self._taken.get(base, 0)
        self._taken[base] = number + 1
        return f"{base}^{number}" if number else base


def bit_width(sort: Sort) -> int | None:
    """The number of bits, if this is a sort of bit vectors."""
    found = _BITS.match(sort.name) if sort.kind is SortKind.TEXT else None
    return int(found[1]) if found else None
