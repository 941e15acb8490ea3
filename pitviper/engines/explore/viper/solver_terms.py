"""Quantifiers that the solver can be told: their bodies as terms, without an order of evaluation.

That the body has a value is checked elsewhere. A body becomes a method of the model, which is run
with variables of the solver in the place of those that are quantified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.base.record import replace
from pitviper.engines.explore.model.program import locals_in
from pitviper.engines.explore.model.term import Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, INT, OBJECT, SCALARS, Type, is_token
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper import functions
from pitviper.engines.explore.viper.definedness import PARTIAL, is_simple
from pitviper.engines.explore.viper.emitter import Emitter, Scope, boolean, negated
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import expr as pe
from pitviper.program.assertion import Access
from pitviper.program.walk import descendants

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


class _NotSayable(Exception):
    """Part of a body that has no counterpart."""


def quantifier(e: pe.Forall | pe.Exists, sc: Scope, tr: Translation) -> Operation | None:
    """That a universal quantifier holds, or that an existential one does not; None if unsayable."""
    try:
        return _Sayer(sc, tr, ()).universal(e, negative=isinstance(e, pe.Exists))
    except _NotSayable:
        return None


def _is_sayable(kind: Type) -> bool:
    return kind in (*SCALARS, OBJECT) or is_token(kind)


class _Sayer:
    """Translates expressions of one scope; `inside` are functions whose bodies are being used."""

    def __init__(self, sc: Scope, tr: Translation, inside: tuple[str, ...]) -> None:
        self._sc = sc
        self._tr = tr
        self._inside = inside

    def universal(self, e: pe.Forall | pe.Exists, *, negative: bool) -> Operation:
        number = len(self._tr.methods)
        name = f"values {number}"
        variables = [Local(f"?{v.name}.{number}", model_type(v.type)) for v in e.variables]
        if not all(_is_sayable(v.type) for v in variables):
            raise _NotSayable
        out = Emitter(name)
        self._tr.methods[name] = out.method(name, (), ())  # keeps the number
        names = {v.name: local for v, local in zip(e.variables, variables, strict=True)}
        body = self._within(self._sc.binding(names)).term(e.body)
        result = Local("%holds", BOOLEAN)
        out = Emitter(name)
        out.assign(result, negated(body) if negative else body)
        captured = tuple([v for v in locals_in(body) if v not in variables])
        self._tr.methods[name] = out.method(name, (*captured, *variables), (result,))
        return Operation("for_all", captured, BOOLEAN, name)

    def _within(self, sc: Scope, function: str = "") -> _Sayer:
        inside = (*self._inside, function) if function else self._inside
        return _Sayer(sc, self._tr, inside)

    def term(self, e: pe.Expr) -> Term:  # noqa: C901 - a table
        if is_simple(e):
            return rules.lower(e, self._sc, Emitter(""), self._tr)
        kind = model_type(e.type)
        match e:
            case pe.Not(operand):
                return negated(self.term(operand))
            case pe.And(operands):
                return boolean("and", *self._all(operands))
            case pe.Or(operands):
                return boolean("or", *self._all(operands))
            case pe.Implies(left, right):
                return boolean("implies", *self._all((left, right)))
            case pe.Conditional(condition, then, otherwise):
                return Operation("choice", self._all((condition, then, otherwise)), kind)
            case pe.Equal() | pe.NotEqual() | pe.Negate() | pe.Cardinality():
                return Operation(rules.OPERATORS[type(e)], self._all(rules.operands_of(e)), kind)
            case pe.SeqContains() | pe.SetContains() | pe.MapContains():
                return Operation(rules.OPERATORS[type(e)], self._all(rules.operands_of(e)), kind)
            case pe.Compare(op, left, right):
                return rules.comparison(op, *self._all((left, right)))
            case pe.IntArith(op, left, right) if op not in PARTIAL:
                return Operation(rules.INT_OPERATORS[op], self._all((left, right)), INT)
            case pe.DomainApp(function=function) if function in self._tr.arrays.functions:
                raise _NotSayable
            case pe.DomainApp(args=args):
                return Operation("table", self._all(args), kind, self._tr.table(e))
            case pe.FieldRead(receiver, field):
                return Operation("read", (self._sc.heap, self.term(receiver)), kind, field)
            case pe.FunctionApp():
                return self._application(e)
            case pe.Old(label, operand) if label in self._sc.old:
                return self._within(self._sc.on(self._sc.old[label])).term(operand)
            case pe.Let(variable, bound, body):
                names = {variable.name: self.term(bound)}
                return self._within(self._sc.binding(names)).term(body)
            case pe.Forall():
                return self.universal(e, negative=False)
            case pe.Exists():
                return negated(self.universal(e, negative=True))
            case _:
                raise _NotSayable

    def _all(self, parts: tuple[pe.Expr, ...]) -> tuple[Term, ...]:
        return tuple([self.term(part) for part in parts])

    def _application(self, e: pe.FunctionApp) -> Term:
        """The body of a function that is not recursive, or the table of one that has none."""
        function = self._tr.program.functions[e.function]
        is_opaque = functions.hides_body(function)
        if function.name in self._inside or (is_opaque and e.reveal):
            raise _NotSayable
        args = self._all(e.args)
        if function.body is not None and not is_opaque:
            names = {p.name: a for p, a in zip(function.params, args, strict=True)}
            sc = replace(self._sc, names=names, old={}, result=None)
            return self._within(sc, function.name).term(function.body)
        clauses = function.preconditions
        heap = any(isinstance(n, Access) for c in clauses for n in descendants(c))
        if heap or function.postconditions:
            raise _NotSayable
        name = self._tr.function_table(function)
        return Operation("table", args, model_type(e.type), name)
