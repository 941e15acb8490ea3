"""Terms of heap-independent expressions, as domain axioms have them."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.encoding.operators import literal_term, operands, operator_term
from pitviper.encoding.symbols import Symbols
from pitviper.encoding.triggers.choice import inferred_triggers
from pitviper.encoding.triggers.sums import Pattern, exists_matching, for_all_matching, is_matchable
from pitviper.program import expr as pe
from pitviper.program.assertion import PredicateLocation, Wand
from pitviper.terms import build as tb
from pitviper.terms.snapshot import UNIT
from pitviper.terms.term import Term, Var

Environment = Mapping[str, Term]


class NotPure(Exception):
    """An expression that needs a heap where there is none: the checker lets none through."""


def pure_term(e: pe.Expr, env: Environment, symbols: Symbols) -> Term:
    """The value of an expression that depends on no heap."""
    literal = literal_term(e)
    if literal is not None:
        return literal
    parts = operands(e)
    if parts is not None:
        return operator_term(e, tuple([pure_term(p, env, symbols) for p in parts]), symbols)
    match e:
        case pe.Var(name):
            return env[name]
        case pe.And(conjuncts):
            return tb.conjoin(*[pure_term(c, env, symbols) for c in conjuncts])
        case pe.Or(disjuncts):
            return tb.disjoin(*[pure_term(d, env, symbols) for d in disjuncts])
        case pe.Implies(left, right):
            return tb.implies(pure_term(left, env, symbols), pure_term(right, env, symbols))
        case pe.Conditional(condition, then, other):
            return tb.ite(*[pure_term(part, env, symbols) for part in (condition, then, other)])
        case pe.Let(variable, bound, body):
            value = pure_term(bound, env, symbols)
            return pure_term(body, {**env, variable.name: value}, symbols)
        case pe.Forall() | pe.Exists():
            return quantifier_term(e, env, symbols)
        case pe.FunctionApp(name, args):
            values = [pure_term(arg, env, symbols) for arg in args]
            return tb.apply(symbols.function(name).full, UNIT, *values)
        case _:
            raise NotPure(type(e).__name__)


def quantifier_term(e: pe.Forall | pe.Exists, env: Environment, symbols: Symbols) -> Term:
    variables = bound_variables(e.variables, symbols)
    inner = {**env, **{v.name: t for v, t in zip(e.variables, variables, strict=True)}}
    body = pure_term(e.body, inner, symbols)
    triggers = e.triggers or inferred_triggers(e)
    written = [_pattern(trigger, inner, symbols) for trigger in triggers]
    patterns = tuple([p for p in written if is_matchable(p)])
    name = str(e.span)
    build = for_all_matching if isinstance(e, pe.Forall) else exists_matching
    return build(variables, body, patterns, name, e.weight)


def bound_variables(variables: tuple[pe.Var, ...], symbols: Symbols) -> tuple[Var, ...]:
    return tuple([tb.variable(v.name, symbols.sort(v.type)) for v in variables])


def _pattern(trigger: pe.Trigger, env: Environment, symbols: Symbols) -> Pattern:
    terms = []
    for t in trigger.terms:
        if isinstance(t, PredicateLocation | Wand):
            raise NotPure("a heap-dependent trigger")
        if isinstance(t, pe.FunctionApp):
            values = [pure_term(arg, env, symbols) for arg in t.args]
            terms.append(tb.apply(symbols.function(t.function).limited, UNIT, *values))
        else:
            terms.append(pure_term(t, env, symbols))
    return tuple(terms)
