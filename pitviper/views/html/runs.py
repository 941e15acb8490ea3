"""The runs of a search as a tree: which run was made from which, and how each ended."""

from __future__ import annotations

from html import escape

from pitviper.results.exploration import ExploredRun, MethodExploration
from pitviper.views.html.page import badge, table

MOST = 300
"""Runs that are shown; a page with thousands is no longer read by anybody."""

_COLOURS = {"passed": "green", "failed": "red", "infeasible": "", "assumption not met": ""}
_DEEPEST = 24


def runs_html(done: MethodExploration) -> str:
    order = _in_tree_order(done.runs)
    rows = [_row(run, depth) for run, depth in order[:MOST]]
    more = f"<p>and {len(order) - MOST} more</p>" if len(order) > MOST else ""
    titles = ("run", "made from", "ended", "decisions", "steps", "inputs")
    return (
        f"<details><summary>The search: {len(done.runs)} runs and attempts</summary>"
        f"{table(titles, rows)}{more}</details>"
    )


def _in_tree_order(runs: tuple[ExploredRun, ...]) -> list[tuple[ExploredRun, int]]:
    """Each run behind the one it was made from, with its depth."""
    children: dict[int, list[ExploredRun]] = {}
    known = {run.number for run in runs}
    for run in runs:
        parent = run.parent if run.parent in known and run.parent != run.number else -1
        children.setdefault(parent, []).append(run)
    found: list[tuple[ExploredRun, int]] = []
    stack = [(run, 0) for run in reversed(children.get(-1, []))]
    while stack:
        run, depth = stack.pop()
        found.append((run, depth))
        stack += [(child, depth + 1) for child in reversed(children.get(run.number, []))]
    return found


def _row(run: ExploredRun, depth: int) -> str:
    colour = _COLOURS.get(run.status, "yellow")
    ended = badge(colour, run.status)
    if run.finding is not None:
        ended += f' <a href="#L{run.finding.span.line}">line {run.finding.span.line}</a>'
    elif run.detail:
        ended += f' <span class="faint">{escape(run.detail)}</span>'
    inputs = () if run.test is None else run.test.inputs
    shown = ", ".join(f"{n} = {v}" for n, v in inputs if v != "?")
    shown = shown if len(shown) <= 100 else f"{shown[:99]}…"
    parent = "" if run.parent < 0 else str(run.parent)
    indent = f"padding-left:{0.6 + 0.7 * min(depth, _DEEPEST):.1f}em"
    return (
        f'<tr><td class="mono" style="{indent}">{run.number}</td><td class="right">{parent}</td>'
        f'<td>{ended}</td><td class="right">{run.decisions}</td><td class="right">{run.steps}</td>'
        f'<td class="mono">{escape(shown)}</td></tr>'
    )
