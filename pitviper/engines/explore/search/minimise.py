"""Smaller inputs for a failure that was found: numbers near 0, the same way through the program."""

from __future__ import annotations

import time

from pitviper.base.record import replace
from pitviper.engines.explore.model.types import INT
from pitviper.engines.explore.notes import UNSURE
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.search.engine import START, Node, Search, assignment_of
from pitviper.engines.explore.search.frontier import Entry
from pitviper.solver.session import Path
from pitviper.terms import build
from pitviper.terms.sort import INT as INT_SORT
from pitviper.terms.term import Term

BOUNDS = (0, 1, 2, 5, 10, 100)
"""All numbers between minus this and this are tried together, then each alone."""

MOST = 12
"""Numbers that are made smaller one by one."""


def minimised(search: Search, node: Node, until: float | None = None) -> Node:
    """A node that fails at the same place, with inputs that are not larger; found in time."""
    if node.run is None or node.status is not Status.FAILED or UNSURE in node.run.notes:
        return node
    path = _path(node.run)
    numbers = _numbers(node.run)
    best = (_tried(search, node, path) if node.confirmed else None) or node
    for bound in BOUNDS:
        if _is_over(until):
            return best
        found = _tried(search, best, _all_within(path, numbers, bound))
        if found is not None:
            best = found
            break
    for name in numbers[:MOST]:
        if _is_over(until):
            return best
        assert best.run is not None
        known = best.run.inputs.symbols
        value = abs(int(known[name][1])) if name in known else 0
        for smaller in [b for b in BOUNDS if b < value]:
            kept = [n for n in numbers if n != name]
            limits = {n: abs(int(known[n][1])) for n in kept if n in known}
            found = _tried(search, best, _within(path, {**limits, name: smaller}))
            if found is not None:
                best = found
                break
    return best


def _is_over(until: float | None) -> bool:
    return until is not None and time.monotonic() > until


def _path(run: Run) -> Path:
    path = START
    for decision in run.path.decisions:
        path = path.branch(decision.term if decision.taken else build.negate(decision.term))
    return path


def _numbers(run: Run) -> list[str]:
    """Returns the inputs that are integers of the program; sizes and shapes stay as they are."""
    inputs = run.inputs
    return [n for n, (kind, _) in inputs.symbols.items() if kind == INT and n in inputs.values]


def _all_within(path: Path, names: list[str], bound: int) -> Path:
    return _within(path, dict.fromkeys(names, bound))


def _within(path: Path, bounds: dict[str, int]) -> Path:
    for name, bound in bounds.items():
        path = path.assume(_near(build.constant(name, INT_SORT), bound))
    return path


def _near(symbol: Term, bound: int) -> Term:
    return build.conjoin(
        build.at_most(build.integer(-bound), symbol), build.at_most(symbol, build.integer(bound))
    )


def _tried(search: Search, node: Node, path: Path) -> Node | None:
    """The run with values for a path, if it ends as before."""
    model = search.values(path, node)
    if model is None or node.run is None:
        return None
    entry = Entry(node.number, -1 if node.parent is None else node.parent, START, (), None, 0)
    again = search.run(entry, assignment_of(model), given=len(node.run.path.decisions))
    if again.status is node.status and again.site == node.site:
        return replace(again, confirmed=node.confirmed)
    return None
