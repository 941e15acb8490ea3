"""Quantified permissions in terms: condition, index and amount, for constants as values."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.encoding.triggers.choice import triggers_of_permission
from pitviper.encoding.triggers.sums import obstacles, term_triggers
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import Kind, is_positive
from pitviper.engines.vcg.heap.total import link_values as link_values
from pitviper.engines.vcg.heap.total import unvalued as unvalued
from pitviper.engines.vcg.heap.total import without_values as without_values
from pitviper.engines.vcg.heap.triggers import note_location
from pitviper.engines.vcg.ivl.language import Assert, Obligation
from pitviper.engines.vcg.quantified.inverse import Denoted, Inverse, injectivity, inverse_of
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules.quantifier import Inside, opened
from pitviper.engines.vcg.rules.triggers import patterns_of
from pitviper.engines.vcg.state import State
from pitviper.engines.vcg.wands import apply as sides
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.terms import build as tb
from pitviper.terms.sort import PERM
from pitviper.terms.substitute import substitute
from pitviper.terms.term import App, Term

_TRUE = pe.BoolLit(value=True)


@record
class Evaluated:
    """A quantified permission in terms; `learnt` is what its evaluation showed about one value."""

    kind: Kind
    denoted: Denoted
    wildcard: bool
    learnt: Term
    node: pa.QuantifiedPermission

    @property
    def location(self) -> pa.Location:
        return location_of(self.node)


def location_of(a: pa.QuantifiedPermission) -> pa.Location:
    return a.resource.location if isinstance(a.resource, pa.Access) else a.resource


def evaluate_quantified(st: State, a: pa.QuantifiedPermission, cx: Context) -> Evaluated | None:
    """Condition, then amount and index where it holds, with their checks. None: it never holds.

    Nothing is granted of what failed there: a permission without a meaning fails on its own."""
    with opened(st, a.variables, cx) as inside:
        condition = ev.condition(inside.state, a.condition, cx)
        inner = inside.state.under(condition)
        if isinstance(a.resource, pa.Wand):
            kind, index = sides.locate_wand(inner, a.resource, cx)
        else:
            kind, index = ev.locate(inner, a.resource.location, cx)
        note_location(kind, index, cx)
        amount, wildcard = _amount(inner, a, inside, cx)
        if cx.scaled_freely and not wildcard:  # it is chosen as small as need be where it matters
            condition = tb.conjoin(condition, tb.greater(amount, tb.NONE))
            amount, wildcard = _some(inside, cx), True
        shape = pe.Forall(a.variables, a.triggers or triggers_of_permission(a), _TRUE, span=a.span)
        patterns = patterns_of(inner, shape, inside.lifting, cx)
    if condition is tb.FALSE:
        return None
    if not patterns:
        patterns = term_triggers(inside.lifting.variables, inside.lifting.terms(index))
    if not patterns:  # the index is a variable: what decides about its amount has terms
        deciding = inside.lifting.terms((condition, amount))
        patterns = term_triggers(inside.lifting.variables, deciding)
    inside.conclude(patterns, str(a.span), granting=False)
    learnt = tb.conjoin(*[each.closed for each in inside.learnt()])
    condition, amount, learnt, *args = _over_constants(inside, (condition, amount, learnt, *index))
    constants, variables = inside.lifting.constants, inside.lifting.variables
    some = wildcard or is_positive(amount, st.known)
    denoted = Denoted(constants, variables, condition, tuple(args), amount, patterns, some)
    return Evaluated(kind, denoted, wildcard, learnt, a)


def _over_constants(inside: Inside, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Symbols made for one value of the variables as functions of them, at the constants."""
    lifting = inside.lifting
    back: dict[Term, Term] = dict(zip(lifting.variables, lifting.constants, strict=True))
    return tuple([substitute(t, back) for t in lifting.terms(terms)])


def _amount(
    st: State, a: pa.QuantifiedPermission, inside: Inside, cx: Context
) -> tuple[Term, bool]:
    """Wands are held once. A wildcard is a positive amount of its own for each value."""
    if not isinstance(a.resource, pa.Access):
        return cx.scale, False
    if is_wildcard(a.resource.amount, cx):
        return _some(inside, cx), True
    st, amount, free = ev.amount_of(st, a.resource.amount, cx)
    if free:
        return _some(inside, cx), True
    ev.check_amount(st, amount, a.resource, cx)
    return amount, False


def is_wildcard(amount: pe.Expr, cx: Context) -> bool:
    literal = isinstance(amount, pe.PermLit) and amount.value is pe.PermConstant.WILDCARD
    return literal and not cx.reading


def _some(inside: Inside, cx: Context) -> Term:
    """A positive amount for each value of the variables, made in a way that needs no lifting."""
    st, outer = inside.outer
    constants = inside.lifting.constants
    symbol = cx.services.supply.function("wildcard", tuple([c.sort for c in constants]), PERM)
    amount = tb.apply(symbol, *constants)
    cx.learn(st, tb.greater(amount, tb.NONE))
    del outer
    return amount


# ---------------------------------------------------------------- inverses


def checked_inverse(st: State, e: Evaluated, cx: Context) -> Inverse:
    """The inverse functions of a quantified permission, checked where claims are."""
    resource = e.node.resource
    injective = cx.obligation("qp.not.injective", resource, resource) if cx.claiming else None
    return inverse_if(st, e, injective, cx)


def inverse_if(st: State, e: Evaluated, injective: Obligation | None, cx: Context) -> Inverse:
    """Different values must denote different indices, where that is an obligation; so there are
    inverse functions."""
    inverses = cx.services.symbols.inverses
    goal, others = injectivity(e.denoted, e.learnt, inverses, cx.services.supply)
    if injective is not None and goal is not tb.TRUE:
        constants = tuple([c for c in (*e.denoted.xs, *others) if isinstance(c, App)])
        cx.services.emitter.emit(Assert(goal, injective, st.guard, constants, tb.TRUE))
    families = cx.services.families
    inverse = inverse_of(e.denoted, e.kind, families, inverses, lambda t: matchable(t, cx))
    for fact in inverse.facts:
        cx.learn(st, fact, "inverse")
    return inverse


def matchable(term: Term, cx: Context) -> Term:
    """A name for a term that no trigger may mention; the same one on every use."""
    if not obstacles(term):
        return term
    known = cx.services.memo.get(("part", term))
    if not isinstance(known, App):
        known = cx.services.memo["part", term] = cx.services.supply.constant("part", term.sort)
    cx.services.emitter.assume(tb.equal(known, term))  # the first use may have been on a side
    return known
