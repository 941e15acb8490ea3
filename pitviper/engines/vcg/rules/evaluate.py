"""Evaluation of expressions: a term, with checks of well-definedness on the way.

Evaluation never changes a state. What is learnt goes to the emitter, under the guard of the state.
"""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.encoding.operators import literal_term, operands, operator_term
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import Index, Kind, is_positive
from pitviper.engines.vcg.heap.total import covers, own_entry, read, total, total_in
from pitviper.engines.vcg.heap.triggers import mention, note_location
from pitviper.engines.vcg.kinds import field_kind, located
from pitviper.engines.vcg.rules import exhale as application
from pitviper.engines.vcg.rules import exhale as exhale_rules
from pitviper.engines.vcg.rules import forperm, predicate, quantifier
from pitviper.engines.vcg.state import PRE_STATE, State
from pitviper.engines.vcg.wands import apply
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, PERM
from pitviper.terms.term import Term


def evaluate(st: State, e: pe.Expr, cx: Context) -> Term:  # noqa: C901 - the table of contents
    """This match is the table of contents; a longer rule is a function of its own."""
    match e:
        case pe.Var(name):
            return st.store[name]
        case pe.Result():
            return st.store["result"]
        case pe.FieldRead(receiver, name):
            target = evaluate(st, receiver, cx)
            kind = field_kind(name, cx.services.symbols)
            note_location(kind, (target,), cx)
            return read(st, kind, (target,), e, cx)
        case pe.FunctionApp(args=args):
            return application.apply_function(st, e, evaluate_all(st, args, cx), cx)
        case pe.And(conjuncts):
            return _in_turn(st, conjuncts, cx, until=tb.FALSE)
        case pe.Or(disjuncts):
            return _in_turn(st, disjuncts, cx, until=tb.TRUE)
        case pe.Implies(left, right):
            value = condition(st, left, cx)
            if value is tb.FALSE:
                return tb.TRUE
            return tb.implies(value, evaluate(st.under(value), right, cx))
        case pe.Conditional():
            return eval_conditional(st, e, cx)
        case pe.Old(label, operand):
            return eval_old(st, e, label, operand, cx)
        case pe.Let(variable, bound, body):
            value = evaluate(st, bound, cx)
            mention(value, cx)  # often that is all it is there for
            return evaluate(st.binding(variable.name, value), body, cx)
        case pe.Unfolding():
            return eval_unfolding(st, e, cx)
        case pe.Asserting(assertion, body):
            inner = replace(cx.for_expression(), scaled_freely=False)  # see eval_unfolding
            exhale_rules.exhale_copy(st, (assertion,), inner)
            return evaluate(st, body, cx)
        case pe.Applying():
            return apply.eval_applying(st, e, cx)
        case pe.Forall() | pe.Exists():
            return quantifier.eval_quantifier(st, e, cx)
        case pe.ForPerm() if not cx.introspective:
            return cx.fresh("forperm", BOOL)
        case pe.ForPerm():
            return forperm.eval_forperm(st, e, cx)
        case pe.CurrentPerm(location):
            kind, index = locate(st, location, cx)
            if not cx.introspective:
                return cx.fresh("perm", PERM)
            note_location(kind, index, cx)
            return eval_perm(st, kind, index, cx)
        case pe.InhaleExhaleExpr(inhaled, exhaled):
            return evaluate(st, exhaled if cx.exhaling else inhaled, cx)
        case pe.PermLit():
            return eval_permission(st, e, cx)
        case pe.Construct() | pe.Destruct() | pe.Discriminate() | pe.PredicateInstance():
            raise ValueError(f"{type(e).__name__} is removed by its plugin")
        case _:
            return eval_strict(st, e, cx)


def evaluate_all(st: State, es: tuple[pe.Expr, ...], cx: Context) -> tuple[Term, ...]:
    """From left to right."""
    return tuple([evaluate(st, e, cx) for e in es])


def condition(st: State, e: pe.Expr, cx: Context) -> Term:
    """The value of a condition, decided where that needs no question."""
    return st.decided(evaluate(st, e, cx))


def locate(st: State, location: pa.Location, cx: Context) -> tuple[Kind, Index]:
    """The kind and the evaluated index of a location."""
    kind, parts = located(location, cx.services.symbols)
    return kind, evaluate_all(st, parts, cx)


