"""Triggers as terms: those of the user, or chosen ones, made so that the solver can match them."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.encoding.quantify import Patterns
from pitviper.encoding.triggers.choice import inferred_triggers
from pitviper.encoding.triggers.limited import in_limited_form
from pitviper.encoding.triggers.sums import Pattern, is_matchable, obstacles
from pitviper.engines.shared.syntactic import old_operand, within_old
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.triggers import location_trigger
from pitviper.engines.vcg.kinds import field_kind, located
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules.generalise import Lifting
from pitviper.engines.vcg.state import State
from pitviper.program import expr as pe
from pitviper.program.assertion import PredicateLocation, Wand
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.term import App, Term


def patterns_of(st: State, e: pe.Forall | pe.Exists, lifting: Lifting, cx: Context) -> Patterns:
    """In a state where the variables are constants. A trigger that does not mention all variables
    is dropped with a warning."""
    unchecked = replace(cx, checking=False, claiming=False)
    result: dict[Pattern, None] = {}
    with cx.services.emitter.trial():
        for trigger in e.triggers or inferred_triggers(e):
            for group in _groups(st, trigger, lifting, unchecked):
                terms = tuple([_matchable(t, cx) for t in lifting.terms(group)])
                if _covers(terms, lifting) and is_matchable(terms):
                    result[terms] = None
                elif e.triggers:
                    cx.warn(trigger, "trigger dropped: its terms do not mention all variables")
    return tuple(result)


def _covers(terms: Pattern, lifting: Lifting) -> bool:
    mentioned = {v for t in terms for v in t.free}
    return all(v in mentioned for v in lifting.variables) and all(t.free for t in terms)


def _matchable(term: Term, cx: Context) -> Term:
    """Without logic inside: such parts become variables, so that the trigger matches whatever
    stands in their place."""
    if not isinstance(term, App):
        return term
    replacements: dict[Term, Term] = {
        part: cx.services.supply.variable("any", part.sort)
        for part in obstacles(term)
        if part is not term
    }
    return substitute(term, replacements)


def _groups(st: State, trigger: pe.Trigger, lifting: Lifting, cx: Context) -> list[list[Term]]:
    """One multi-pattern, or two where a membership in a sequence has a twin in triggers."""
    groups: list[list[Term]] = [[]]
    for part in trigger.terms:
        alternatives = _trigger_terms(st, part, lifting, cx)
        groups = [[*group, term] for group in groups for term in alternatives]
    return groups


def _trigger_terms(
    st: State, part: pe.Expr | PredicateLocation | Wand, lifting: Lifting, cx: Context
) -> list[Term]:
    if isinstance(part, PredicateLocation | Wand):
        kind, parts = located(part, cx.services.symbols)
        return [location_trigger(kind, tuple([ev.evaluate(st, p, cx) for p in parts]))]
    read = old_operand(part)
    if isinstance(read, pe.FieldRead):
        receiver = ev.evaluate(st, within_old(part, read.receiver), cx)
        return [location_trigger(field_kind(read.field, cx.services.symbols), (receiver,))]
    term = ev.evaluate(st, part, cx)
    if isinstance(part, pe.SeqContains):
        theory = cx.services.symbols.seq(cx.services.symbols.sort(part.element.type))
        if isinstance(term, App) and term.symbol is theory.contains:
            return [term, tb.apply(theory.marks, *term.args)]
    if isinstance(read, pe.FunctionApp):
        term = _limited(term, read, lifting, cx)
    return [in_limited_form(term, part, cx.services.symbols)]


def _limited(term: Term, part: pe.FunctionApp, lifting: Lifting, cx: Context) -> Term:
    """Functions occur more often in their limited form. Where the footprint depends on the
    variables, or is no term to match, any application to the same arguments will do."""
    symbols = cx.services.symbols.function(part.function)
    if not isinstance(term, App) or term.symbol not in (symbols.full, symbols.limited):
        return term
    snap, *args = term.args
    if args and (obstacles(snap) or not set(lifting.constants).isdisjoint(subterms(snap))):
        return tb.apply(symbols.anywhere, *args)
    return tb.apply(symbols.limited, *term.args)
