"""Statements and expressions over all locations of a quantified permission."""

from __future__ import annotations

from pitviper.encoding.quantify import for_all
from pitviper.engines.shared.syntactic import denoted_by
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import QuantifiedEntry
from pitviper.engines.vcg.heap.total import total_in
from pitviper.engines.vcg.heap.triggers import location_trigger
from pitviper.engines.vcg.kinds import located
from pitviper.engines.vcg.quantified.inverse import formals_of
from pitviper.engines.vcg.quantified.terms import evaluate_quantified, inverse_if, without_values
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules.quantifier import Check, Inside, opened
from pitviper.engines.vcg.state import State
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.print.printer import stmt_text
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute
from pitviper.terms.term import App, Term


def for_all_held(
    st: State, e: pe.ForPerm, entry: QuantifiedEntry, cx: Context, check: Check | None = None
) -> Term:
    """`forperm`, as far as the locations of one summand are concerned."""
    kind, parts = located(e.location, cx.services.symbols)
    with opened(st, e.variables, cx) as inside:
        index = ev.evaluate_all(inside.state, parts, cx)
        condition = tb.conjoin(
            tb.greater(entry.at(index), tb.NONE),
            tb.greater(total_in(st, st.held, kind, index, cx), tb.NONE),
        )
        inner = inside.state.on(st.held).under(condition)
        body = ev.evaluate(inner, e.body, cx)
        if check is not None:
            check(inner, body, ())
    patterns = _patterns(st, index, e, inside, cx)
    inside.conclude(patterns, str(e.span))
    general = inside.lifting.term(tb.implies(condition, body))
    return for_all(inside.lifting.variables, general, patterns, str(e.span))


def _patterns(
    st: State, index: tuple[Term, ...], e: pe.ForPerm, inside: Inside, cx: Context
) -> tuple[tuple[Term, ...], ...]:
    """Reads of the location, and whatever else looks at it."""
    kind, _ = located(e.location, cx.services.symbols)
    array = st.heap.array(kind)
    terms = [location_trigger(kind, index)] if index else []
    if index and isinstance(array, App) and not array.args:
        terms.append(kind.select(array, index))
    lifted = inside.lifting.terms(terms)
    wanted = set(inside.lifting.variables)
    return tuple([(t,) for t in lifted if wanted <= set(t.free)])


def exec_quasihavoc_all(st: State, s: ps.QuasihavocAll, cx: Context) -> State:
    """The values of all locations that are denoted, each by one tuple of values, and held."""
    cx = cx.proving("quasihavocall.failed", s.location)
    e = evaluate_quantified(st, denoted_by(s), cx)
    if e is None:
        return st
    injective = cx.obligation("quasihavocall.not.injective", s, stmt_text(s))
    inverse = inverse_if(st, e, injective, cx)
    kind, formals = e.kind, formals_of(e.kind.index)
    held = tb.greater(total_in(st, st.heap, kind, formals, cx), tb.NONE)
    meant = tb.conjoin(inverse.image, substitute(e.denoted.condition, inverse.back), held)
    new = cx.fresh(f"{kind.name}_values", kind.sort)
    here = kind.select(new, formals)
    old = kind.select(st.heap.array(kind), formals)
    kept: Term = tb.implies(tb.negate(meant), tb.equal(here, old))
    if formals:
        kept = tb.forall(formals, kept, ((here,),), f"quasihavoc.{kind.name}")
    cx.learn(st, kept, "quasihavoc")
    return st.on(without_values(st, kind, cx).valued(kind, new))
