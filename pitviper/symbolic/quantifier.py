"""Quantifiers: the body is evaluated once, for symbols that stand for any values."""

from __future__ import annotations

from dataclasses import replace

from pitviper.encoding.patterns import Pattern, is_matchable, obstacles
from pitviper.encoding.trigger_sums import exists_matching, for_all_matching
from pitviper.encoding.triggers import inferred_triggers
from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation, PredicateLocation, Wand
from pitviper.solver.session import FactKind, Path
from pitviper.symbolic import evaluate as evaluate_rules
from pitviper.symbolic.chunk import (
    Chunk,
    QuantifiedChunk,
    field_resource,
    predicate_resource,
)
from pitviper.symbolic.context import Context
from pitviper.symbolic.outcomes import returned
from pitviper.symbolic.quantified_access import maps_of, value_at
from pitviper.symbolic.state import State
from pitviper.symbolic.unsupported import unsupported_value
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var

Patterns = tuple[Pattern, ...]


def eval_quantifier(st: State, e: pe.Forall | pe.Exists, cx: Context) -> tuple[State, Term]:
    """The value is a quantifier; facts learnt about the body hold for all values as well."""
    symbols = [_symbol(v, cx) for v in e.variables]
    store = {**st.store, **{v.name: s for v, s in zip(e.variables, symbols, strict=True)}}
    inner_cx = cx.under(*symbols)
    before = st.path
    inner, body = evaluate_rules.evaluate(st.storing(store), e.body, inner_cx)
    binding: dict[Term, Term] = {s: tb.variable(s.symbol.name, s.sort) for s in symbols}
    st, patterns = patterns_of(st, inner, e, cx, binding)
    name = str(e.span)
    path = generalised(st.path, inner.path.since(before), binding, patterns, name)
    variables = tuple([v for v in binding.values() if isinstance(v, Var)])
    general = substitute(body, binding)
    if isinstance(e, pe.Forall):
        return st.on(path), for_all(variables, general, patterns, name, e.weight)
    usable = tuple([p for p in patterns if not _further(p, variables)])
    return st.on(path), exists_matching(variables, general, usable, name, e.weight)


def _symbol(variable: pe.Var, cx: Context) -> App:
    sort = cx.services.symbols.sort(variable.type)
    return cx.services.supply.constant(variable.name, sort)


def for_all(
    variables: tuple[Var, ...],
    body: Term,
    patterns: Patterns,
    name: str,
    weight: int | None = None,
) -> Term:
    """The body for all values. Patterns with further variables count only where there are no
    others; each of them then gets a quantifier of its own, over its variables as well."""
    plain = tuple([p for p in patterns if not _further(p, variables)])
    if plain or not patterns:
        return for_all_matching(variables, body, plain, name, weight)
    return tb.conjoin(
        *[
            for_all_matching((*variables, *_further(p, variables)), body, (p,), name, weight)
            for p in patterns
        ]
    )


def _further(pattern: Pattern, variables: tuple[Var, ...]) -> tuple[Var, ...]:
    mentioned = dict.fromkeys([v for term in pattern for v in term.free])
    return tuple([v for v in mentioned if v not in variables])


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
        variables = tuple([v for v in everything if v in fact.free])
        covering = tuple([p for p in patterns if not _further(p, variables)])
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
    unchecked = replace(cx.under(*binding), checking=False, claiming=False)
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
    if isinstance(part, Wand):
        return []
    if isinstance(part, PredicateLocation):
        resource = predicate_resource(part.predicate)
        s1, args = evaluate_rules.evaluate_all(st, part.args, cx)
        return [value_at(s1, s1.heap.quantified(resource), resource, args, cx)[1]]
    _, term = evaluate_rules.evaluate(st, part, cx)
    if isinstance(part, pe.SeqContains):
        theory = cx.services.symbols.seq(cx.services.symbols.sort(part.element.type))
        if isinstance(term, App) and term.symbol is theory.contains:
            return [term, tb.apply(theory.marks, *term.args)]
    return [_limited(term, part, cx)]