# ---------------------------------------------------------------- strict operators


def eval_strict(st: State, e: pe.Expr, cx: Context) -> Term:
    """Literals, and operators that evaluate all their operands and then check them."""
    literal = literal_term(e)
    if literal is not None:
        return literal
    parts = operands(e)
    if parts is None:
        raise ValueError(f"no rule evaluates {type(e).__name__}")
    values = evaluate_all(st, parts, cx)
    if cx.checking:
        check_operands(st, e, values, cx)
    return operator_term(e, values, cx.services.symbols)


def check_operands(st: State, e: pe.Expr, values: tuple[Term, ...], cx: Context) -> None:
    """Divisors are not zero, indices are inside, keys are there."""
    symbols = cx.services.symbols
    match e:
        case pe.IntArith(pe.IntOp.DIV | pe.IntOp.MOD, _, divisor):
            cx.check(st, tb.differ(values[1], tb.integer(0)), "division.by.zero", divisor, divisor)
        case pe.PermArith(pe.PermOp.DIV | pe.PermOp.INT_DIV | pe.PermOp.FRACTION, _, divisor):
            zero = tb.integer(0) if values[1].sort is tb.integer(0).sort else tb.NONE
            cx.check(st, tb.differ(values[1], zero), "division.by.zero", divisor, divisor)
        case pe.SeqIndex(sequence, index) | pe.SeqUpdate(sequence, index):
            length = operator_term(pe.Cardinality(sequence), (values[0],), symbols)
            low = tb.at_least(values[1], tb.integer(0))
            cx.check(st, low, "seq.index.negative", index, index, sequence)
            inside = tb.less(values[1], length)
            cx.check(st, inside, "seq.index.length", index, index, sequence)
        case pe.MapLookup(map_, key):
            known = operator_term(pe.MapContains(key, map_), (values[1], values[0]), symbols)
            cx.check(st, known, "map.key.contains", key, key, map_)
        case _:
            pass


# ---------------------------------------------------------------- amounts


def eval_permission(st: State, e: pe.PermLit, cx: Context) -> Term:
    """A wildcard that stands in a compound amount, which only functions may have."""
    match e.value:
        case pe.PermConstant.WRITE:
            return tb.WRITE
        case pe.PermConstant.NONE:
            return tb.NONE
        case pe.PermConstant.WILDCARD:
            if cx.reading:
                return tb.WRITE
            return cx.some_amount(st, "wildcard")[1]
        case pe.PermConstant.EPSILON:
            return cx.unsupported_value(st, e, tb.WRITE.sort, "epsilon")


def eval_perm(st: State, kind: Kind, index: Index, cx: Context) -> Term:
    """What is held right now: never less than nothing, and of a field no more than all."""
    held = total(st, kind, index, cx)
    bounds = [tb.at_least(held, tb.NONE)]
    if kind.is_field and not cx.in_function:
        bounds.append(tb.at_most(held, tb.WRITE))
    cx.lazily(st, lambda: bounds)
    return held


def amount_of(st: State, e: pe.Expr, cx: Context) -> tuple[State, Term, bool]:
    """A permission amount, scaled, and whether it is a wildcard: some positive amount."""
    if isinstance(e, pe.PermLit) and e.value is pe.PermConstant.WILDCARD and not cx.reading:
        return *cx.some_amount(st, "wildcard"), True
    amount = evaluate(st, e, cx)
    free = cx.scaled_freely and is_positive(amount, st.known)
    return st, tb.times(cx.scale, amount), free


def check_amount(st: State, amount: Term, a: pa.Access, cx: Context) -> State:
    """No amount is negative; the state knows it then."""
    goal = tb.at_least(amount, tb.NONE)
    if is_positive(amount, st.known):
        return st
    cx.check(st, goal, "negative.permission", a.amount, a.amount)
    return st.knowing(goal)


# ---------------------------------------------------------------- short-circuit operators


def _in_turn(st: State, parts: tuple[pe.Expr, ...], cx: Context, until: Term) -> Term:
    """Each part is evaluated where the ones before it leave the value open."""
    values: list[Term] = []
    inner = st
    for part in parts:
        value = evaluate(inner, part, cx)
        values.append(value)
        if value is until:
            break
        inner = inner.under(value if until is tb.FALSE else tb.negate(value))
    return tb.conjoin(*values) if until is tb.FALSE else tb.disjoin(*values)


