"""What must hold of every failed obligation in the debugger, whatever the program is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.debugger.obligations.obligation import Fact
from pitviper.debugger.obligations.symbolic import SymbolicObligation
from pitviper.debugger.workbench import Workbench
from pitviper.driver.debug.debugging import DebugSession, open_debugger
from pitviper.driver.verify.options import VerifyOptions
from pitviper.explain.expression import VERSIONED
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children
from pitviper.results.debugging import Problem
from pitviper.solver.session import CHECK
from pitviper.solver.session import Path as FactPath
from pitviper.terms import build as tb
from pitviper.terms.term import TRUE, App, Quantified, Term

MOST_OBLIGATIONS = 12
MOST_TERMS = 150


def inconsistencies(path: Path) -> list[str]:
    """All that is wrong with the debugger's view of a program."""
    session = open_debugger(path, VerifyOptions(timeout=600.0))
    return run_deep(lambda: list(_of_session(session)))


def _of_session(session: DebugSession) -> Iterator[str]:
    debugger = session.debugger
    if debugger is None:
        return
    for number, obligation in enumerate(debugger.obligations[:MOST_OBLIGATIONS]):
        assert isinstance(obligation, SymbolicObligation)
        debugger.choose(number)
        for complaint in _of_obligation(obligation, debugger.bench):
            yield f"[{number}] {complaint}"


def _of_obligation(obligation: SymbolicObligation, bench: Workbench) -> Iterator[str]:
    yield from _tree_is_complete(obligation)
    yield from _words_are_exact(obligation, bench)
    yield from _changes_reach_the_solver(bench)
    yield from _scope_is_right(obligation)


# ---------------------------------------------------------------- the tree


def _tree_is_complete(obligation: SymbolicObligation) -> Iterator[str]:
    """Every fact of the path is a leaf, and nothing else is."""
    path = obligation.failing.failed.state.path
    assumed = [entry.fact for entry in path if entry.fact is not TRUE]
    if [fact.term for fact in obligation.facts] != assumed:
        yield "the facts are not those of the path"
    leaves: list[int] = []
    todo = list(obligation.assumptions)
    while todo:
        node = todo.pop()
        todo += node.children
        if node.term is not None:
            leaves.append(node.id)
    if sorted(leaves) != sorted([fact.id for fact in obligation.facts]):
        yield "the leaves of the tree are not the facts"


# ---------------------------------------------------------------- final expressions


def _terms(obligation: SymbolicObligation) -> dict[Term, str]:
    """Terms that the user sees, with what they are."""
    st = obligation.failing.failed.state
    found: dict[Term, str] = {}
    goal = obligation.failing.failed.context.goal
    if goal is not None:
        found[goal] = "goal"
    for name, value in st.store.items():
        found.setdefault(value, f"store {name}")
    for chunk in st.heap:
        for term in (*chunk.args, chunk.value, chunk.amount):
            found.setdefault(term, "chunk")
    for wide in st.heap.quantified_chunks():
        for term in (*(wide.only or ()), wide.value):
            if term is not None:
                found.setdefault(term, "quantified chunk")
    for fact in obligation.facts:
        found.setdefault(fact.term, f"assumption {fact.id}")
    return found


def _words_are_exact(obligation: SymbolicObligation, bench: Workbench) -> Iterator[str]:
    for term, what in list(_terms(obligation).items())[:MOST_TERMS]:
        expression = obligation.words.of(term)
        if expression is None:
            continue
        text = text_of(expression)
        yield from [f"{what}: {text}: {wrong}" for wrong in _unlabelled(expression, (), "")]
        value = obligation.value(text, term, bench.desk())
        if isinstance(value, Problem):
            yield f"{what}: {text}: {value.message}"
        elif not _same(value, term, bench):
            yield f"{what}: {text} means {obligation.text(value)}"


