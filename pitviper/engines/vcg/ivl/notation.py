"""Terms as infix text; names and a few words are those of the language that is written."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, Protocol

from pitviper.terms import operators as op
from pitviper.terms.sort import Sort
from pitviper.terms.symbol import Function, Operator
from pitviper.terms.term import App, Literal, Quantified, Term, Var


class Names(Protocol):
    def of_function(self, symbol: Function) -> str: ...

    def of_variable(self, variable: Var) -> str: ...

    def of_sort(self, sort: Sort) -> str: ...


_INFIX: Final[Mapping[Operator, str]] = {
    op.AND: "&&",
    op.OR: "||",
    op.IMPLIES: "==>",
    op.EQUAL: "==",
    op.PLUS: "+",
    op.MINUS: "-",
    op.TIMES: "*",
    op.DIVIDE: "/",
    op.DIV: "div",
    op.MOD: "mod",
    op.LESS: "<",
    op.AT_MOST: "<=",
}


class Notation:
    """Writes terms; terms in `named` are written as their names."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.named: dict[Term, str] = {}

    def text(self, term: Term) -> str:
        """The text, without parentheses around the whole."""
        named = self.named.get(term)
        return named if named is not None else self.definition(term)

    def definition(self, term: Term) -> str:
        """The text of a term that may have a name, which is not used."""
        match term:
            case Literal():
                return _literal(term)
            case Var():
                return self._names.of_variable(term)
            case Quantified():
                return self._quantified(term)
            case App(symbol=Function() as symbol, args=args):
                name = self._names.of_function(symbol)
                return f"{name}({', '.join(map(self.text, args))})" if args else name
            case App(symbol=Operator() as operator, args=args):
                return self._operation(operator, args)
        raise AssertionError(term)

    def _operand(self, term: Term) -> str:
        text = self.text(term)
        return f"({text})" if term not in self.named and _is_compound(term) else text

    def _operation(self, operator: Operator, args: tuple[Term, ...]) -> str:
        texts = [self._operand(arg) for arg in args]
        if operator in _INFIX:
            return f" {_INFIX[operator]} ".join(texts)
        if operator is op.NOT:
            return f"!{texts[0]}"
        if operator is op.ITE:
            return f"(if {texts[0]} then {texts[1]} else {texts[2]})"
        if operator is op.TO_REAL:
            return f"real({self.text(args[0])})"
        if operator is op.SELECT:
            return f"{texts[0]}[{', '.join(map(self.text, args[1:]))}]"
        if operator is op.STORE:
            index = ", ".join(map(self.text, args[1:-1]))
            return f"{texts[0]}[{index} := {self.text(args[-1])}]"
        assert operator is op.DISTINCT
        return " && ".join(
            f"{first} != {second}"
            for position, first in enumerate(texts)
            for second in texts[position + 1 :]
        )

    def _quantified(self, term: Quantified) -> str:
        bound = ", ".join(
            f"{self._names.of_variable(v)}: {self._names.of_sort(v.sort)}" for v in term.variables
        )
        triggers = "".join(f"{{ {', '.join(map(self.text, g))} }} " for g in term.triggers)
        weight = "" if term.weight is None else f"{{:weight {term.weight}}} "
        return f"({term.binder.value} {bound} :: {weight}{triggers}{self.text(term.body)})"


def _is_compound(term: Term) -> bool:
    """Whether the text of a term needs parentheses inside another one."""
    if isinstance(term, Literal):
        return not isinstance(term.value, bool) and (
            term.value < 0 or (isinstance(term.value, Fraction) and term.value.denominator > 1)
        )
    return isinstance(term, App) and term.symbol in _COMPOUND


_COMPOUND: Final = frozenset({*_INFIX, op.NOT, op.DISTINCT})


def _literal(term: Literal) -> str:
    value = term.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if value.denominator == 1:
        return f"{value.numerator}.0"
    return f"{value.numerator}.0 / {value.denominator}.0"
