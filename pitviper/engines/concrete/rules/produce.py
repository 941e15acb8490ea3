"""Inhale: gain what an assertion holds, assume what it says."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.concrete.heap import location
from pitviper.engines.concrete.heap.contents import gain
from pitviper.engines.concrete.heap.heap import ONE, Snapshot
from pitviper.engines.concrete.rules import assume as assume_rules
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import quantifier, wand
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.program import assertion as pa
from pitviper.program.expr import Expr


def produce(st: State, a: pa.Assertion, run: Run, source: Snapshot | None = None) -> State:
    """The state with `a` in it, from left to right.

    Contents come from `source`, and are made up where it has none (or is None).
    """
    run.tick()
    st = st if st.assuming and st.exhaled is None else replace(st, assuming=True, exhaled=None)
    match a:
        case pa.Star(conjuncts):
            for conjunct in conjuncts:
                st = produce(st, conjunct, run, source)
            return st
        case pa.Access():
            return location.gain_access(st, a, source, run)
        case pa.Wand():
            return gain(st, wand.resource_of(st, a, run), ONE, source, run)
        case pa.Guarded(condition, body):
            return produce(st, body, run, source) if _holds(st, condition, run) else st
        case pa.Choice(condition, then, otherwise):
            chosen = then if _holds(st, condition, run) else otherwise
            return produce(st, chosen, run, source)
        case pa.QuantifiedPermission():
            return quantifier.produce_quantified(st, a, run, source)
        case pa.Binding(variable, bound, body):
            inner = st.binding(variable.name, rules.evaluate_raw(st, bound, run))
            return replace(produce(inner, body, run, source), store=st.store)
        case pa.InhaleExhale(inhaled, _):
            return produce(st, inhaled, run, source)
        case _:
            assume_rules.assume(st, a, run)
            return st


def _holds(st: State, condition: Expr, run: Run) -> bool:
    return rules.boolean(st, condition, run)
