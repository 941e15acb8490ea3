"""`unfolding`: an expression evaluated where an instance is unfolded, on a copy of the state."""

from __future__ import annotations

from dataclasses import replace

from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import predicate
from pitviper.engines.vcg.state import State
from pitviper.program import expr as pe
from pitviper.terms.term import Term

MAX_DEPTH = 2
"""Instances of one predicate inside each other whose bodies are looked into for an expression."""


def eval_unfolding(st: State, e: pe.Unfolding, cx: Context) -> Term:
    """Nothing is forgotten, and what is learnt about values is kept: they are those of the folded
    instance. A predicate whose own body unfolds it would never be done: at some depth inside
    bodies the value is unknown."""
    name = e.predicate.predicate
    if cx.visiting.count(name) >= MAX_DEPTH:
        return cx.fresh("cut", cx.services.symbols.sort(e.type))
    st, instance = predicate.target(st, e.predicate, e.amount, cx)
    visiting = replace(cx.for_expression(), visiting=(*cx.visiting, name))
    inner = predicate.unfold_instance(st.on(st.heap), instance, visiting)
    return ev.evaluate(inner.storing(st.store), e.body, cx)
