"""Applications of heap-dependent functions: the footprint as a snapshot, then a term."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.shared.functions import is_opaque
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap import snapshot as snapshots
from pitviper.engines.vcg.heap.triggers import mention
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import exhale
from pitviper.engines.vcg.state import State
from pitviper.program import expr as pe
from pitviper.program.member import Function
from pitviper.terms import build as tb
from pitviper.terms.snapshot import UNIT
from pitviper.terms.term import Term


def apply_function(st: State, e: pe.FunctionApp, args: tuple[Term, ...], cx: Context) -> Term:
    """The precondition must hold and nothing is given away; the value depends on its snapshot."""
    function = cx.services.program.functions[e.function]
    symbols = cx.services.symbols.function(e.function)
    snap = footprint(st, e, function, args, cx)
    if function.preconditions:
        cx.learn(st, tb.apply(symbols.holds, snap, *args))
    symbol = symbols.limited if is_limited(e, function, cx) else symbols.full
    value = tb.apply(symbol, snap, *args)
    if cx.checking and function.postconditions:
        mention(tb.apply(symbols.limited, snap, *args), cx)  # its postcondition holds
    if _is_being_defined(e, cx):
        _assume_postconditions(st, function, args, tb.apply(symbols.limited, snap, *args), cx)
    return value


def footprint(
    st: State, e: pe.FunctionApp, function: Function, args: tuple[Term, ...], cx: Context
) -> Term:
    """The snapshot of the precondition in the current heap, which must hold there."""
    if not function.preconditions:
        return UNIT
    inner = replace(
        cx.for_expression().trusting().proving("application.precondition", e, function.name),
        reading=True,
        scale=tb.WRITE,
        scaled_freely=False,
    )
    start = _start(st, function, args)
    if cx.services.options.respect_function_amounts and inner.claiming:
        with cx.aside(start) as copy:
            exhale.exhale_all(copy, function.preconditions, replace(inner, reading=False))
        inner = snapshots.quiet(inner)
    return snapshots.snapshot(start, function.preconditions, inner)


def _start(st: State, function: Function, args: tuple[Term, ...]) -> State:
    """Where the contract of a function is evaluated: in the same heap, with other variables."""
    formals = {p.name: value for p, value in zip(function.params, args, strict=True)}
    return replace(st.on(st.heap), store=formals, labels={})


def is_limited(e: pe.FunctionApp, function: Function, cx: Context) -> bool:
    """Opaque functions stay folded; so do those of the component that is being defined."""
    if is_opaque(function) and not e.reveal:
        return True
    return _is_being_defined(e, cx)


def _is_being_defined(e: pe.FunctionApp, cx: Context) -> bool:
    if cx.function is None:
        return False
    return cx.services.calls.same_component(cx.function, e.function)


def _assume_postconditions(
    st: State, function: Function, args: tuple[Term, ...], result: Term, cx: Context
) -> None:
    """Of a recursive application whose precondition was checked; applications inside the
    postconditions themselves tell nothing more."""
    if not function.postconditions or cx.in_contract:
        return
    inner = replace(snapshots.quiet(cx), in_contract=True, scale=tb.WRITE)
    start = _start(st, function, args).binding("result", result)
    for post in function.postconditions:
        cx.learn(st, ev.evaluate(start, post, inner))
