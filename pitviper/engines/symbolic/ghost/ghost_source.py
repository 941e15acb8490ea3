"""Source expressions for terms, so that an inferred statement can be written down."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitviper.encoding.operators import NULL
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Args, Kind
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.terms import build as tb
from pitviper.terms.term import Literal, Term

MAX_FIELDS = 3
"""Fields read in a row, in one expression."""

MAX_QUESTIONS = 8
"""Questions to the solver about one term."""


class SourceTerms:
    """Names terms in one state: a literal, a variable, a field that is held, in this order."""

    def __init__(self, st: State, visible: Mapping[str, pe.Var], cx: Context) -> None:
        self._st = st
        self._cx = cx
        self._visible = [v for name, v in visible.items() if name in st.store]

    def expressions(self, terms: Args) -> tuple[pe.Expr, ...] | None:
        """None if one of them has no name here."""
        found = [self.expression(term) for term in terms]
        known = tuple([e for e in found if e is not None])
        return known if len(known) == len(found) else None

    def expression(self, term: Term) -> pe.Expr | None:
        return self._literal(term) or self._path(term, MAX_FIELDS) or self._equal_variable(term)

    def _literal(self, term: Term) -> pe.Expr | None:
        if term is NULL:
            return pe.NullLit()
        if not isinstance(term, Literal):
            return None
        value = term.value
        if isinstance(value, bool):
            return pe.BoolLit(value)
        return amount_literal(value) if isinstance(value, Fraction) else _integer(value)

    def _path(self, term: Term, depth: int) -> pe.Expr | None:
        """A variable with this very value, or a field of a known object."""
        for variable in self._visible:
            if self._st.store[variable.name] is term:
                return pe.Var(variable.name, variable.type)
        if depth == 0:
            return None
        for chunk in self._st.heap:
            if chunk.resource.kind is Kind.FIELD and chunk.value is term:
                receiver = self._path(chunk.args[0], depth - 1)
                if receiver is not None:
                    declared = self._cx.services.program.fields[chunk.resource.name]
                    return pe.FieldRead(receiver, declared.name, declared.type)
        return None

    def _equal_variable(self, term: Term) -> pe.Expr | None:
        same_sort = [v for v in self._visible if self._st.store[v.name].sort is term.sort]
        for variable in same_sort[:MAX_QUESTIONS]:
            if self._cx.may_prove(self._st, tb.equal(self._st.store[variable.name], term)):
                return pe.Var(variable.name, variable.type)
        return None


def amount_literal(value: Fraction) -> pe.Expr:
    if value == 1:
        return pe.PermLit(pe.PermConstant.WRITE)
    numerator, denominator = _integer(value.numerator), _integer(value.denominator)
    return pe.PermArith(pe.PermOp.FRACTION, numerator, denominator)


def _integer(value: int) -> pe.Expr:
    return pe.IntLit(value) if value >= 0 else pe.Negate(pe.IntLit(-value))
