"""Statements without control flow: from a state to the state behind them."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.encoding.freshness import ABSENT
from pitviper.encoding.inhale_exhale import exhaled_side
from pitviper.encoding.operators import NULL
from pitviper.engines.shared.syntactic import origin_of
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.add import add_entry, some_of
from pitviper.engines.vcg.heap.entry import AnyEntry, Entry, Index, Sign
from pitviper.engines.vcg.heap.total import NEW, require_all, same_index, total, write
from pitviper.engines.vcg.heap.triggers import mention, note_location
from pitviper.engines.vcg.kinds import field_kind
from pitviper.engines.vcg.quantified import statements
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import predicate
from pitviper.engines.vcg.rules.exhale import exhale_all, exhale_copy, exhale_looking_back
from pitviper.engines.vcg.rules.inhale import empty_heap, inhale_all
from pitviper.engines.vcg.state import PRE_STATE, LabelRecord, State
from pitviper.engines.vcg.wands import apply, package
from pitviper.program import stmt as ps
from pitviper.program.expr import DomainApp, FieldRead, FunctionApp, Var
from pitviper.program.walk import descendants
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT
from pitviper.terms.sort import INT, REF
from pitviper.terms.symbol import function
from pitviper.terms.term import App, Literal, Term


def execute(st: State, s: ps.Stmt, cx: Context) -> State:  # noqa: C901 - a table
    """This match is the table of contents."""
    cx = _with_origin(s, cx)
    match s:
        case ps.Declare(variable):
            return st.binding(variable.name, havoc(variable, cx))
        case ps.LocalAssign():
            return exec_assign(st, s, cx)
        case ps.FieldAssign():
            return exec_field_assign(st, s, cx)
        case ps.New():
            return exec_new(st, s, cx)
        case ps.MethodCall():
            return exec_call(st, s, cx)
        case ps.Inhale(assertion):
            return inhale_all(st, (assertion,), None, cx.proving("inhale.failed", assertion))
        case ps.Exhale(assertion):
            return exhale_all(st, (assertion,), cx.proving("exhale.failed", assertion))
        case ps.Assert(assertion):
            return exhale_copy(st, (assertion,), cx.proving("assert.failed", assertion))
        case ps.Cut():
            return exec_cut(st, s, cx)
        case ps.Fold():
            return predicate.fold(st, s, cx)
        case ps.Unfold():
            return predicate.unfold(st, s, cx)
        case ps.Label(name):
            return st.labelled(name, st.heap)
        case ps.Quasihavoc():
            return exec_quasihavoc(st, s, cx)
        case ps.QuasihavocAll():
            return statements.exec_quasihavoc_all(st, s, cx)
        case ps.Apply():
            return apply.exec_apply(st, s, cx)
        case ps.Package():
            return package.exec_package(st, s, cx)
        case _:
            raise ValueError(f"{type(s).__name__} is control flow, or removed by its plugin")


def _with_origin(s: ps.Stmt, cx: Context) -> Context:
    """Statements that a plugin generated say so in their findings."""
    origin = origin_of(s)
    return cx if origin is None else replace(cx, construct=replace(cx.construct, origin=origin))


def havoc(variable: Var, cx: Context) -> Term:
    return cx.fresh(variable.name, cx.services.symbols.sort(variable.type))


def exec_assign(st: State, s: ps.LocalAssign, cx: Context) -> State:
    """The variable stands for the value. Often an application is there just to be mentioned."""
    value = ev.evaluate(st, s.value, cx.proving("assignment.failed", s))
    if any(isinstance(node, FunctionApp | DomainApp) for node in descendants(s.value)):
        mention(value, cx)
    return st.binding(s.target.name, value)


def exec_field_assign(st: State, s: ps.FieldAssign, cx: Context) -> State:
    """e1.f := e2 needs full permission."""
    cx = cx.proving("assignment.failed", s)
    receiver = ev.evaluate(st, s.receiver, cx)
    value = ev.evaluate(st, s.value, cx)
    kind = field_kind(s.field, cx.services.symbols)
    location = FieldRead(s.receiver, s.field, s.value.type, span=s.span)
    note_location(kind, (receiver,), cx)
    require_all(st, kind, (receiver,), location, cx)
    return write(st, kind, (receiver,), value, cx)


def exec_call(st: State, s: ps.MethodCall, cx: Context) -> State:
    """Whether the contract makes sense is judged where the method is verified."""
    method = cx.services.program.methods[s.method]
    args = ev.evaluate_all(st, s.args, cx.proving("call.failed", s))
    formals = {p.name: value for p, value in zip(method.params, args, strict=True)}
    before = cx.proving("call.precondition", s, s.method)
    before = before.trusting_contract(*method.preconditions)
    inside, old = exhale_looking_back(st.storing(formals), method.preconditions, before)
    symbols = cx.services.symbols
    results = {r.name: cx.fresh(r.name, symbols.sort(r.type)) for r in method.returns}
    inside = inside.storing({**formals, **results}).with_labels({PRE_STATE: LabelRecord(old)})
    after = cx.proving("call.failed", s)
    after = after.trusting_contract(*method.preconditions, *method.postconditions)
    inside = inhale_all(inside, method.postconditions, None, after)
    targets = {t.name: v for t, v in zip(s.targets, results.values(), strict=True)}
    return inside.storing({**st.store, **targets}).with_labels(st.labels)


def exec_cut(st: State, s: ps.Cut, cx: Context) -> State:
    """The assertion holds; then all values are fresh ones, and only the assertion is known.

    The precondition makes the pre-state, for `old` and for what it says about the parameters.
    """
    cx = cx.proving("cut.failed", s.assertion)
    st = exhale_all(st, (s.assertion,), cx)
    method = cx.services.program.methods[cx.services.member]
    store = {name: cx.fresh(name, value.sort) for name, value in st.store.items()}
    none = empty_heap(cx)
    fresh = State(
        store,
        none,
        guard=st.guard,
        known=st.known,
        decisions=st.decisions,
        frames=(none,) * len(st.frames),
    )
    fresh = inhale_all(
        fresh, method.preconditions, None, cx.trusting_contract(*method.preconditions)
    )
    fresh = fresh.labelled(PRE_STATE, fresh.heap).on(empty_heap(cx))
    proved = exhaled_side(s.assertion)  # of a pair; amounts of what is given up are others now
    return inhale_all(fresh, (proved,), None, replace(cx, introspective=False))


def exec_quasihavoc(st: State, s: ps.Quasihavoc, cx: Context) -> State:
    """Where the location is not held there is no effect."""
    cx = cx.proving("quasihavoc.failed", s.location)
    condition: Term = tb.TRUE
    if s.condition is not None:
        condition = ev.condition(st, s.condition, cx)
    if condition is tb.FALSE:
        return st
    kind, index = ev.locate(st.under(condition), s.location, cx)
    held = tb.greater(total(st, kind, index, cx), tb.NONE)
    meant = tb.conjoin(condition, held)
    value = cx.fresh(kind.name, kind.value)
    array = st.heap.array(kind)
    heap = st.heap.stored(kind, index, tb.ite(meant, value, kind.select(array, index)))
    entries = [_renewed(e, index, meant, value, cx) for e in heap.entries(kind)]
    return st.on(heap.holding(kind, tuple(entries)))


def _renewed(entry: AnyEntry, index: Index, meant: Term, value: Term, cx: Context) -> AnyEntry:
    if not isinstance(entry, Entry):
        return replace(entry, values=None)
    if entry.value is None:
        return entry
    here = tb.conjoin(meant, same_index(entry.index, index, cx))
    return replace(entry, value=tb.ite(here, value, entry.value))


AGE = function("%age", (REF,), INT)


def exec_new(st: State, s: ps.New, cx: Context) -> State:
    """The fields of a new object are held in full."""
    target = cx.services.supply.constant(f"{NEW}{s.target.name}", REF)
    st = cx.assume(st, tb.differ(target, NULL))
    st = _apart(st, target, cx)
    for name in s.fields:
        kind = field_kind(name, cx.services.symbols)
        value = cx.fresh(name, kind.value)
        st = st.on(st.heap.stored(kind, (target,), value))
        st = add_entry(st, kind, Entry((target,), tb.WRITE, Sign.PLUS, value), cx)
    return st.binding(s.target.name, target)


def _apart(st: State, target: App, cx: Context) -> State:
    numbers = cx.services.numbers
    number = numbers["new"] = numbers.get("new", 0) + 1
    numbers[target.symbol.name] = number
    ages = dict(st.ages)
    cx.learn(st, tb.equal(tb.apply(AGE, target), tb.integer(number)))
    for term, held in _present(st).items():
        if term.sort is SNAP:  # a condition inside: nothing is asked about a snapshot of nothing
            cx.learn(st, tb.apply(ABSENT, target, tb.ite(held, term, UNIT)))
        elif term.sort is not REF:
            cx.learn(st, tb.implies(held, _absent(target, term, cx)))
        elif term not in ages and term is not NULL:
            older = tb.less(tb.apply(AGE, term), tb.integer(number))
            cx.learn(st, tb.implies(held, older))
            if held is tb.TRUE:
                ages[term] = _own_number(term, cx) or number
    ages[target] = number
    return replace(st, ages=ages)


def _own_number(term: Term, cx: Context) -> int | None:
    """The number of a new object, which flow may have met on some of its ways only."""
    if isinstance(term, App) and not term.args:
        return cx.services.numbers.get(term.symbol.name)
    return None


def _present(st: State) -> dict[Term, Term]:
    """What can be seen, and where: variables, and the indices and values of entries of which
    something is held. The value of a location that is not held is whatever it will be."""
    seen: dict[Term, Term] = dict.fromkeys(st.store.values(), tb.TRUE)
    for heap in (st.heap, *st.frames):
        for entries in heap.perms.values():
            for entry in entries:
                if isinstance(entry, Entry):
                    held = some_of(st, entry.amount)
                    for term in (*entry.index, *([] if entry.value is None else [entry.value])):
                        seen[term] = tb.disjoin(seen.get(term, tb.FALSE), held)
    return {term: held for term, held in seen.items() if not isinstance(term, Literal)}


def _absent(target: Term, term: Term, cx: Context) -> Term:
    symbols = cx.services.symbols
    sets, sequences = symbols.sets.get(REF), symbols.sequences.get(REF)
    if sets is not None and term.sort is sets.sort:
        return tb.negate(tb.apply(sets.contains, target, term))
    if sequences is not None and term.sort is sequences.sort:
        return tb.negate(tb.apply(sequences.contains, term, target))
    return tb.TRUE