def _limited(term: Term, part: pe.Expr, cx: Context) -> Term:
    """Functions occur more often in their limited form."""
    while isinstance(part, pe.Old):
        part = part.operand
    if isinstance(part, pe.FunctionApp) and isinstance(term, App):
        symbols = cx.services.symbols.function(part.function)
        if isinstance(term.symbol, Function) and term.symbol is symbols.full:
            return tb.apply(symbols.limited, *term.args)
    return term


def eval_forperm(st: State, e: pe.ForPerm, cx: Context) -> tuple[State, Term]:
    """The body must hold for every location that is held with a positive amount."""
    parts: tuple[pe.Expr, ...]
    match e.location:
        case FieldLocation(receiver, field):
            resource, parts = field_resource(field), (receiver,)
        case PredicateLocation(predicate, args):
            resource, parts = predicate_resource(predicate), args
        case Wand():
            return unsupported_value(st, e, "forperm over magic wands", cx)
    values = []
    for chunk in st.held.of(resource):
        st, value = _forperm_chunk(st, e, chunk, parts, cx)
        values.append(value)
    for wide in st.held.quantified(resource):
        st, value = _forperm_quantified(st, e, wide, parts, cx)
        values.append(value)
    return st, tb.conjoin(*values)


def _forperm_quantified(
    st: State, e: pe.ForPerm, chunk: QuantifiedChunk, parts: tuple[pe.Expr, ...], cx: Context
) -> tuple[State, Term]:
    """The body for all variables whose location the chunk holds."""
    symbols = [_symbol(v, cx) for v in e.variables]
    store = {**st.store, **{v.name: s for v, s in zip(e.variables, symbols, strict=True)}}
    inner_cx = cx.under(*symbols)
    inner, args = evaluate_rules.evaluate_all(st.storing(store), parts, inner_cx)
    condition = tb.greater(chunk.amount_at(args), tb.NONE)
    inside = inner.on(inner.path.branch(condition)).holding(st.held)
    inside, body = evaluate_rules.evaluate(inside, e.body, inner_cx)
    binding: dict[Term, Term] = {s: tb.variable(s.symbol.name, s.sort) for s in symbols}
    look = tb.apply(maps_of(chunk.resource, cx).look, chunk.map, *args)
    patterns: Patterns = ((substitute(look, binding),),)
    after = returned(inner, inside)
    path = generalised(st.path, after.path.since(st.path), binding, patterns, str(e.span))
    variables = tuple([v for v in binding.values() if isinstance(v, Var)])
    value = substitute(tb.implies(condition, body), binding)
    return st.on(path), for_all(variables, value, patterns, str(e.span))


def _forperm_chunk(
    st: State, e: pe.ForPerm, chunk: Chunk, parts: tuple[pe.Expr, ...], cx: Context
) -> tuple[State, Term]:
    """Variables are bound to the chunk's arguments; other arguments become conditions."""
    names = {v.name for v in e.variables}
    bound: dict[str, Term] = {}
    conditions = [tb.greater(chunk.amount, tb.NONE)]
    for part, arg in zip(parts, chunk.args, strict=True):
        if isinstance(part, pe.Var) and part.name in names:
            if part.name in bound:
                conditions.append(tb.equal(bound[part.name], arg))
            bound.setdefault(part.name, arg)
        else:
            st, value = evaluate_rules.evaluate(st, part, cx)
            conditions.append(tb.equal(value, arg))
    condition = tb.conjoin(*conditions)
    if condition is tb.FALSE:
        return st, tb.TRUE
    inside = st.on(st.path.branch(condition)).storing({**st.store, **bound}).holding(st.held)
    inner, value = evaluate_rules.evaluate(inside, e.body, cx)
    return returned(st, inner), tb.implies(condition, value)
