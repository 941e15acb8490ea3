"""Terms as text that another process, or a later run, turns into the same terms again.

Sorts, symbols and terms are numbered in the order in which they are first needed; what contains
others comes after them. The text is JSON: reading it runs no code, whoever wrote it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from pitviper.terms.normal import unsimplified
from pitviper.terms.operators import OPERATORS
from pitviper.terms.sort import (
    BOOL,
    INT,
    REAL,
    Constructor,
    Sort,
    SortKind,
    TermError,
    array,
    datatype,
    solver_sort,
    uninterpreted,
)
from pitviper.terms.symbol import (
    FunctionKind,
    Operator,
    Symbol,
    constructor,
    function,
    selector,
    solver_function,
)
from pitviper.terms.term import App, Binder, Literal, Quantified, Term, Var
from pitviper.terms.term import literal as make_literal
from pitviper.terms.term import quantifier as make_quantifier
from pitviper.terms.term import variable as make_variable

Row: TypeAlias = list[Any]
"""A line of one of the tables: plain JSON, whose shape its first entry says."""

_BASIC = {SortKind.INT: INT, SortKind.BOOL: BOOL, SortKind.REAL: REAL}
_OPERATORS = {operator.name: operator for operator in OPERATORS}


def terms_to_text(terms: Sequence[Term]) -> str:
    """The terms with all that they are made of."""
    writer = _Writer()
    numbers = [writer.term(term) for term in terms]
    return json.dumps([writer.sorts, writer.symbols, writer.terms, numbers], separators=(",", ":"))


def terms_from_text(text: str) -> tuple[Term, ...]:
    """The terms that `terms_to_text` was given; TermError where the text is none of its texts."""
    try:
        sorts, symbols, terms, numbers = json.loads(text)
        reader = _Reader()
        for row in sorts:
            reader.sorts.append(reader.read_sort(row))
        for row in symbols:
            reader.symbols.append(reader.read_symbol(row))
        for row in terms:
            reader.terms.append(reader.read_term(row))
        return tuple([reader.terms[number] for number in numbers])
    except (ValueError, TypeError, IndexError, KeyError) as error:
        raise TermError(f"no text of terms: {error}") from error


class _Writer:
    def __init__(self) -> None:
        self.sorts: list[Row] = []
        self.symbols: list[Row] = []
        self.terms: list[Row] = []
        self._sorts: dict[Sort, int] = {}
        self._symbols: dict[Symbol, int] = {}
        self._terms: dict[Term, int] = {}

    def term(self, root: Term) -> int:
        """Arguments first, with a stack of its own: terms are deep where programs are long."""
        todo = [root]
        while todo:
            term = todo[-1]
            missing = [t for t in _parts(term) if t not in self._terms]
            if missing:
                todo.extend(reversed(missing))
                continue
            todo.pop()
            if term not in self._terms:
                self._terms[term] = len(self.terms)
                self.terms.append(self._row(term))
        return self._terms[root]

    def _row(self, term: Term) -> Row:
        match term:
            case App():
                return ["a", self._symbol(term.symbol), *self._all(term.args)]
            case Literal():
                return ["l", self._sort(term.sort), _literal_text(term)]
            case Var():
                return ["v", self._sort(term.sort), term.name]
            case Quantified():
                return [
                    "q",
                    term.binder.value,
                    self._all(term.variables),
                    self._terms[term.body],
                    [self._all(group) for group in term.triggers],
                    term.name,
                    term.weight,
                ]

    def _all(self, terms: Sequence[Term]) -> list[int]:
        return [self._terms[term] for term in terms]

    def _symbol(self, symbol: Symbol) -> int:
        known = self._symbols.get(symbol)
        if known is None:
            row = self._symbol_row(symbol)
            known = self._symbols[symbol] = len(self.symbols)
            self.symbols.append(row)
        return known

    def _symbol_row(self, symbol: Symbol) -> Row:
        if isinstance(symbol, Operator):
            return ["operator", symbol.name]
        undone = None if symbol.undoes is None else self._symbol(symbol.undoes)
        domain = [self._sort(sort) for sort in symbol.domain]
        return [symbol.kind.name, symbol.name, domain, self._sort(symbol.range), undone]

    def _sort(self, sort: Sort) -> int:
        known = self._sorts.get(sort)
        if known is None:
            made = [
                [c.name, [[n, None if s is None else self._sort(s)] for n, s in c.fields]]
                for c in sort.constructors
            ]
            parts = [self._sort(part) for part in sort.parts]
            known = self._sorts[sort] = len(self.sorts)
            self.sorts.append([sort.kind.name, sort.name, made, parts])
        return known


def _parts(term: Term) -> tuple[Term, ...]:
    if isinstance(term, Quantified):
        return (*term.variables, *term.args)
    return term.args


def _literal_text(term: Literal) -> bool | str:
    return term.value if isinstance(term.value, bool) else str(term.value)


class _Reader:
    def __init__(self) -> None:
        self.sorts: list[Sort] = []
        self.symbols: list[Symbol] = []
        self.terms: list[Term] = []

    def read_sort(self, row: Row) -> Sort:
        kind, name, made = SortKind[row[0]], row[1], row[2]
        if kind in _BASIC:
            return _BASIC[kind]
        if kind is SortKind.FREE:
            return uninterpreted(name)
        if kind is SortKind.TEXT:
            return solver_sort(name)
        if kind is SortKind.ARRAY:
            *domain, range_ = [self.sorts[part] for part in row[3]]
            return array(tuple(domain), range_)
        constructors = [
            Constructor(c, tuple([(n, None if s is None else self.sorts[s]) for n, s in fields]))
            for c, fields in made
        ]
        return datatype(name, *constructors)

    def read_symbol(self, row: Row) -> Symbol:
        if row[0] == "operator":
            return _OPERATORS[row[1]]
        kind, name = FunctionKind[row[0]], row[1]
        domain = tuple([self.sorts[number] for number in row[2]])
        range_ = self.sorts[row[3]]
        match kind:
            case FunctionKind.DECLARED:
                undone = None if row[4] is None else self.symbols[row[4]]
                if isinstance(undone, Operator):
                    raise ValueError("an operator has no inverse")
                return function(name, domain, range_, undoes=undone)
            case FunctionKind.TEXT:
                return solver_function(name, domain, range_)
            case FunctionKind.CONSTRUCTOR:
                return constructor(range_, name)
            case FunctionKind.SELECTOR:
                return selector(domain[0], name)

    def read_term(self, row: Row) -> Term:
        match row[0]:
            case "a":
                return unsimplified(self.symbols[row[1]], self._all(row[2:]))
            case "l":
                return _read_literal(self.sorts[row[1]], row[2])
            case "v":
                return make_variable(row[2], self.sorts[row[1]])
            case "q":
                return self._read_quantifier(row)
            case _:
                raise ValueError(f"no kind of term: {row[0]}")

    def _read_quantifier(self, row: Row) -> Term:
        _, binder, variables, body, triggers, name, weight = row
        bound = tuple([v for v in self._all(variables) if isinstance(v, Var)])
        groups = tuple([self._all(group) for group in triggers])
        return make_quantifier((Binder(binder), bound, self.terms[body], groups, name, weight))

    def _all(self, numbers: list[int]) -> tuple[Term, ...]:
        return tuple([self.terms[number] for number in numbers])


def _read_literal(sort: Sort, value: bool | str) -> Term:  # noqa: FBT001  # it is the value
    if isinstance(value, bool):
        return make_literal(value, sort)
    return make_literal(int(value) if sort is INT else Fraction(value), sort)
