"""Exhaling assertions: what they claim is proved, permissions go, what is lost is forgotten.

All expressions are evaluated in the heap before the exhale; only `perm` and `forperm` see what is
left so far. Values are forgotten once, at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import record, replace
from pitviper.encoding.inhale_exhale import flattened
from pitviper.engines.shared.functions import is_opaque
from pitviper.engines.shared.parts import PART
from pitviper.engines.shared.syntactic import is_universal
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap import snapshot as snapshots
from pitviper.engines.vcg.heap.entry import Index, Kind, is_positive
from pitviper.engines.vcg.heap.take import Request, take
from pitviper.engines.vcg.heap.total import held_anywhere, own_entry, value_in
from pitviper.engines.vcg.heap.triggers import mention, mentioned, note_location
from pitviper.engines.vcg.quantified import permissions
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import quantifier
from pitviper.engines.vcg.rules.join import choose
from pitviper.engines.vcg.state import Heap, State
from pitviper.engines.vcg.wands import apply
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion
from pitviper.program.member import Function
from pitviper.program.types import STATE
from pitviper.program.walk import descendants
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT
from pitviper.terms.term import Term


@record
class Point:
    """A location of which permission was given up."""

    kind: Kind
    index: Index


GivenUp = dict[object, None]
"""What was given up so far, in order: points, and slices of quantified permissions."""


def exhale_all(st: State, assertions: tuple[Assertion, ...], cx: Context) -> State:
    """The conjuncts, from left to right; then what is no longer held is forgotten."""
    return exhale_looking_back(st, assertions, cx)[0]


def exhale_looking_back(
    st: State, assertions: tuple[Assertion, ...], cx: Context
) -> tuple[State, Heap]:
    """The same, and the heap before it: inside a package, with what had to be moved in."""
    given_up: GivenUp = {}
    st = exhale_parts(st.leaving(st.heap), flattened(assertions), cx, given_up)
    return settled(st, given_up, cx), st.heap


def exhale_clauses(
    st: State, clauses: Sequence[Assertion], error: str, part: str | None, cx: Context
) -> State:
    """All clauses as one exhale; failures are reported at each. `part` goes into the text of the
    error; None stands for the clause itself."""
    given_up: GivenUp = {}
    st = st.leaving(st.heap)
    for clause in clauses:
        inner = cx.proving(error, clause, clause if part is None else part)
        st = exhale_parts(st, flattened((clause,)), inner, given_up)
    return settled(st, given_up, cx)


def exhale_copy(st: State, assertions: tuple[Assertion, ...], cx: Context) -> State:
    """What is claimed is proved; the state only knows more afterwards. Inside a package, what had
    to be moved in stays: an assertion is a way to ask for it."""
    after = exhale_parts(st.leaving(st.heap), flattened(assertions), cx, {})
    known = st.known | after.known
    return replace(st, heap=after.heap, known=known, transferred=after.transferred)


def exhale_parts(
    st: State, conjuncts: Sequence[Assertion], cx: Context, given_up: GivenUp
) -> State:
    inner = cx.on_side(exhaling=True)
    for conjunct in conjuncts:
        st = exhale(st, conjunct, inner, given_up)
    return st


def exhale(st: State, a: Assertion, cx: Context, given_up: GivenUp) -> State:
    """This match is the table of contents."""
    match a:
        case pa.Access():
            return exhale_access(st, a, cx, given_up)
        case pa.Star(conjuncts):
            return exhale_parts(st, flattened(conjuncts), cx, given_up)
        case pa.Guarded(condition, body):
            value = ev.condition(st, condition, cx)
            if value is tb.FALSE:
                return st
            if value is tb.TRUE:
                return exhale(st, body, cx, given_up)
            return choose(value, exhale(st.under(value), body, cx, given_up), st, st)
        case pa.Choice(condition, then, otherwise):
            value = ev.condition(st, condition, cx)
            if value is tb.TRUE or value is tb.FALSE:
                return exhale(st, then if value is tb.TRUE else otherwise, cx, given_up)
            one = exhale(st.under(value), then, cx, given_up)
            other = exhale(st.under(tb.negate(value)), otherwise, cx, given_up)
            return choose(value, one, other, st)
        case pa.Binding(variable, bound, body):
            value = ev.evaluate(st, bound, cx)
            store = st.store
            return exhale(st.binding(variable.name, value), body, cx, given_up).storing(store)
        case pa.InhaleExhale(_, exhaled):
            return exhale(st, exhaled, cx, given_up)
        case pa.QuantifiedPermission():
            return permissions.exhale_quantified(st, a, cx, given_up)
        case pa.Wand():
            return apply.exhale_wand(st, a, cx, given_up)
        case _:
            return exhale_pure(st, a, cx)


def exhale_access(st: State, a: pa.Access, cx: Context, given_up: GivenUp) -> State:
    kind, index = ev.locate(st, a.location, cx)
    note_location(kind, index, cx)
    st, amount, wildcard = ev.amount_of(st, a.amount, cx)
    if not wildcard:
        st = ev.check_amount(st, amount, a, cx)
        if amount is tb.NONE:
            return st
    given_up[Point(kind, index)] = None
    wanted = Request(kind, index, amount, wildcard, a.location)
    if wildcard or not cx.scaled_freely:
        return take(st, wanted, cx)
    some = st.decided(tb.greater(amount, tb.NONE))  # there the scale is as small as need be
    if some is tb.FALSE:
        return st
    return choose(some, take(st.under(some), replace(wanted, wildcard=True), cx), st, st)


# ---------------------------------------------------------------- pure claims


def exhale_pure(st: State, e: pe.Expr, cx: Context) -> State:
    """Must follow. Each conjunct fails on its own."""
    match e:
        case pe.And(conjuncts):
            for at, conjunct in enumerate(conjuncts, 1):
                st = exhale_pure(st, conjunct, _before(st, conjuncts[at:], cx))
            return st
        case pe.InhaleExhaleExpr(_, exhaled):
            return exhale_pure(st, exhaled, cx)
        case _ if is_universal(e):

            def check(inner: State, goal: Term, later: Sequence[Term]) -> None:
                inner_cx = cx.before(lambda: _mentioned(later)) if later else cx
                inner_cx.claim(inner, goal, "assertion.false", e, e)

            proved = quantifier.prove_universal(st, e, check, cx)
            return cx.assume(st, proved) if cx.claiming else st
    value = ev.evaluate(st, e, cx)
    cx.claim(st, value, "assertion.false", e, e)
    return st.knowing(value) if cx.claiming else st


def _before(st: State, later: tuple[pe.Expr, ...], cx: Context) -> Context:
    """Terms of later conjuncts wake up triggers for earlier ones, where these cannot be proved
    without. Nothing is known about their values, not even that they make sense."""
    if not later or not cx.claiming:
        return cx

    def values() -> list[Term]:
        plain = [e for e in later if _may_wake_up(e)]
        with cx.services.emitter.trial():
            return _mentioned([ev.evaluate(st, e, snapshots.quiet(cx)) for e in plain])

    return cx.before(values)


def _mentioned(values: Sequence[Term]) -> list[Term]:
    return [mentioned(value) for value in values if value.args]


def _may_wake_up(e: pe.Expr) -> bool:
    nodes = tuple(descendants(e))
    return any(isinstance(n, pe.FunctionApp | pe.DomainApp) for n in nodes) and not any(
        isinstance(n, pe.Forall | pe.Exists | pe.ForPerm) for n in nodes
    )


# ---------------------------------------------------------------- the end of an exhale


def settled(st: State, given_up: GivenUp, cx: Context) -> State:
    """The remainder is the heap; values of what is surely lost are unknown, and those of what may
    be lost are old ones only where something is left."""
    before = st.heap
    heap = st.held
    for item in given_up:
        if isinstance(item, Point):
            heap = _forget(st, before, heap, item, cx)
        else:
            heap = permissions.forget(st, before, heap, item, cx)
    return st.on(heap)


def _forget(st: State, before: Heap, heap: Heap, point: Point, cx: Context) -> Heap:
    kind, index = point.kind, point.index
    for h in (heap, *st.frames):
        own = own_entry(st, h, kind, index, cx)
        if own is not None and is_positive(own[1].amount, st.known):
            return heap
    old = value_in(st, before, kind, index, cx)
    value = cx.fresh(kind.name, kind.value)

    def build() -> tuple[Term, ...]:
        left = held_anywhere(st, heap, kind, index, cx)
        return (tb.implies(tb.greater(left, tb.NONE), tb.equal(value, old)),)

    if any(h.entries(kind) for h in (heap, *st.frames)):
        cx.lazily(st, build)
    return heap.stored(kind, index, value)


def apply_function(st: State, e: pe.FunctionApp, args: tuple[Term, ...], cx: Context) -> Term:
    """The precondition must hold and nothing is given away; the value depends on its snapshot."""
    function = cx.services.program.functions[e.function]
    symbols = cx.services.symbols.function(e.function)
    snap = footprint(st, e, function, args, cx)
    if e.type == STATE:
        return snap
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
    inner = cx.for_expression().trusting_contract(*function.preconditions)
    if cx.construct.error != PART:
        inner = inner.proving("application.precondition", e, function.name)
    inner = replace(
        inner,
        reading=True,
        scale=tb.WRITE,
        scaled_freely=False,
    )
    start = _start(st, function, args)
    if cx.services.options.respect_function_amounts and inner.claiming:
        with cx.aside(start) as copy:
            exhale_all(copy, function.preconditions, replace(inner, reading=False))
        inner = snapshots.quiet(inner)
    snap = snapshots.snapshot(start, function.preconditions, inner)
    if cx.function is None and cx.services.symbols.is_unframed(function.name):
        return cx.fresh("snapshot", SNAP)
    return snap


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