def eval_conditional(st: State, e: pe.Conditional, cx: Context) -> Term:
    value = condition(st, e.condition, cx)
    if value is tb.TRUE:
        return evaluate(st, e.then, cx)
    if value is tb.FALSE:
        return evaluate(st, e.otherwise, cx)
    then = evaluate(st.under(value), e.then, cx)
    other = evaluate(st.under(tb.negate(value)), e.otherwise, cx)
    return tb.ite(value, then, other)


# ---------------------------------------------------------------- old heaps


def eval_old(st: State, e: pe.Expr, label: str | None, operand: pe.Expr, cx: Context) -> Term:
    """Only the heap is old: variables keep their values. What loops have set aside since then says
    nothing about it."""
    name = PRE_STATE if label is None else label
    record = st.labels.get(name)
    if record is None:
        cx.check(st, tb.FALSE, "labelled.state.not.reached", e, e, label or "old")
        return cx.fresh("unreached", cx.services.symbols.sort(e.type))
    cx.check(st, record.passed, "labelled.state.not.reached", e, e, label or "old")
    judged = cx.unless_lenient() if label == "lhs" else cx
    return evaluate(st.on(record.heap).framed(()), operand, judged)


MAX_DEPTH = 2
"""Instances of one predicate inside each other whose bodies are looked into for an expression."""


def eval_unfolding(st: State, e: pe.Unfolding, cx: Context) -> Term:
    """Nothing is forgotten, and what is learnt about values is kept: they are those of the folded
    instance. A predicate whose own body unfolds it would never be done: at some depth inside
    bodies the value is unknown.

    NOTE(free-scale). A free scale may be chosen below what the heap before a fold has, but not
    below amounts that depend on it, as those of an instance that is looked into do."""
    name = e.predicate.predicate
    cx = replace(cx, scaled_freely=False)
    if cx.visiting.count(name) >= MAX_DEPTH:
        return cx.fresh("cut", cx.services.symbols.sort(e.type))
    st, instance = predicate.target(st, e.predicate, e.amount, cx)
    visiting = replace(cx.for_expression(), visiting=(*cx.visiting, name))
    if not cx.checking and not _is_there(st, instance, cx):
        return cx.fresh("cut", cx.services.symbols.sort(e.type))
    if cx.reads_a_state:
        instance = _as_it_is_held(st, instance, visiting)
        visiting = replace(visiting, reading=False)
    if cx.checking:
        predicate.check_part(st, instance, cx)
    inner = predicate.unfold_instance(st.on(st.heap), instance, visiting)
    return evaluate(inner.storing(st.store), e.body, cx)


def _as_it_is_held(st: State, instance: predicate.Target, cx: Context) -> predicate.Target:
    """The instance with the amount that is held of it, which must be positive.

    NOTE(looking in). Amounts in preconditions of functions count only as positive or none. But
    where a function is applied, what comes out of an instance stands beside what is held there: of
    half an instance comes the half of its body. All of it would be more than there can be."""
    own = own_entry(st, st.heap, instance.kind, instance.index, cx)
    if own is not None and is_positive(own[1].amount, st.known):
        return replace(instance, amount=own[1].amount, wildcard=False)
    held = total_in(st, st.heap, instance.kind, instance.index, cx)
    goal = tb.greater(held, tb.NONE)
    cx.claim(st, goal, "insufficient.permission", instance.node, instance.node)
    return replace(instance, amount=held, wildcard=False)


def _is_there(st: State, instance: predicate.Target, cx: Context) -> bool:
    """Whether an instance is surely held with the amount that is looked into: where nobody checks
    that, nothing is learnt from looking."""
    own = own_entry(st, st.heap, instance.kind, instance.index, cx)
    some = instance.wildcard or cx.reading
    if own is not None and (
        is_positive(own[1].amount, st.known) if some else covers(own[1], instance.amount)
    ):
        return True
    held = total_in(st, st.heap, instance.kind, instance.index, cx)
    goal = tb.greater(held, tb.NONE) if some else tb.at_least(held, instance.amount)
    return cx.proves(st, goal)
