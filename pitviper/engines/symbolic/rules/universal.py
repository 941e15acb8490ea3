"""Universal statements as goals: proved for symbols that stand for any values.

NOTE(stand-ins). The solver would replace the variables of a quantifier that it is to prove by
constants of its own. Here they are replaced before: the symbols with which the body was evaluated
do for that, and whatever was learnt about them on the way holds without waiting for a trigger.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.outcomes import returned
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.rules import forperm, quantifier
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.terms import build as tb
from pitviper.terms.term import Term


@record
class Opened:
    """An expression that was evaluated; to prove it, prove each goal in the state it comes with."""

    state: State
    value: Term
    goals: tuple[tuple[State, Term], ...]


def opened(st: State, e: pe.Expr, cx: Context) -> Opened:
    match e:
        case pe.Forall():
            return quantifier.open_quantifier(st, e, cx)
        case pe.ForPerm():
            return forperm.open_forperm(st, e, cx)
        case pe.Implies(left, right) if _is_universal(right):
            return _open_implication(st, left, right, cx)
        case _:
            st, value = evaluate_rules.evaluate(st, e, cx)
            return Opened(st, value, ((st, value),))


def _is_universal(e: pe.Expr) -> bool:
    while isinstance(e, pe.Implies):
        e = e.right
    return isinstance(e, pe.Forall | pe.ForPerm)


def _open_implication(st: State, left: pe.Expr, right: pe.Expr, cx: Context) -> Opened:
    st, condition = evaluate_rules.evaluate(st, left, cx)
    if condition is tb.FALSE:
        return Opened(st, tb.TRUE, ())
    inner = opened(st.on(st.path.branch(condition)), right, cx)
    return Opened(returned(st, inner.state), tb.implies(condition, inner.value), inner.goals)
