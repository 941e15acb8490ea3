"""Applications of heap-dependent functions: the footprint as a snapshot, then a term."""

from __future__ import annotations

from pitviper.engines.shared.parts import PART
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.outcomes import join
from pitviper.engines.symbolic.rules import consume as consume_rules
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program.member import Function
from pitviper.program.types import STATE
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT
from pitviper.terms.term import Term


def apply_function(
    st: State, e: pe.FunctionApp, args: tuple[Term, ...], cx: Context
) -> tuple[State, Term]:
    """The precondition must hold and is not consumed; the value depends on its snapshot."""
    recorder = cx.services.recorder
    if recorder is None:
        return _apply(st, e, args, cx)
    return recorder.during("evaluate", st, e, lambda: _apply(st, e, args, cx))


def _apply(st: State, e: pe.FunctionApp, args: tuple[Term, ...], cx: Context) -> tuple[State, Term]:
    function = cx.services.program.functions[e.function]
    symbols = cx.services.symbols.function(e.function)
    st, snap = footprint(st, e, function, args, cx)
    if e.type == STATE:
        return st, snap
    if function.preconditions:
        st = st.assume(tb.apply(symbols.holds, snap, *args))
    definition = cx.modes.definition
    if definition is not None and not definition.in_contract and _is_being_defined(e, cx):
        st = st.assume(tb.apply(symbols.called, snap, *args))
    symbol = symbols.limited if is_limited(e, function, cx) else symbols.full
    return st, tb.apply(symbol, snap, *args)


def footprint(
    st: State, e: pe.FunctionApp, function: Function, args: tuple[Term, ...], cx: Context
) -> tuple[State, Term]:
    """The snapshot of the precondition in the current heap."""
    if not function.preconditions:
        return st, UNIT
    exact = cx.services.options.respect_function_amounts
    inner_cx = cx.for_expression()
    if cx.obligation.error != PART:
        inner_cx = inner_cx.trusting_contract(*function.preconditions)
        inner_cx = inner_cx.proving("application.precondition", e, function.name)
    inner_cx = inner_cx.in_modes(inner_cx.modes.applying(exact=exact)).visiting_from(st)
    formals = {p.name: value for p, value in zip(function.params, args, strict=True)}
    start = State(formals, st.heap, st.path, {}, st.heap, ())
    outcomes = list(consume_rules.consume_all(start, function.preconditions, inner_cx))
    joined, snap = join(start, outcomes, SNAP, cx)
    if cx.modes.definition is None and cx.services.symbols.is_unframed(function.name):
        snap = cx.fresh("snapshot", SNAP)
    return st.on(joined.path), snap


def is_limited(e: pe.FunctionApp, function: Function, cx: Context) -> bool:
    """Opaque functions stay folded; so do those of the component that is being defined."""
    if any(a.key == "opaque" for a in function.annotations) and not e.reveal:
        return True
    return _is_being_defined(e, cx)


def _is_being_defined(e: pe.FunctionApp, cx: Context) -> bool:
    definition = cx.modes.definition
    if definition is None:
        return False
    return cx.services.calls.same_component(definition.function, e.function)
