"""Expressions that are evaluated in a state of their own: `unfolding` and `asserting`."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import predicate_resource
from pitviper.engines.symbolic.heap.request import Request
from pitviper.engines.symbolic.outcomes import join
from pitviper.engines.symbolic.rules import consume as consume_rules
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.rules.predicate import unfold_instance
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.apply import apply_wand
from pitviper.program import expr as pe
from pitviper.terms import build as tb
from pitviper.terms.term import Term

MAX_DEPTH = 2
"""Instances of one predicate inside each other whose bodies are looked into for an expression."""


def eval_unfolding(st: State, e: pe.Unfolding, cx: Context) -> tuple[State, Term]:
    """The body is evaluated where the instance is unfolded; values learnt there are kept.

    A predicate whose own body unfolds it would never be done: at some depth inside bodies the
    value is unknown.
    """
    sort = cx.services.symbols.sort(e.type)
    name = e.predicate.predicate
    if cx.visiting.count(name) >= MAX_DEPTH:
        return st, cx.fresh("cut", sort)
    st, args = evaluate_rules.evaluate_all(st, e.predicate.args, cx)
    st, amount, wildcard = evaluate_rules.amount_of(st, e.amount, cx)
    if not wildcard:
        st = cx.check(
            st, tb.greater(amount, tb.NONE), "permission.not.positive", e.amount, e.amount
        )
    visiting = replace(cx.for_expression(), visiting=(*cx.visiting, name))
    request = Request(predicate_resource(name), args, amount, wildcard=wildcard, node=e.predicate)
    outcomes = [
        evaluate_rules.evaluate(inner.storing(st.store), e.body, cx)
        for inner in unfold_instance(st.holding(st.heap).lending(()), request, visiting)
    ]
    return join(st, outcomes, sort, cx)


def eval_applying(st: State, e: pe.Applying, cx: Context) -> tuple[State, Term]:
    """The body is evaluated where the wand is applied; values learnt there are kept."""
    outcomes = [
        evaluate_rules.evaluate(inner, e.body, cx)
        for inner in apply_wand(st.holding(st.heap).lending(()), e.wand, cx)
    ]
    return join(st, outcomes, cx.services.symbols.sort(e.type), cx)


def eval_asserting(st: State, e: pe.Asserting, cx: Context) -> tuple[State, Term]:
    """The assertion must hold here; the body then has its ordinary value."""
    outcomes = [
        evaluate_rules.evaluate(st.on(s1.path), e.body, cx)
        for s1, _ in consume_rules.consume_all(
            st.leaving(st.heap).lending(()), (e.assertion,), cx.for_expression()
        )
    ]
    return join(st, outcomes, cx.services.symbols.sort(e.type), cx)
