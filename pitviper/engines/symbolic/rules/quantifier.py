"""Quantifiers: the body is evaluated once, for symbols that stand for any values.

NOTE(stand-ins). The solver would replace the variables of a quantifier that it is to prove by
constants of its own. Here they are replaced before: the symbols with which the body was evaluated
do for that, and whatever was learnt about them on the way holds without waiting for a trigger.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.encoding.quantify import Patterns, for_all, further_variables, looked_at
from pitviper.encoding.triggers.choice import inferred_triggers
from pitviper.encoding.triggers.limited import in_limited_form
from pitviper.encoding.triggers.sums import Pattern, exists_matching, is_matchable, obstacles
from pitviper.engines.shared.syntactic import is_universal, old_operand, within_old
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import field_resource
from pitviper.engines.symbolic.outcomes import returned
from pitviper.engines.symbolic.quantified.access import is_location_trigger, location_trigger
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.rules import forperm
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program.assertion import PredicateLocation, Wand
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var


def eval_quantifier(st: State, e: pe.Forall | pe.Exists, cx: Context) -> tuple[State, Term]:
    opened = open_quantifier(st, e, cx)
    return opened.state, opened.value


def open_quantifier(st: State, e: pe.Forall | pe.Exists, cx: Context) -> Opened:
    """The value is a quantifier; facts learnt about the body hold for all values as well."""
    symbols = [stand_in(v, cx) for v in e.variables]
    store = {**st.store, **{v.name: s for v, s in zip(e.variables, symbols, strict=True)}}
    inner_cx = cx.under(*symbols)
    before = st.path
    found = opened(st.storing(store), e.body, inner_cx)
    inner, body = found.state, found.value
    binding: dict[Term, Term] = {s: tb.variable(s.symbol.name, s.sort) for s in symbols}
    st, patterns = patterns_of(st, inner, e, cx, binding)
    name = str(e.span)
    path = generalised(st.path, inner.path.since(before), binding, patterns, name)
    variables = tuple([v for v in binding.values() if isinstance(v, Var)])
    general = substitute(body, binding)
    if isinstance(e, pe.Forall):
        seen = looked_at(patterns, variables, is_location_trigger)
        value = for_all(variables, tb.implies(seen, general), patterns, name, e.weight)
        here = substitute(seen, {v: s for s, v in binding.items()})
        goals = tuple([(goal_state.assume(here), goal) for goal_state, goal in found.goals])
        return Opened(st.on(path), value, goals)
    usable = tuple([p for p in patterns if not further_variables(p, variables)])
    value = exists_matching(variables, general, usable, name, e.weight)
    return Opened(st.on(path), value, ((st.on(path), value),))


def stand_in(variable: pe.Var, cx: Context) -> App:
    sort = cx.services.symbols.sort(variable.type)
    return cx.services.supply.constant(variable.name, sort)


def generalised(
    path: Path, learnt: list[Path], binding: dict[Term, Term], patterns: Patterns, name: str
) -> Path:
    """The facts learnt in the body, each for all values of the variables it mentions."""
    everything = tuple([v for v in binding.values() if isinstance(v, Var)])
    for entry in learnt:
        fact = substitute(entry.fact, binding)
        if fact is entry.fact:
            path = path.assume(fact, entry.kind, entry.provenance)
            continue
        if is_location_trigger(fact):
            continue  # only what the program looks at wakes up heap-dependent triggers
        variables = tuple([v for v in everything if v in fact.free])
        covering = tuple([p for p in patterns if not further_variables(p, variables)])
        if covering:
            general = for_all(variables, fact, covering, f"{name}#aux")
        else:
            general = for_all(everything, fact, patterns, f"{name}#aux")
        path = path.assume(general, _lasting(entry.kind), entry.provenance)
    return path


def _lasting(kind: FactKind) -> FactKind:
    return FactKind.PLAIN if kind is FactKind.BRANCH else kind


# ---------------------------------------------------------------- triggers


def patterns_of(
    st: State, inner: State, e: pe.Forall | pe.Exists, cx: Context, binding: dict[Term, Term]
) -> tuple[State, Patterns]:
    """The triggers as terms; one that does not mention all variables is dropped with a warning."""
    unchecked = cx.under(*binding).unjudged()
    result: dict[Pattern, None] = {}
    for trigger in e.triggers or inferred_triggers(e):
        for group in _groups(inner, trigger, unchecked):
            st, terms = _matchable(st, tuple([substitute(t, binding) for t in group]), cx)
            mentioned = {v for t in terms for v in t.free}
            if (
                all(v in mentioned for v in binding.values())
                and all(t.free for t in terms)
                and is_matchable(terms)
            ):
                result[terms] = None
            elif e.triggers:
                cx.warn(trigger, "trigger dropped: its terms do not mention all variables")
    return st, tuple(result)


def _matchable(st: State, pattern: Pattern, cx: Context) -> tuple[State, Pattern]:
    """The pattern without logic inside: what depends on no variable gets a name, other parts
    become variables, so that the trigger matches whatever stands in their place."""
    replacements: dict[Term, Term] = {}
    for term in pattern:
        for part in obstacles(term) if isinstance(term, App) else ():
            if part is term or part in replacements:
                continue
            if part.free:
                replacements[part] = cx.services.supply.variable("any", part.sort)
            else:
                st, replacements[part] = cx.named(st, "part", part)
    return st, tuple([substitute(t, replacements) for t in pattern])


def _groups(st: State, trigger: pe.Trigger, cx: Context) -> list[list[Term]]:
    """One multi-pattern, or two where a membership in a sequence has a twin in triggers."""
    groups: list[list[Term]] = [[]]
    for part in trigger.terms:
        alternatives = _trigger_terms(st, part, cx)
        groups = [[*group, term] for group in groups for term in alternatives]
    return groups


def _trigger_terms(st: State, part: pe.Expr | PredicateLocation | Wand, cx: Context) -> list[Term]:
    if isinstance(part, PredicateLocation | Wand):
        _, resource, args = evaluate_rules.locate(st, part, cx)
        return [location_trigger(resource, args, cx)]
    read = old_operand(part)
    if isinstance(read, pe.FieldRead):
        receiver = within_old(part, read.receiver)
        _, value = evaluate_rules.evaluate(st, receiver, cx)
        return [location_trigger(field_resource(read.field), (value,), cx)]
    _, term = evaluate_rules.evaluate(st, part, cx)
    if isinstance(part, pe.SeqContains):
        theory = cx.services.symbols.seq(cx.services.symbols.sort(part.element.type))
        if isinstance(term, App) and term.symbol is theory.contains:
            return [term, tb.apply(theory.marks, *term.args)]
    return [in_limited_form(_limited(term, part, cx), part, cx.services.symbols)]


def _limited(term: Term, part: pe.Expr, cx: Context) -> Term:
    """Functions occur more often in their limited form. Where the footprint itself depends on the
    variables, no application will have just that snapshot: any one with the arguments will do."""
    part = old_operand(part)
    if isinstance(part, pe.FunctionApp) and isinstance(term, App):
        symbols = cx.services.symbols.function(part.function)
        snap, *args = term.args if term.args else (term,)
        if args and _varies(snap, cx):
            return tb.apply(symbols.anywhere, *args)
        if isinstance(term.symbol, Function) and term.symbol is symbols.full:
            return tb.apply(symbols.limited, *term.args)
    return term


def _varies(snap: Term, cx: Context) -> bool:
    """Whether maps in a snapshot were made for the variables of the quantifier."""
    made = [
        t
        for t in subterms(snap)
        if isinstance(t, App) and isinstance(t.symbol, Function) and "@" in t.symbol.name
    ]
    return any(arg in cx.binders for t in made for arg in t.args)


# ---------------------------------------------------------------- universal goals


@record
class Opened:
    """An expression that was evaluated; to prove it, prove each goal in the state it comes with."""

    state: State
    value: Term
    goals: tuple[tuple[State, Term], ...]


def opened(st: State, e: pe.Expr, cx: Context) -> Opened:
    """Returns the value of an expression, and what to prove if it is claimed."""
    match e:
        case pe.Forall():
            return open_quantifier(st, e, cx)
        case pe.ForPerm():
            return forperm.open_forperm(st, e, cx)
        case pe.Implies(left, right) if is_universal(right):
            return _open_implication(st, left, right, cx)
        case _:
            st, value = evaluate_rules.evaluate(st, e, cx)
            return Opened(st, value, ((st, value),))


def _open_implication(st: State, left: pe.Expr, right: pe.Expr, cx: Context) -> Opened:
    st, condition = evaluate_rules.evaluate(st, left, cx)
    if condition is tb.FALSE:
        return Opened(st, tb.TRUE, ())
    inner = opened(st.on(st.path.branch(condition)), right, cx)
    return Opened(returned(st, inner.state), tb.implies(condition, inner.value), inner.goals)