def _same(value: Term, term: Term, bench: Workbench) -> bool:
    """Equal terms; quantifiers may have other names and triggers, so the solver decides."""
    if value is term or _alike(value, term, {}):
        return True
    answer = bench.solver.session.entails(bench.path(), tb.equal(value, term), CHECK * 10, "same")
    return answer.proved or answer.exhausted


def _alike(a: Term, b: Term, names: dict[Term, Term]) -> bool:
    """The same but for the names of bound variables, triggers, and how far functions unroll."""
    if a is b or names.get(a) is b:
        return True
    match a, b:
        case App(symbol=f, args=xs), App(symbol=g, args=ys):
            same = f.name.removesuffix("%limited") == g.name.removesuffix("%limited")
            return same and _all_alike(xs, ys, names)
        case Quantified(), Quantified():
            if (a.binder, len(a.variables)) != (b.binder, len(b.variables)):
                return False
            inner = {**names, **dict(zip(a.variables, b.variables, strict=True))}
            return _alike(a.body, b.body, inner)
        case _:
            return False


def _all_alike(xs: tuple[Term, ...], ys: tuple[Term, ...], names: dict[Term, Term]) -> bool:
    return len(xs) == len(ys) and all(_alike(x, y, names) for x, y in zip(xs, ys, strict=True))


def _unlabelled(node: Node, bound: tuple[str, ...], label: str) -> Iterator[str]:
    """Variables without version and heap reads without label."""
    match node:
        case pe.Var(name) if name not in bound and VERSIONED.fullmatch(name) is None:
            yield f"{name} has no version"
        case pe.FieldRead() if not label:
            yield f"{text_of(node)} has no label"
        case pe.Old(inside):
            label = inside or ""
        case pe.Forall(variables) | pe.Exists(variables):
            bound = (*bound, *[v.name for v in variables])
    for child in children(node):
        yield from _unlabelled(child, bound, label)


# ---------------------------------------------------------------- changes, scope


def _changes_reach_the_solver(bench: Workbench) -> Iterator[str]:
    before = _told(bench)
    ids = sorted([node.id for node in bench.nodes()])
    bench.remove(frozenset(ids[::3]))
    removed = bench.setup.removed
    if {fact.id for fact in bench.active()} & removed:
        yield "a removed assumption is still told"
    if _told(bench) != [t for f in bench.active() for t in _parts(f)]:
        yield "the solver's path is not what the tree shows"
    bench.restore(frozenset(ids[::3]))
    if _told(bench) != before:
        yield "restoring is not the inverse of removing"
    bench.undo()
    bench.undo()
    bench.reset()
    if _told(bench) != before:
        yield "reset does not bring back what there was"


def _told(bench: Workbench) -> list[Term]:
    return [entry.fact for entry in bench.path()]


def _parts(fact: Fact) -> list[Term]:
    return [entry.fact for entry in FactPath().assume(fact.term)]


def _scope_is_right(obligation: SymbolicObligation) -> Iterator[str]:
    """All variables of the failing part are known; those of quantifiers around it by versions."""
    failed = obligation.failing.failed
    inside, here = obligation.at, failed.node.span
    if inside.file is not here.file or not inside.start <= here.start <= here.end <= inside.end:
        return
    versions = {word.partition("@")[0] for word in obligation.vocabulary() if "@" in word}
    known = versions | set(obligation.names())
    written = set(re.findall(r"\w+", here.text))
    for name in dict.fromkeys(_free(failed.node, ())):
        if name.partition("$")[0] not in known and name in written:
            yield f"{name} is not in scope"


def _free(node: Node, bound: tuple[str, ...]) -> Iterator[str]:
    match node:
        case pe.Var(name) if name not in bound:
            yield name
        case pe.Forall(variables) | pe.Exists(variables) | pe.ForPerm(variables):
            bound = (*bound, *[v.name for v in variables])
        case pa.QuantifiedPermission(variables):
            bound = (*bound, *[v.name for v in variables])
        case pe.Let(variable) | pa.Binding(variable):
            bound = (*bound, variable.name)
    for child in children(node):
        yield from _free(child, bound)
