"""Axioms of domains as facts for the solver, in the sorts that runs use.

References and values of domain types are integers there. An axiom that speaks about collections
cannot be said in that way: then runs that need its domain are unsupported.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pitviper.explore.adapters.viper import Translation
from pitviper.explore.adapters.viper_types import model_type, substituted
from pitviper.explore.model.program import Signature
from pitviper.explore.model.types import BOOLEAN, INT, OBJECT, RATIONAL, Type, is_token
from pitviper.explore.runtime.run import sort_of
from pitviper.program import expr as pe
from pitviper.program import types as pt
from pitviper.program.member import Axiom, Domain
from pitviper.program.walk import descendants
from pitviper.terms import build
from pitviper.terms.sort import TermError
from pitviper.terms.term import Term, Var


class NotSayable(Exception):
    """Part of an axiom that has no counterpart; ends the translation of that axiom."""


@dataclass(frozen=True, slots=True)
class Axioms:
    """`facts` for the solver; `assumed` names the domains behind them."""

    facts: tuple[Term, ...]
    assumed: tuple[str, ...]


def axioms_of(tr: Translation) -> Axioms:
    """The axioms of all domain instances in use."""
    facts: list[Term] = []
    assumed: dict[str, None] = {}
    unsayable: dict[str, None] = {}
    done: dict[tuple[str, tuple[pt.Type, ...]], None] = {}
    _bring_in_speakers(tr)
    while waiting := [i for i in tr.instances if i not in done]:
        for instance in waiting:
            done[instance] = None
            domain = tr.program.domains[instance[0]]
            if domain.interpretations is not None:
                unsayable[domain.name] = None
            for axiom in domain.axioms:
                assumed[domain.name] = None
                try:
                    facts.append(_axiom(axiom, domain, instance[1], tr))
                except (NotSayable, TermError):
                    unsayable[domain.name] = None
            facts.extend(_unique(domain, instance[1], tr))
    for name, signature in tr.tables.items():
        if signature.domain in unsayable:
            tr.tables[name] = replace(signature, sayable=False)
    return Axioms(tuple(facts), tuple(assumed))


def _bring_in_speakers(tr: Translation) -> None:
    """Instances of domains whose axioms speak about others that are in use.

    A parameter that the axioms do not mention may stand for any type.
    """
    for domain in tr.program.domains.values():
        apps = [n for a in domain.axioms for n in descendants(a.body)]
        for app in [n for n in apps if isinstance(n, pe.DomainApp)]:
            for _, args in [i for i in tr.instances if i[0] == app.domain]:
                bound = _matched(app.type_args, args)
                if bound is not None:
                    own = tuple([bound.get(name, pt.INT) for name in domain.type_params])
                    tr.instances.setdefault((domain.name, own))


def _matched(patterns: tuple[pt.Type, ...], args: tuple[pt.Type, ...]) -> dict[str, pt.Type] | None:
    """What type parameters stand for; None where types differ."""
    bound: dict[str, pt.Type] = {}
    for pattern, arg in zip(patterns, args, strict=True):
        if isinstance(pattern, pt.TypeVar):
            if bound.setdefault(pattern.name, arg) != arg:
                return None
        elif substituted(pattern, bound) != arg:
            return None
    return bound


def _axiom(axiom: Axiom, domain: Domain, args: tuple[pt.Type, ...], tr: Translation) -> Term:
    names = dict(zip(domain.type_params, args, strict=True))
    return _Sayer(names, tr).term(axiom.body, {})


def _unique(domain: Domain, args: tuple[pt.Type, ...], tr: Translation) -> list[Term]:
    names = dict(zip(domain.type_params, args, strict=True))
    unique = [f for f in domain.functions if f.unique and not f.params]
    made = [build.constant(f.name, sort_of(_simple(substituted(f.result, names)))) for f in unique]
    return [build.distinct(*made)] if len(made) > 1 else []


def _simple(kind: pt.Type) -> Type:
    found = model_type(kind)
    if found not in (INT, BOOLEAN, RATIONAL, OBJECT) and not is_token(found):
        raise NotSayable
    return found


class _Sayer:
    """Translates the axioms of one domain instance."""

    def __init__(self, names: dict[str, pt.Type], tr: Translation) -> None:
        self._names = names
        self._tr = tr

    def term(self, e: pe.Expr, bound: dict[str, Var]) -> Term:  # noqa: C901 - a table
        def sub(part: pe.Expr) -> Term:
            return self.term(part, bound)

        match e:
            case pe.IntLit(value):
                return build.integer(value)
            case pe.BoolLit(value):
                return build.truth(holds=value)
            case pe.NullLit():
                return build.integer(0)
            case pe.PermLit(pe.PermConstant.WRITE):
                return build.WRITE
            case pe.PermLit(pe.PermConstant.NONE):
                return build.NONE
            case pe.Var(name):
                return bound[name]
            case pe.Not(operand):
                return build.negate(sub(operand))
            case pe.And(operands):
                return build.conjoin(*[sub(o) for o in operands])
            case pe.Or(operands):
                return build.disjoin(*[sub(o) for o in operands])
            case pe.Implies(left, right):
                return build.implies(sub(left), sub(right))
            case pe.Conditional(condition, then, otherwise):
                return build.ite(sub(condition), sub(then), sub(otherwise))
            case pe.Equal(left, right):
                _simple(self._type(left))
                return build.equal(sub(left), sub(right))
            case pe.NotEqual(left, right):
                _simple(self._type(left))
                return build.differ(sub(left), sub(right))
            case pe.Negate(operand):
                return build.opposite(sub(operand))
            case pe.IntArith(op, left, right):
                return _ARITHMETIC[op](sub(left), sub(right))
            case pe.Compare(op, left, right):
                return _COMPARISON[op](sub(left), sub(right))
            case pe.DomainApp():
                return self._app(e, bound)
            case pe.Forall() | pe.Exists():
                return self._quantifier(e, bound)
            case _:
                raise NotSayable

    def _type(self, e: pe.Expr) -> pt.Type:
        return substituted(e.type, self._names)

    def _app(self, e: pe.DomainApp, bound: dict[str, Var]) -> Term:
        type_args = tuple([substituted(a, self._names) for a in e.type_args])
        app = pe.DomainApp(e.domain, e.function, type_args, e.args, self._type(e))
        signature: Signature = self._tr.tables[self._tr.table(app)]
        for kind in (*[self._type(a) for a in e.args], self._type(e)):
            _simple(kind)
        symbol = build.function(
            signature.name,
            tuple([sort_of(a) for a in signature.args]),
            sort_of(signature.result),
        )
        return build.apply(symbol, *[self.term(a, bound) for a in e.args])

    def _quantifier(self, e: pe.Forall | pe.Exists, bound: dict[str, Var]) -> Term:
        inner = dict(bound)
        variables = []
        for variable in e.variables:
            kind = _simple(substituted(variable.type, self._names))
            inner[variable.name] = build.variable(f"{variable.name}.{len(inner)}", sort_of(kind))
            variables.append(inner[variable.name])
        body = self.term(e.body, inner)
        triggers = []
        for trigger in e.triggers:
            parts = [t for t in trigger.terms if isinstance(t, pe.DomainApp)]
            if len(parts) == len(trigger.terms):
                triggers.append(tuple([self.term(p, inner) for p in parts]))
        make = build.forall if isinstance(e, pe.Forall) else build.exists
        return make(variables, body, tuple(triggers), "axiom")


_ARITHMETIC = {
    pe.IntOp.ADD: build.plus,
    pe.IntOp.SUB: build.minus,
    pe.IntOp.MUL: build.times,
    pe.IntOp.DIV: build.div,
    pe.IntOp.MOD: build.mod,
}
_COMPARISON = {
    pe.CompareOp.LT: build.less,
    pe.CompareOp.LE: build.at_most,
    pe.CompareOp.GT: build.greater,
    pe.CompareOp.GE: build.at_least,
}
