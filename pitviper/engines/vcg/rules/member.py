"""When a method and a predicate are valid."""

from __future__ import annotations

from pitviper.encoding.inhale_exhale import exhaled_side
from pitviper.engines.shared.reach import end_of, end_unreachable
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.ivl.language import Assert, Kind, Obligation
from pitviper.engines.vcg.rules.exhale import exhale_clauses
from pitviper.engines.vcg.rules.flow import execute_body
from pitviper.engines.vcg.rules.inhale import (
    check_clauses,
    check_exhaled,
    empty_heap,
    inhale_all,
    inhale_clauses,
    knowing_classes,
)
from pitviper.engines.vcg.state import PRE_STATE, State
from pitviper.program.cfg import jumped_over
from pitviper.program.member import Method, Predicate
from pitviper.program.never import never_holds
from pitviper.program.stmt import Block
from pitviper.solver.session import CHECK
from pitviper.terms import build as tb


def verify_method(method: Method, cx: Context) -> None:
    """From the precondition, the body leads to the postcondition, whatever the arguments."""
    symbols = cx.services.symbols
    store = {
        v.name: cx.fresh(v.name, symbols.sort(v.type)) for v in (*method.params, *method.returns)
    }
    st = knowing_classes(State(store, empty_heap(cx)), method, cx)
    check_exhaled(st, method.preconditions, cx)
    st = inhale_clauses(st, method.preconditions, None, "not.wellformed", cx)
    st = st.labelled(PRE_STATE, st.heap)
    _warn_if_unsatisfiable(st, method, cx)
    check_clauses(st, method.postconditions, cx)
    if method.body is not None:
        end = execute_body(_with_jumped_over(st, method.body, cx), method.body, cx)
        if end is not None:
            error = "postcondition.violated"
            judged = cx.trusting_contract(*method.postconditions)
            exhale_clauses(end, method.postconditions, error, method.name, judged)
            _warn_if_unreachable(method, cx)


def _with_jumped_over(st: State, body: Block, cx: Context) -> State:
    """Variables whose declarations a jump may pass by have some value from the start."""
    for variable in jumped_over(body):
        st = st.binding(
            variable.name, cx.fresh(variable.name, cx.services.symbols.sort(variable.type))
        )
    return st


def _warn_if_unsatisfiable(st: State, method: Method, cx: Context) -> None:
    """No call can ever meet such a precondition: all that follows holds for no reason.

    What was proved once is said, since the solver may not find it again.
    """
    never = any(never_holds(clause) for clause in method.preconditions)
    proved = bool(method.preconditions) and cx.services.emitter.proves(tb.FALSE, CHECK)
    if proved:
        cx.services.emitter.assume(tb.FALSE)
    if never or proved:
        cx.warn(method.preconditions[0], f"the precondition of {method.name} is unsatisfiable")


def _warn_if_unreachable(method: Method, cx: Context) -> None:
    """NOTE(end): nothing is emitted behind this."""
    if cx.services.warnings:
        return
    said = end_unreachable(method.name)
    obligation = Obligation("method", "end", end_of(method), lambda: said, kind=Kind.END)
    cx.services.emitter.emit(Assert(tb.FALSE, obligation, kept=tb.TRUE))


def verify_predicate(predicate: Predicate, cx: Context) -> None:
    """The body must make sense on its own."""
    if predicate.body is None:
        return
    symbols = cx.services.symbols
    store = {p.name: cx.fresh(p.name, symbols.sort(p.type)) for p in predicate.params}
    st = knowing_classes(State(store, empty_heap(cx)), predicate, cx)
    inner = cx.proving("predicate.not.wellformed", predicate)
    body, exhaled = predicate.body, exhaled_side(predicate.body)
    if exhaled is not body:  # before the other side, of which nothing is known here
        with inner.aside(st) as inside:
            inhale_all(inside.on(empty_heap(cx)), (exhaled,), None, inner)
    inhale_all(st, (body,), None, inner)
