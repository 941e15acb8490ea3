"""Method calls: what the contract allows, or what the body does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from pitviper.engines.concrete.heap.heap import Content, Resource, Snapshot
from pitviper.engines.concrete.options import Calls
from pitviper.engines.concrete.outcome import Failed, Obligation, Stop, about_statement
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import contract, flow
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.unknown import Raw
from pitviper.program.member import Method
from pitviper.program.stmt import Block, MethodCall


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
