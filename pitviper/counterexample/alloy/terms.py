"""Terms as Alloy formulas and expressions (chapter 3 of the thesis, with sets as sets).

Permission amounts are integers: multiples of a fixed fraction of `write`. Sets are sets of atoms,
multisets relations from atoms to counts. A function is a relation in the signature `Fun`; one with
many arguments is a constant for each of its ground applications.
"""

from __future__ import annotations

import re
from fractions import Fraction

from pitviper.counterexample.bounded.values import Theories
from pitviper.encoding.operators import NULL
from pitviper.encoding.theories.multisets import Multisets
from pitviper.encoding.theories.sets import Sets
from pitviper.terms import operators as op
from pitviper.terms.sort import BOOL, INT, PERM, REF, Sort
from pitviper.terms.symbol import Function, Operator
from pitviper.terms.term import App, Binder, Literal, Quantified, Term, Var

MOST_COLUMNS = 3
"""Arguments of a function that is a relation; Alloy has no room for more columns."""


class Inexpressible(Exception):
    """A term that this translation has no form for; caught where facts are written."""


class AlloyTerms:
    """Translates terms, and remembers what they need to be declared."""

    def __init__(self, theories: Theories, unit: int) -> None:
        self._theories = theories
        self._unit = unit
        self._names: dict[object, str] = {}
        self._taken: set[str] = set()
        self.sorts: dict[Sort, str] = {REF: "Ref", INT: "Int", PERM: "Int"}
        self.constants: dict[App, str] = {}
        self.relations: dict[Function, str] = {}
        self.applications: dict[App, str] = {}

    # ------------------------------------------------------------ names

    def name(self, thing: object, hint: str) -> str:
        found = self._names.get(thing)
        if found is None:
            base = re.sub(r"\W+", "_", hint).strip("_") or "x"
            found, number = f"{base}_", 1
            while found in self._taken:
                number += 1
                found = f"{base}_{number}_"
            self._taken.add(found)
            self._names[thing] = found
        return found

    def sort(self, sort: Sort) -> str:
        """Returns the signature of a sort; collections have the type of their elements."""
        theory = self._theories.by_sort.get(sort)
        if isinstance(theory, Sets):
            return f"set {self._element(theory.element)}"
        if isinstance(theory, Multisets):
            return f"{self._element(theory.element)} -> one Int"
        if theory is not None:
            raise Inexpressible(str(sort))
        found = self.sorts.get(sort)
        if found is None:
            found = self.sorts[sort] = self.name(sort, f"Sort_{sort}")
        return found

    def _element(self, sort: Sort) -> str:
        if sort in self._theories.by_sort:
            raise Inexpressible(f"collections of {sort}")
        return self.sort(sort)

    # ------------------------------------------------------------ formulas

    def formula(self, term: Term) -> str:
        match term:
            case Literal(value=value):
                return "(some univ)" if value is True else "(no univ)"
            case Quantified():
                return self._quantifier(term)
            case App(symbol=Operator() as symbol, args=args) if term.sort is BOOL:
                return self._connective(symbol, args)
            case App(symbol=Function() as symbol, args=args):
                return self._predicate(symbol, term, args)
            case _:
                return f"({self.expression(term)} = True)"

    def _connective(self, symbol: Operator, args: tuple[Term, ...]) -> str:
        if symbol in _LOGIC:
            joined = f" {_LOGIC[symbol]} ".join([self.formula(a) for a in args])
            return f"({joined})"
        if symbol is op.NOT:
            return f"(not {self.formula(args[0])})"
        if symbol is op.ITE:
            return (
                f"({self.formula(args[0])} => {self.formula(args[1])} else {self.formula(args[2])})"
            )
        if symbol is op.EQUAL and args[0].sort is BOOL:
            return f"({self.formula(args[0])} <=> {self.formula(args[1])})"
        if symbol is op.EQUAL:
            return f"({self.expression(args[0])} = {self.expression(args[1])})"
        if symbol is op.DISTINCT:
            pairs = [(a, b) for i, a in enumerate(args) for b in args[:i]]
            apart = [f"{self.expression(a)} != {self.expression(b)}" for a, b in pairs]
            return f"({' and '.join(apart)})" if apart else "(some univ)"
        return f"({self.expression(args[0])} {_COMPARED[symbol]} {self.expression(args[1])})"

    def _predicate(self, symbol: Function, term: App, args: tuple[Term, ...]) -> str:
        label = symbol.name.rpartition(".")[2]
        theory = next((self._theories.by_sort.get(a.sort) for a in reversed(args)), None)
        if symbol in self._theories.meanings and isinstance(theory, Sets | Multisets):
            a, b = [self.expression(arg) for arg in args]
            if label in ("contains", "subset", "equals") and isinstance(theory, Sets):
                return f"({a} {'=' if label == 'equals' else 'in'} {b})"
            if label == "equals":
                return f"({a} = {b})"
            raise Inexpressible(symbol.name)
        return f"({self._application(symbol, term, args)} = True)"

    def _quantifier(self, term: Quantified) -> str:
        word = "all" if term.binder is Binder.FORALL else "some"
        bound = []
        for variable in term.variables:
            kind = self.sort(variable.sort)
            if kind.startswith("set ") or "->" in kind:
                raise Inexpressible(f"a quantifier over {variable.sort}")
            bound.append(f"{self.name(variable, variable.name)}: {kind}")
        return f"({word} {', '.join(bound)} | {self.formula(term.body)})"

    # ------------------------------------------------------------ expressions

    def expression(self, term: Term) -> str:
        match term:
            case Literal(value=value) if term.sort is PERM:
                scaled = Fraction(value) * self._unit
                if scaled.denominator != 1:
                    raise Inexpressible(f"the amount {value}")
                return str(scaled.numerator)
            case Literal(value=value) if term.sort is INT:
                return str(value)
            case Var():
                return self.name(term, term.name)
            case _ if term is NULL:
                return "NULL"
            case App(symbol=Operator() as symbol, args=args) if term.sort is not BOOL:
                return self._arithmetic(symbol, args)
            case App(symbol=Function() as symbol, args=args):
                return self._value(symbol, term, args)
            case _:
                return f"({self.formula(term)} => True else False)"

    def _arithmetic(self, symbol: Operator, args: tuple[Term, ...]) -> str:
        if symbol is op.ITE:
            then, other = self.expression(args[1]), self.expression(args[2])
            return f"({self.formula(args[0])} => {then} else {other})"
        if symbol not in _NUMBERS or (args[0].sort is PERM and symbol is op.TIMES):
            raise Inexpressible(symbol.name)
        return f"{_NUMBERS[symbol]}[{self.expression(args[0])}, {self.expression(args[1])}]"

    def _value(self, symbol: Function, term: App, args: tuple[Term, ...]) -> str:
        if symbol not in self._theories.meanings:
            return self._application(symbol, term, args)
        label = symbol.name.rpartition(".")[2]
        sort = term.sort if term.sort in self._theories.by_sort else args[-1].sort
        theory = self._theories.by_sort.get(sort)
        values = [self.expression(arg) for arg in args]
        if isinstance(theory, Sets):
            return _set(label, values, self._element(theory.element))
        if isinstance(theory, Multisets):
            return self._multiset(label, values, self._element(theory.element))
        raise Inexpressible(symbol.name)

    def _multiset(self, label: str, values: list[str], element: str) -> str:
        if label == "count":
            return f"{values[1]}[{values[0]}]"
        if label == "size":
            return f"(sum x: {element} | {values[0]}[x])"
        if label == "intersection":
            a, b = f"{values[0]}[x]", f"{values[1]}[x]"
            return f"{{x: {element}, n: Int | n = ({a} < {b} => {a} else {b})}}"
        if label == "union":
            return f"{{x: {element}, n: Int | n = plus[{values[0]}[x], {values[1]}[x]]}}"
        raise Inexpressible(f"{label} of multisets")

    def _application(self, symbol: Function, term: App, args: tuple[Term, ...]) -> str:
        if not args:
            return self._constant(term, symbol)
        sorts = [*symbol.domain, *([symbol.range] if symbol.range is not BOOL else [])]
        simple = all(s not in self._theories.by_sort for s in sorts)
        if len(args) <= MOST_COLUMNS and simple:
            for sort in sorts:
                if sort is not BOOL:
                    self.sort(sort)
            written = ", ".join([self.expression(a) for a in args])
            name = self.relations.setdefault(symbol, self.name(symbol, symbol.name))
            if not term.free:
                self.applications.setdefault(term, "")
            return f"Fun.{name}[{written}]"
        if term.free:
            raise Inexpressible(f"{symbol.name} of {len(args)} arguments under a quantifier")
        for arg in args:
            self.expression(arg)
        return self._constant(term, symbol)

    def _constant(self, term: App, symbol: Function) -> str:
        """A field of the state, which is declared only if its sort can be told."""
        if term.sort is not BOOL:
            self.sort(term.sort)
        self.constants.setdefault(term, self.name(term, symbol.name))
        return f"State.{self.constants[term]}"


def _set(label: str, values: list[str], element: str) -> str:
    match label:
        case "size":
            return f"#({values[0]})"
        case "empty":
            return f"(none & {element})"
        case "singleton":
            return values[0]
        case "insert" | "union":
            return f"({values[0]} + {values[1]})"
        case "intersection":
            return f"({values[0]} & {values[1]})"
        case "difference":
            return f"({values[0]} - {values[1]})"
        case _:
            raise Inexpressible(f"{label} of sets")


_LOGIC = {op.AND: "and", op.OR: "or", op.IMPLIES: "implies"}
_COMPARED = {op.LESS: "<", op.AT_MOST: "<="}
_NUMBERS = {op.PLUS: "plus", op.MINUS: "minus", op.TIMES: "mul", op.DIV: "div", op.MOD: "rem"}
