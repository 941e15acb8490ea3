"""Explores a model that another language was translated to, or a program that runs elsewhere.

What comes out is the search as a graph (section 2.4.1 of the paper): a node for each attempt, with
the condition of its path, what was chosen for its inputs, and what came out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import replace
from pitviper.driver.explore.graph import decided_in
from pitviper.engines.explore.model.check import Compatible, check_model
from pitviper.engines.explore.model.program import Method, Model
from pitviper.engines.explore.model.types import HEAP
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.report.attempts import FINISHED
from pitviper.engines.explore.report.inputs import blame_at, inputs_of, shown
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import Value
from pitviper.engines.explore.search.compile import Runnable, compile_model
from pitviper.engines.explore.search.engine import Node, Search, Solvers
from pitviper.engines.explore.search.extensions import Extension
from pitviper.engines.explore.search.minimise import minimised
from pitviper.results.exploration import Claim
from pitviper.results.search_graph import SearchGraph, SearchNode
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session

DEFAULTS = SearchOptions()


class WrongModel(Exception):
    """An adapter made a model that the type checker refuses; says what is wrong with it."""


def explore_model(
    model: Model,
    entry: str,
    options: SearchOptions = DEFAULTS,
    extensions: tuple[Extension, ...] = (),
    compatible: Compatible | None = None,
) -> SearchGraph:
    """Runs a method without parameters; its inputs are the `Fresh` terms that it comes to."""
    if problems := check_model(model, compatible):
        raise WrongModel("\n".join(problems))
    return run_deep(lambda: explore_code(compile_model(model), entry, options, extensions))


def explore_code(
    code: Runnable,
    entry: str,
    options: SearchOptions = DEFAULTS,
    extensions: tuple[Extension, ...] = (),
) -> SearchGraph:
    """The same for code that is there: compiled, or a program elsewhere (`Monitored`)."""
    finder, judge = Z3Session(), Z3Session(Z3Options(models=True))
    with finder, judge:
        search = Search(code, entry, Solvers(finder, judge), options, extensions)
        nodes = [_smallest(node, search) for node in search.nodes()]
        left, limit = len(search.frontier), search.limit
    reasons = dict.fromkeys(_open(nodes, left, limit))
    method = code.model.methods[entry]
    places = {node.number: place for place, node in enumerate(nodes)}
    listed = tuple([_node(node, places, method, code.model) for node in nodes])
    return SearchGraph(entry, _claim(nodes, bool(reasons)).value, tuple(reasons), listed)


def _smallest(node: Node, search: Search) -> Node:
    if node.status is not Status.FAILED:
        return node
    small = minimised(search, node)
    return replace(node, run=small.run, assignment=small.assignment)


def _open(nodes: list[Node], left: int, limit: str) -> Iterator[str]:
    if left:
        yield f"the limit of the search was reached ({limit}), {left} paths are open"
    for node in nodes:
        if node.status not in FINISHED:
            yield f"{node.status.value}: {node.detail}" if node.detail else node.status.value
        elif node.run is not None:
            yield from node.run.notes


def _claim(nodes: list[Node], is_open: bool) -> Claim:  # noqa: FBT001 - a truth value
    if any(node.status is Status.FAILED for node in nodes):
        return Claim.FAILS
    return Claim.OPEN if is_open else Claim.HOLDS


def _node(node: Node, places: dict[int, int], method: Method, model: Model) -> SearchNode:
    parent = -1 if node.parent is None else places.get(node.parent, -1)
    made = SearchNode(places[node.number], parent, node.status.value, node.detail)
    run = node.run
    if run is None:
        return made
    blame = None if node.site is None else blame_at(model, node.site)
    failed = blame if node.status is Status.FAILED else None
    return replace(
        made,
        condition=tuple([decided_in(d, model) for d in run.path.decisions]),
        inputs=(*inputs_of(run, frozenset()), *_types(run)),
        outputs=_outputs(run, method),
        id="" if failed is None else f"{failed.error}:{failed.reason}",
        line=0 if failed is None or not failed.span.file.text else failed.span.line,
    )


def _types(run: Run) -> tuple[tuple[str, str], ...]:
    """The types that objects of the input have."""
    found = [(n, run.inputs.symbols.get(f"typeof object{n}")) for n in run.inputs.types]
    hierarchy = run.model.hierarchy
    return tuple(
        [(f"typeof object{n}", str(hierarchy.named(int(v[1])))) for n, v in found if v is not None]
    )


def _outputs(run: Run, method: Method) -> tuple[tuple[str, str], ...]:
    """The results of the entry, if the run came to its end."""
    pairs = zip(method.results, run.outputs, strict=False)
    return tuple([(r.name, shown(cast(Value, v))) for r, v in pairs if r.type != HEAP])
