"""The search of an exploration as a graph: its runs are made again, with an eye on each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.tests import assigned_run
from pitviper.engines.explore.model.program import Model
from pitviper.engines.explore.model.types import HEAP
from pitviper.engines.explore.report.inputs import shown
from pitviper.engines.explore.runtime.value import Decision, Value
from pitviper.engines.explore.search.compile import Code
from pitviper.engines.explore.search.engine import execute
from pitviper.engines.explore.viper.calls import entry_name
from pitviper.results.exploration import Exploration, ExploredRun, MethodExploration
from pitviper.results.search_graph import Decided, SearchGraph, SearchNode
from pitviper.source.span import NO_SPAN
from pitviper.terms.smtlib import text


def search_graphs(done: Exploration, explorer: Explorer) -> tuple[SearchGraph, ...]:
    """The graphs of all methods that were explored."""
    return run_deep(lambda: tuple([_graph(method, explorer) for method in done.methods]))


def _graph(done: MethodExploration, explorer: Explorer) -> SearchGraph:
    nodes = [_node(run, done.method, explorer) for run in done.runs]
    return SearchGraph(done.method, done.claim.value, done.open, tuple(nodes))


def _node(run: ExploredRun, method: str, explorer: Explorer) -> SearchNode:
    if run.test is None or entry_name(method) not in explorer.code.functions:
        inputs = () if run.test is None else run.test.inputs
        return SearchNode(run.number, run.parent, run.status, run.detail, inputs=inputs)
    again = assigned_run(run.test, explorer)
    with _results_of(method, explorer.code) as results:
        execute(explorer.code, entry_name(method), again)
    model = explorer.code.model
    return SearchNode(
        run.number,
        run.parent,
        run.status,
        run.detail,
        tuple([decided_in(decision, model) for decision in again.path.decisions]),
        run.test.inputs,
        tuple(results),
        run.test.finding,
        run.test.line,
    )


def decided_in(decision: Decision, model: Model) -> Decided:
    """A condition is told in the words of the source where it was written there."""
    term = text(decision.term).rpartition("(assert ")[2].rstrip().removesuffix(")")
    holds, kind = decision.taken, decision.kind.value
    method, index = decision.site
    span = model.methods[method].instructions[index].span if method else NO_SPAN
    if span is NO_SPAN:
        return Decided("", term, holds, kind, "", 0)
    written = span.text.partition("\n")[0].removesuffix("{").rstrip()
    return Decided(written, term, holds, kind, str(span.file.path), span.line)


@contextmanager
def _results_of(name: str, code: Code) -> Iterator[list[tuple[str, str]]]:
    """Collects what a method returns; of several calls the last to return is the first one."""
    found: list[tuple[str, str]] = []
    original = code.functions[name]
    results = code.model.methods[name].results

    def heard(*args: object) -> tuple[object, ...]:
        values = original(*args)
        pairs = zip(results, values, strict=True)
        found[:] = [
            (r.name, shown(cast(Value, v)))
            for r, v in pairs
            if r.type != HEAP and "%" not in r.name
        ]
        return values

    code.functions[name] = heard
    try:
        yield found
    finally:
        code.functions[name] = original
