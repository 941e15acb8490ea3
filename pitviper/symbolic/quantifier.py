"""Quantifiers: the body is evaluated once, for symbols that stand for any values."""

from __future__ import annotations

from dataclasses import replace

from pitviper.encoding.triggers import inferred_triggers
from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation, PredicateLocation, Wand
from pitviper.solver.session import FactKind, Path
from pitviper.symbolic import evaluate as evaluate_rules
from pitviper.symbolic.chunk import Chunk, field_resource, predicate_resource
from pitviper.symbolic.context import Context
from pitviper.symbolic.outcomes import returned
from pitviper.symbolic.state import State
from pitviper.symbolic.unsupported import unsupported_value
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var

Patterns = tuple[tuple[Term, ...], ...]


def eval_quantifier(st: State, e: pe.Forall | pe.Exists, cx: Context) -> tuple[State, Term]:
    """The value is a quantifier; facts learnt about the body hold for all values as well."""
    symbols = [_symbol(v, cx) for v in e.variables]
    store = {**st.store, **{v.name: s for v, s in zip(e.variables, symbols, strict=True)}}
    inner_cx = cx.under(*symbols)
    inner, body = evaluate_rules.evaluate(st.storing(store), e.body, inner_cx)
    variables = tuple([_variable(s) for s in symbols])
    binding: dict[Term, Term] = dict(zip(symbols, variables, strict=True))
    patterns = _patterns(inner, e, inner_cx, binding)
    path = _generalised(st.path, inner.path, binding, patterns, str(e.span))
    build = tb.forall if isinstance(e, pe.Forall) else tb.exists
    value = build(variables, substitute(body, binding), patterns, str(e.span), e.weight)
    return st.on(path), value


def _symbol(variable: pe.Var, cx: Context) -> App:
    sort = cx.services.symbols.sort(variable.type)
    return cx.services.supply.constant(variable.name, sort)


def _variable(symbol: App) -> Var:
    return tb.variable(symbol.symbol.name, symbol.sort)


def _generalised(
    base: Path, inner: Path, binding: dict[Term, Term], patterns: Patterns, name: str
) -> Path:
    """The facts learnt in the body, each for all values of the variables it mentions."""
    path = base
    for entry in inner.since(base):
        fact = substitute(entry.fact, binding)
        if fact is entry.fact:
            path = path.assume(fact, entry.kind, entry.provenance)
            continue
        variables = [v for v in binding.values() if isinstance(v, Var) and v in fact.free]
        usable = tuple([p for p in patterns if {v for t in p for v in t.free} <= set(variables)])
        covering = tuple([p for p in usable if set(variables) <= {v for t in p for v in t.free}])
        general = tb.forall(tuple(variables), fact, covering or patterns, f"{name}#aux")
        path = path.assume(general, _lasting(entry.kind), entry.provenance)
    return path


def _lasting(kind: FactKind) -> FactKind:
    return FactKind.PLAIN if kind is FactKind.BRANCH else kind


def _patterns(
    st: State, e: pe.Forall | pe.Exists, cx: Context, binding: dict[Term, Term]
) -> Patterns:
    """The triggers as terms; one that does not mention all variables is dropped with a warning."""
    unchecked = replace(cx, checking=False)
    result: list[tuple[Term, ...]] = []
    for trigger in e.triggers or inferred_triggers(e):
        for group in _groups(st, trigger, unchecked):
            terms = tuple([substitute(t, binding) for t in group])
            mentioned = {v for t in terms for v in t.free}
            if all(v in mentioned for v in binding.values()) and all(t.free for t in terms):
                result.append(terms)
            elif e.triggers:
                cx.warn(trigger, "trigger dropped: its terms do not mention all variables")
    return tuple(dict.fromkeys(result))


def _groups(st: State, trigger: pe.Trigger, cx: Context) -> list[list[Term]]:
    """One multi-pattern, or two where a membership in a sequence has a twin in triggers."""
    groups: list[list[Term]] = [[]]
    for part in trigger.terms:
        alternatives = _trigger_terms(st, part, cx)
        groups = [[*group, term] for group in groups for term in alternatives]
    return groups


def _trigger_terms(st: State, part: pe.Expr | PredicateLocation | Wand, cx: Context) -> list[Term]:
    if isinstance(part, PredicateLocation | Wand):
        return []
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
    return st, tb.conjoin(*values)


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
    inside = st.on(st.path.branch(condition)).storing({**st.store, **bound})
    inner, value = evaluate_rules.evaluate(inside, e.body, cx)
    return returned(st, inner), tb.implies(condition, value)
