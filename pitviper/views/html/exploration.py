"""An exploration as one HTML page: failures with inputs, flow graphs, runs, covered source."""

from __future__ import annotations

from markupsafe import Markup

from pitviper.base.record import record
from pitviper.results.exploration import Claim, Exploration, ExploredRun, MethodExploration
from pitviper.source.span import Span
from pitviper.views.coverage.totals import branch_counts, line_counts
from pitviper.views.html.page import (
    Inputs,
    Line,
    inputs,
    line_id,
    numbered_lines,
    page,
    values_text,
)
from pitviper.views.pictures.flow import picture_svg
from pitviper.views.terminal.report import counted

MOST = 300
"""Runs that are shown; a page with thousands is no longer read by anybody."""

_COLOURS = {Claim.FAILS: "red", Claim.PROVED: "green", Claim.HOLDS: "blue", Claim.OPEN: "yellow"}
_RUN_COLOURS = {"passed": "green", "failed": "red", "infeasible": "", "assumption not met": ""}
_DEEPEST = 24


def exploration_html(done: Exploration, text: str) -> str:
    """The whole page; it needs no other file."""
    texts = _texts(done, text)
    numbers = {file: n for n, file in enumerate(texts)}

    def href(span: Span) -> str:
        return f"#{line_id(numbers.get(str(span.file.path), 0), span.line)}"

    return page(
        "exploration.html",
        done=done,
        methods=[_method(method, numbers) for method in done.methods],
        sources=[(file, _lines(done, file, content, numbers)) for file, content in texts.items()],
        href=href,
    )


def _texts(done: Exploration, text: str) -> dict[str, str]:
    """The program, then imported files that runs came to."""
    texts = {done.file: text}
    for method in done.methods:
        for place in method.places:
            texts.setdefault(str(place.span.file.path), place.span.file.text)
    counted = line_counts(done.methods)
    return {file: content for file, content in texts.items() if file in (done.file, *counted)}


# ---------------------------------------------------------------- methods


@record
class _Method:
    """A method as the page shows it."""

    method: MethodExploration
    colour: str
    feasible: int
    share: int
    counts: str
    size: str
    failures: tuple[tuple[ExploredRun, Inputs], ...]
    flow: Markup | None
    rows: tuple[_Row, ...]
    more: int


def _method(done: MethodExploration, numbers: dict[str, int]) -> _Method:
    covered, lines = done.coverage
    static = done.static
    paths = "no bound on paths" if static.paths is None else counted(static.paths, "path")
    order = _in_tree_order(done.runs)
    return _Method(
        done,
        _COLOURS[done.claim],
        sum(n for status, n in done.counts.items() if status != "infeasible"),
        round(100 * covered / lines) if lines else 100,
        ", ".join(f"{n} {status}" for status, n in done.counts.items()),
        f"{counted(static.blocks, 'block')}, {counted(static.loops, 'loop')}, {paths}",
        tuple([(run, inputs(run.test)) for run in first_of_each(done)]),
        _flow(done, numbers),
        tuple([_row(run, depth) for run, depth in order[:MOST]]),
        max(0, len(order) - MOST),
    )


def _flow(done: MethodExploration, numbers: dict[str, int]) -> Markup | None:
    if done.picture is None:
        return None
    file = numbers.get(str(done.places[0].span.file.path), 0) if done.places else 0
    return Markup(picture_svg(done.picture, lambda line: f"#{line_id(file, line)}"))


def first_of_each(done: MethodExploration) -> list[ExploredRun]:
    """Of failures that are alike, the first: certain ones before doubtful ones."""
    found: dict[tuple[str, int], ExploredRun] = {}
    for run in (*done.certain_failures, *done.failures, *done.beyond):
        assert run.finding is not None
        found.setdefault((run.finding.id, run.finding.span.start), run)
    return list(found.values())


# ---------------------------------------------------------------- runs


@record
class _Row:
    """A run in the table of a search, which is a tree: a run stands below the one it is from."""

    run: ExploredRun
    colour: str
    indent: str
    inputs: str


def _row(run: ExploredRun, depth: int) -> _Row:
    shown = values_text(run.test)
    return _Row(
        run,
        _RUN_COLOURS.get(run.status, "yellow"),
        f"{0.6 + 0.7 * min(depth, _DEEPEST):.1f}",
        shown if len(shown) <= 100 else f"{shown[:99]}…",
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


# ---------------------------------------------------------------- source


@record
class _Failing:
    """What is said at a line that fails."""

    method: int
    message: str


def _lines(done: Exploration, file: str, text: str, numbers: dict[str, int]) -> list[Line]:
    failing: dict[int, list[_Failing]] = {}
    for number, method in enumerate(done.methods):
        for run in first_of_each(method):
            finding = run.finding
            if finding is not None and str(finding.span.file.path) == file and not run.doubts:
                said = _Failing(number, finding.message)
                failing.setdefault(finding.span.line, []).append(said)
    branches = branch_counts(done.methods, file)
    counts = line_counts(done.methods).get(file, {})
    found = []
    for number, content in numbered_lines(text):
        runs = counts.get(number)
        missed = any(0 in sides and sum(sides) for sides in branches.get(number, []))
        kind, title = _kind(runs, missed=missed)
        count = "" if runs is None else str(runs)
        name = line_id(numbers[file], number)
        found.append(Line(name, number, content, kind, count, title, failing.get(number, ())))
    return found


def _kind(runs: int | None, *, missed: bool) -> tuple[str, str]:
    if runs is None:
        return "", ""
    if not runs:
        return "no", "not run"
    if missed:
        return "some", "run, but one side of a branch was never taken"
    return "yes", f"{runs} runs"
