"""Methods of the program as methods of the model, and calls of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.base.record import replace
from pitviper.engines.explore.model.program import Method
from pitviper.engines.explore.model.term import Fresh, Local, Term
from pitviper.engines.explore.model.types import BOOLEAN, HEAP
from pitviper.engines.explore.options import Calls
from pitviper.engines.explore.runtime.run import CONTRACT
from pitviper.engines.explore.viper import assertions, classes, statements
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.definedness import conditions_ahead
from pitviper.engines.explore.viper.emitter import (
    FALSE,
    HEAP_NAME,
    NOTHING,
    Emitter,
    Obligation,
    Place,
    Scope,
    negated,
    text,
)
from pitviper.engines.explore.viper.types import model_type
from pitviper.engines.explore.viper.wands import are_evidently_framed
from pitviper.program import member as pm
from pitviper.program import stmt as ps
from pitviper.program.assertion import Access, Assertion, PredicateLocation, Wand
from pitviper.program.cfg import flow_graph
from pitviper.program.classes import classes_at_start
from pitviper.program.expr import BoolLit, Var
from pitviper.program.pairs import has_pairs
from pitviper.program.types import SeqType, SetType
from pitviper.program.walk import descendants

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


OLD = Local("%old", HEAP)
"""The heap as it was when the method was called."""


def entry_name(method: str) -> str:
    return f"entry {method}"


def variable(v: Var) -> Local:
    return Local(v.name, model_type(v.type))


def entry_method(method: pm.Method, tr: Translation) -> Method:
    """Any input that meets the precondition, then the body."""
    out = Emitter(method.name)
    out.span = method.span
    heap = out.new_heap("heap.empty")
    params = [variable(p) for p in method.params]
    for param in params:
        out.assign(param, Fresh(param.type, param.name))
    names: dict[str, Term] = {p.name: p for p in params}
    sc = Scope(names, heap, heap, {}, Obligation("internal", method.span, method.name))
    known = classes_at_start(method)
    plain = [p for p in method.params if not isinstance(p.type, SeqType | SetType)]
    for p in plain:
        classes.assume_class((names[p.name], p.type), known.get(p.name), sc, out, tr)
    if any(map(has_pairs, method.preconditions)):
        _judge(method.preconditions, replace(sc, swapped=True), out, tr)
    for condition in conditions_ahead(method.preconditions, tr.arrays.functions):
        out.assume(rules.lower(condition, sc, out, tr))
    for p in method.params:  # its size is known by now, as far as it is told
        if p not in plain:
            classes.assume_class((names[p.name], p.type), known.get(p.name), sc, out, tr)
    assertions.inhale_clauses(method.preconditions, sc, NOTHING, out, tr)
    note_gain(method.preconditions, heap, out, tr, start=True)
    _judge_postconditions(method, sc, out, tr)
    results = [out.local(model_type(r.type), r.name) for r in method.returns]
    left = out.local(HEAP, "left")
    out.call(method.name, (heap, *params), (*results, left))
    return out.method(entry_name(method.name), (), ())


def note_gain(
    clauses: tuple[Assertion, ...],
    heap: Local,
    out: Emitter,
    tr: Translation,
    *,
    start: bool = False,
) -> None:
    """What is held now is looked into if the run fails: no heap may have all of it.

    That can be only where there are instances or wands; what a method starts with counts anyway.
    """
    gains = any(isinstance(node, Access | Wand) for c in clauses for node in descendants(c))
    if start or gains:
        out.native("heap.gained", heap)
    for predicate in _predicates_in(clauses, tr):
        tr.need_predicate(predicate)


def _judge_postconditions(method: pm.Method, sc: Scope, out: Emitter, tr: Translation) -> None:
    """They must make sense whatever the body does; a run of its own finds out."""
    clauses = method.postconditions
    if are_evidently_framed(clauses):
        return
    made = {r.name: model_type(r.type) for r in method.returns}
    results = {n: out.local(kind, n) for n, kind in made.items()}
    after = replace(sc.binding(results), old={None: sc.heap})
    _judge(clauses, after, out, tr)
    if any(map(has_pairs, clauses)):
        _judge(clauses, replace(after, swapped=True), out, tr)


def _judge(clauses: tuple[Assertion, ...], sc: Scope, out: Emitter, tr: Translation) -> None:
    """Another run, in which clauses are looked at alone; it has nothing to do with the body."""
    skip, judged = Place(), out.keep(Fresh(BOOLEAN, CONTRACT), "judged")
    out.branch(negated(judged), skip)
    for value in sc.names.values():
        if isinstance(value, Local) and value.name.startswith("%"):
            out.assign(value, Fresh(value.type, value.name.lstrip("%")))
    alone(clauses, sc, NOTHING, out, tr)
    out.native("done")
    out.put(skip)


def _predicates_in(clauses: tuple[Assertion, ...], tr: Translation) -> dict[str, None]:
    """Predicates with a body of which a state may have instances, also inside of others."""
    found: dict[str, None] = {}
    todo = list(clauses)
    while todo:
        for node in descendants(todo.pop()):
            if isinstance(node, PredicateLocation) and node.predicate not in found:
                body = tr.program.predicates[node.predicate].body
                if body is not None:
                    found[node.predicate] = None
                    todo.append(body)
    return found


def body_method(method: pm.Method, tr: Translation) -> Method:
    """The body, then the postcondition; the results, and a heap with what the callers get."""
    assert method.body is not None
    out = Emitter(method.name)
    heap = Local(HEAP_NAME, HEAP)
    params, returns = [variable(p) for p in method.params], [variable(r) for r in method.returns]
    out.span = method.span
    out.native("heap.copy", heap, to=(OLD,))
    for result in returns:
        out.assign(result, Fresh(result.type, result.name))
    loops = [s for s in descendants(method.body) if isinstance(s, ps.While)]
    if method.decreases or any(loop.decreases for loop in loops):
        out.native("remark", text("`decreases` was passed over"))
    graph = flow_graph(method.body)
    heads = [graph.blocks[head].head for head in graph.loops]
    if graph.irreducible or any(isinstance(head, ps.Label) for head in heads):
        out.native("remark", text("loops of jumps were run as they are"))
    labels = [s.name for s in descendants(method.body) if isinstance(s, ps.Label)]
    heaps: dict[str | None, Local] = {None: OLD}
    for label in labels:
        heaps[label] = heap_at(label)
        out.assign(tr.passed(label), FALSE)
    names: dict[str, Term] = {v.name: v for v in (*params, *returns)}
    sc = Scope(names, heap, heap, heaps, Obligation("internal", method.span, method.name))
    sc = statements.Body(method, out, tr).lower(sc)
    out.span = method.span
    left = _postcondition(method, sc, out, tr)
    return out.method(method.name, (heap, *params), (*returns, left))


def _postcondition(method: pm.Method, sc: Scope, out: Emitter, tr: Translation) -> Local:
    name = method.name
    clauses = [
        (c, Obligation("postcondition.violated", c.span, name, (name,)))
        for c in method.postconditions
    ]
    given = assertions.exhale_clauses(clauses, sc, out, tr)
    return alone(method.postconditions, sc, given, out, tr)


def alone(
    clauses: tuple[Assertion, ...], sc: Scope, given: Term, out: Emitter, tr: Translation
) -> Local:
    """A heap with what clauses hold and nothing else, in which they must be well-formed."""
    fresh = out.new_heap("heap.empty")
    assertions.inhale_clauses(clauses, sc.on(fresh), given, out, tr)
    return fresh


def call(s: ps.MethodCall, sc: Scope, out: Emitter, tr: Translation) -> None:
    method = tr.program.methods[s.method]
    failed = sc.proving(Obligation("call.failed", s.span, out.member))
    args = [out.keep(rules.lower(a, failed, out, tr)) for a in s.args]
    names: dict[str, Term] = {p.name: a for p, a in zip(method.params, args, strict=True)}
    inner = replace(sc, names=names, old={}, result=None, scale=None)
    before = out.new_heap("heap.copy", sc.heap)
    unmet = Obligation("call.precondition", s.span, out.member, (method.name,))
    given = assertions.exhale_clauses([(c, unmet) for c in method.preconditions], inner, out, tr)
    targets = [variable(t) for t in s.targets]
    blame = Obligation("internal", method.span, method.name)
    theirs = replace(inner, obligation=blame, outer=None)
    is_run = method.body is not None and not _is_stub(method.body)
    if is_run and tr.options.calls is Calls.INLINE:
        inside = alone(method.preconditions, theirs, given, out, tr)
        left = out.local(HEAP, "left")
        out.call(method.name, (inside, *args), (*targets, left))
        out.native("heap.pour", sc.heap, left)
        return
    results = [out.local(model_type(r.type), r.name) for r in method.returns]
    for result, declared in zip(results, method.returns, strict=True):
        out.assign(result, Fresh(result.type, f"{method.name}.{declared.name}"))
    found = {r.name: value for r, value in zip(method.returns, results, strict=True)}
    after = replace(theirs.binding(found), old={None: before})
    known = classes_at_start(method)
    for r in method.returns:
        classes.assume_class((found[r.name], r.type), known.get(r.name), after, out, tr)
    assertions.inhale_clauses(method.postconditions, after, NOTHING, out, tr)
    note_gain(method.postconditions, sc.heap, out, tr)
    for target, result in zip(targets, results, strict=True):
        out.assign(target, result)


def _is_stub(body: ps.Block) -> bool:
    """Whether a body assumes `false` whatever it does: then only its contract says what it does."""
    assumed = [s.assertion for s in body.statements if isinstance(s, ps.Inhale)]
    jumps = any(isinstance(s, ps.Goto) for s in descendants(body))
    return BoolLit(value=False) in assumed and not jumps


def heap_at(label: str) -> Local:
    """The heap as it was when a label was passed."""
    return Local(f"%at_{label}", HEAP)


def passed_name(label: str) -> Local:
    return Local(f"%passed_{label}", BOOLEAN)
