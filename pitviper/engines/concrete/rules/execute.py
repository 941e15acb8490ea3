"""Statements without control flow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from pitviper.base.record import replace
from pitviper.engines.concrete.heap import location as locations
from pitviper.engines.concrete.heap.contents import content_from
from pitviper.engines.concrete.heap.heap import (
    EMPTY_HEAP,
    ONE,
    Chunk,
    Closure,
    Closures,
    Content,
    FieldAt,
    Resource,
    Snapshot,
)
from pitviper.engines.concrete.options import Calls
from pitviper.engines.concrete.outcome import Failed, Obligation, Stop, about_statement, origin_of
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import consume as contract
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import flow, instances, predicate, wand
from pitviper.engines.concrete.rules import produce as produce_rules
from pitviper.engines.concrete.rules import wand as shape
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.unknown import Raw
from pitviper.engines.shared.failures import about_fold
from pitviper.program import stmt as ps
from pitviper.program.assertion import Assertion, FieldLocation, Location, Wand
from pitviper.program.expr import Expr
from pitviper.program.member import Method
from pitviper.program.pairs import held_when_given
from pitviper.program.stmt import Block, MethodCall, Quasihavoc, QuasihavocAll

_GIVES_AWAY = (ps.Exhale, ps.Cut, ps.MethodCall, ps.Apply)


def execute(st: State, s: ps.Stmt, run: Run) -> State:  # noqa: C901 - the table of contents
    """This match is the table of contents; a longer rule is a function of its own."""
    run.tick()
    if isinstance(s, _GIVES_AWAY):
        run.note_loss()
    match s:
        case ps.Declare(variable):
            return st.binding(variable.name, run.hole(variable.type, variable.name))
        case ps.LocalAssign(target, value):
            with run.proving(about_statement("assignment.failed", s, run.member)):
                return st.binding(target.name, rules.evaluate_raw(st, value, run))
        case ps.FieldAssign():
            with run.proving(about_statement("assignment.failed", s, run.member)):
                return exec_field_assign(st, s, run)
        case ps.New():
            return exec_new(st, s, run)
        case ps.MethodCall():
            return call_method(st, s, run)
        case ps.Inhale(assertion):
            with run.proving(_about(s, "inhale.failed", assertion, run)):
                return produce_rules.produce(st, assertion, run)
        case ps.Exhale(assertion):
            with run.proving(_about(s, "exhale.failed", assertion, run)):
                after = consume_rules.consume(st, assertion, run).state
            run.forget_the_rest()
            return _settled(after, st)
        case ps.Assert(assertion):
            with run.proving(_about(s, "assert.failed", assertion, run)):
                return _settled(consume_rules.consume(st, assertion, run).asserted, st)
        case ps.Cut(assertion):
            with run.proving(_about(s, "cut.failed", assertion, run)):
                return exec_cut(st, assertion, run)
        case ps.Fold(location, amount):
            error, node, parts = about_fold(s)
            about = Obligation(error, node.span, run.member, parts, origin_of(s))
            with run.proving(about):
                return predicate.fold(st, location, amount, run)
        case ps.Unfold(location, amount):
            with run.proving(about_statement("unfold.failed", s, run.member, location)):
                return predicate.unfold(st, location, amount, run)
        case ps.Package(packaged, script):
            with run.proving(about_statement("package.failed", s, run.member)):
                return wand.package_wand(st, packaged, script, run)
        case ps.Apply(applied):
            with run.proving(about_statement("apply.failed", s, run.member)):
                return wand.apply_wand(st, applied, run, is_kept=False)
        case ps.Quasihavoc() | ps.QuasihavocAll():
            return exec_quasihavoc(st, s, run)
        case ps.Label(name):
            return st.remembering(name)
        case ps.Refute():
            run.unchecked["refute"] = None
            return st
        case ps.Unreachable():
            run.cannot("`unreachable` is about all runs", s)
        case ps.Block() | ps.If() | ps.While() | ps.Goto():
            raise TypeError(f"{type(s).__name__} is part of the flow graph")


def exec_cut(st: State, assertion: Assertion, run: Run) -> State:
    """What the assertion holds stays as it is, everything else is given up."""
    given = consume_rules.consume(st, assertion, run).contents
    source = run.snapshots.holding(dict(given), run.objects.allocations)
    return produce_rules.produce(st.on(EMPTY_HEAP), held_when_given(assertion), run, source)


def _about(s: ps.Statement, error: str, assertion: Assertion, run: Run) -> Obligation:
    """Errors of these statements are told at the assertion."""
    return Obligation(error, assertion.span, run.member, (), origin_of(s))


def _settled(st: State, before: State) -> State:
    return replace(st, exhaled=before.exhaled, assuming=before.assuming)


def exec_field_assign(st: State, s: ps.FieldAssign, run: Run) -> State:
    """Full permission is needed."""
    receiver = rules.reference(st, s.receiver, run)
    value = rules.evaluate_raw(st, s.value, run)
    location = FieldAt(receiver, s.field)
    if st.heap.amount(location) < 1:
        shown = FieldLocation(s.receiver, s.field, span=s.receiver.span)
        run.fail("insufficient.permission", shown, shown)
    return st.on(st.heap.with_chunk(location, Chunk(ONE, value)))


def exec_new(st: State, s: ps.New, run: Run) -> State:
    """An object that no value knew so far, with full permission to fields of arbitrary value."""
    made = run.objects.allocate()
    for name in s.fields:
        location = FieldAt(made, name)
        st = st.on(st.heap.with_chunk(location, Chunk(ONE, content_from(None, location, run))))
    return st.binding(s.target.name, made)


Havoc: TypeAlias = Quasihavoc | QuasihavocAll


def exec_quasihavoc(st: State, s: Havoc, run: Run) -> State:
    error = "quasihavoc.failed" if isinstance(s, Quasihavoc) else "quasihavocall.failed"
    with run.proving(Obligation(error, s.location.span, run.member, (), origin_of(s))):
        for resource in _resources(st, s, run):
            st = _havoc(st, resource, run)
    return st


def _resources(st: State, s: Havoc, run: Run) -> list[Resource]:
    if isinstance(s, Quasihavoc):
        return [_locate(st, s.location, run)] if _holds(st, s.condition, run) else []
    found: dict[tuple[object, ...], Resource] = {}

    def visit(inner: State) -> None:
        if _holds(inner, s.condition, run):
            values = tuple([inner.store[v.name] for v in s.variables])
            found[values] = _locate(inner, s.location, run)

    limits = () if s.condition is None else (s.condition,)
    exact = instances.for_each(st, instances.Binder(s, s.variables, limits), run, visit)
    if len(set(found.values())) < len(found):
        run.fail("quasihavocall.not.injective", s.location, s.location)
    if not exact:
        run.cannot("quasihavocall over infinitely many values", s)
    return list(found.values())


def _holds(st: State, condition: Expr | None, run: Run) -> bool:
    return condition is None or rules.boolean(st, condition, run)


def _locate(st: State, location: Location, run: Run) -> Resource:
    if isinstance(location, Wand):
        return shape.resource_of(st, location, run)
    return locations.location_of(st, location, run)


def _havoc(st: State, resource: Resource, run: Run) -> State:
    """No permission, no effect. The surroundings of a package are not touched."""
    chunk = st.heap.chunks.get(resource)
    if chunk is None:
        return st
    content = _fresh(chunk.content, resource, run)
    return st.on(st.heap.with_chunk(resource, Chunk(chunk.amount, content)))


def _fresh(content: Content, resource: Resource, run: Run) -> Content:
    if isinstance(content, Closures):
        return Closures(tuple([Closure(run.memo.next_wand(), None) for _ in content.items]))
    return content_from(None, resource, run)


def call_method(st: State, s: MethodCall, run: Run) -> State:
    method = run.program.methods[s.method]
    failed = about_statement("call.failed", s, run.member)
    with run.proving(failed):
        args = [rules.evaluate_raw(st, arg, run) for arg in s.args]
    store = _store(method, args, run)
    before = about_statement("call.precondition", s, run.member, method.name)
    clauses = [(clause, before) for clause in method.preconditions]
    consumed = consume_rules.consume_clauses(replace(st, store=store), clauses, run)
    run.forget_the_rest()
    if method.decreases:
        run.unchecked["decreases"] = None
    source = None
    if run.options.calls is Calls.INLINE and method.body is not None:
        store, source = _inlined(store, method, method.body, consumed.contents, run)
    after = replace(consumed.state, store=store, old={None: st.whole_heap()})
    with _blaming(failed), run.on_behalf_of(method):
        after = contract.inhale_clauses(after, method.postconditions, source, run)
    results = [after.store[variable.name] for variable in method.returns]
    return replace(after, store=st.store, old=st.old).binding_all(s.targets, results)


def _store(method: Method, args: list[Raw], run: Run) -> dict[str, Raw]:
    store = {p.name: arg for p, arg in zip(method.params, args, strict=True)}
    for variable in method.returns:
        store[variable.name] = run.hole(variable.type, f"{variable.name} of {method.name}")
    return store


@contextmanager
def _blaming(failed: Obligation) -> Iterator[None]:
    """A postcondition that is not well-formed is the fault of the callee; injectivity is not."""
    try:
        yield
    except Stop as stop:
        ended = stop.outcome
        if isinstance(ended, Failed) and ended.finding.reason == "qp.not.injective":
            finding = replace(
                ended.finding, error=failed.error, span=failed.span, member=failed.member
            )
            raise Stop(Failed(finding)) from stop
        raise


def _inlined(
    store: dict[str, Raw], method: Method, body: Block, given: dict[Resource, Content], run: Run
) -> tuple[dict[str, Raw], Snapshot]:
    """Run the body on what the precondition gives; the result is what the postcondition takes."""
    with run.nested(), run.on_behalf_of(method):
        st = contract.inhale_alone(State(store), method.preconditions, given, run).remembering(None)
        st = flow.run_body(st, body, run)
        consumed = contract.exhale_clauses(st, method.postconditions, "postcondition.violated", run)
    return dict(st.store), run.snapshots.holding(consumed.contents, run.objects.allocations)
