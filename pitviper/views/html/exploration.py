"""An exploration as one HTML page: failures with inputs, flow graphs, runs, covered source."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from pitviper.results.exploration import Claim, Exploration, ExploredRun, MethodExploration
from pitviper.source.span import Span
from pitviper.views.coverage.totals import branch_counts, line_counts
from pitviper.views.html.inputs import inputs_html
from pitviper.views.html.page import badge, code, page, table
from pitviper.views.html.runs import runs_html
from pitviper.views.html.source import LineLook, line_id, source_table
from pitviper.views.pictures.flow import picture_svg
from pitviper.views.terminal.report import counted

_COLOURS = {Claim.FAILS: "red", Claim.PROVED: "green", Claim.HOLDS: "blue", Claim.OPEN: "yellow"}

Href = Callable[[str, int], str]
"""Where a line of a file is in the page."""


def exploration_html(done: Exploration, text: str) -> str:
    """The whole page; it needs no other file."""
    texts = _texts(done, text)
    numbers = {file: n for n, file in enumerate(texts)}

    def href(file: str, line: int) -> str:
        return f"#{line_id(numbers.get(file, 0), line)}"

    parts = [
        f"<h1>Exploration of {code(done.file)}</h1>",
        _overview(done),
        *[_method(method, n, href) for n, method in enumerate(done.methods)],
        *[f"<p>Method {code(n)} was skipped: {escape(w)}.</p>" for n, w in done.skipped],
        '<h2 id="source">Source</h2>',
        '<p class="faint">Green lines were run, red ones were not, yellow ones have a branch that '
        "was never taken. The number before a line says in how many runs it was.</p>",
    ]
    for file, content in texts.items():
        if len(texts) > 1:
            parts.append(f"<h3>{code(file)}</h3>")
        parts.append(source_table(content, _looks(done, file), numbers[file]))
    return page(f"Exploration of {done.file}", "".join(parts))


def _texts(done: Exploration, text: str) -> dict[str, str]:
    """The program, then imported files that runs came to."""
    texts = {done.file: text}
    for method in done.methods:
        for place in method.places:
            texts.setdefault(str(place.span.file.path), place.span.file.text)
    counted = line_counts(done.methods)
    return {file: content for file, content in texts.items() if file in (done.file, *counted)}


def _overview(done: Exploration) -> str:
    rows = []
    for number, method in enumerate(done.methods):
        covered, lines = method.coverage
        share = round(100 * covered / lines) if lines else 100
        runs = sum(n for status, n in method.counts.items() if status != "infeasible")
        bar = f'<span class="bar" aria-hidden="true"><i style="width:{share}%"></i></span>'
        rows.append(
            f'<tr><td><a href="#M{number}">{code(method.method)}</a></td>'
            f"<td>{badge(_COLOURS[method.claim], method.claim.value)}</td>"
            f'<td class="right">{runs}</td><td>{bar} {covered} of {lines}</td>'
            f'<td class="right">{method.seconds:.2f}</td></tr>'
        )
    return table(("method", "result", "runs", "lines covered", "seconds"), rows)


def _method(done: MethodExploration, number: int, href: Href) -> str:
    counts = ", ".join(f"{n} {status}" for status, n in done.counts.items())
    static = done.static
    paths = "no bound on paths" if static.paths is None else counted(static.paths, "path")
    parts = [
        f'<h2 id="M{number}">Method {code(done.method)} '
        f"{badge(_COLOURS[done.claim], done.claim.value)}</h2>",
        f"<p>Runs: {escape(counts or 'none')}. In the text: {counted(static.blocks, 'block')}, "
        f"{counted(static.loops, 'loop')}, {paths}.</p>",
    ]
    if static.dead_lines:
        lines = ", ".join(map(str, static.dead_lines))
        parts.append(f"<p>No run can come to lines {lines}.</p>")
    if static.uninitialised:
        names = ", ".join(map(code, static.uninitialised))
        parts.append(f"<p>Read before it is assigned: {names}.</p>")
    if done.inlined:
        names = ", ".join(map(code, done.inlined))
        parts.append(f"<p>With the bodies of {names}, whatever their contracts say.</p>")
    if done.open:
        reasons = "".join(f"<li>{escape(why)}</li>" for why in done.open)
        parts.append(f"<p>What is open:</p><ul>{reasons}</ul>")
    parts += [_failure(run, href) for run in first_of_each(done)]
    if done.picture is not None:
        file = done.places[0].span if done.places else None
        svg = picture_svg(done.picture, lambda line: href(_file(file), line))
        parts.append(
            "<details open><summary>Control flow: green edges were taken, red ones were not"
            f'</summary><div class="scroll" tabindex="0">{svg}</div></details>'
        )
    parts.append(runs_html(done))
    return "".join(parts)


def _file(span: Span | None) -> str:
    return "" if span is None else str(span.file.path)


def first_of_each(done: MethodExploration) -> list[ExploredRun]:
    """Of failures that are alike, the first: certain ones before doubtful ones."""
    found: dict[tuple[str, int], ExploredRun] = {}
    for run in (*done.certain_failures, *done.failures, *done.beyond):
        assert run.finding is not None
        found.setdefault((run.finding.id, run.finding.span.start), run)
    return list(found.values())


def _failure(run: ExploredRun, href: Href) -> str:
    finding = run.finding
    assert finding is not None
    line = finding.span.line
    link = f'<a href="{href(_file(finding.span), line)}">line {line}</a>'
    parts = [f"<h3>{code(finding.id)} in {link}</h3><p>{escape(finding.message)}</p>"]
    parts.append(inputs_html(run.test))
    if run.assuming:
        names = ", ".join(map(code, run.assuming))
        parts.append(f"<p>If the axioms of {names} have a model with these values.</p>")
    parts += [f"<p>{badge('yellow', 'doubtful')} {escape(why)}</p>" for why in run.doubts]
    kind = "failure doubtful" if run.doubts else "failure"
    return f'<section class="{kind}">{"".join(parts)}</section>'


def _looks(done: Exploration, file: str) -> dict[int, LineLook]:
    failing: dict[int, list[str]] = {}
    for number, method in enumerate(done.methods):
        for run in first_of_each(method):
            finding = run.finding
            if finding is not None and _file(finding.span) == file and not run.doubts:
                said = f'<b>fails</b> <a href="#M{number}">{escape(finding.message)}</a>'
                failing.setdefault(finding.span.line, []).append(said)
    branches = branch_counts(done.methods, file)
    found = {}
    counts = line_counts(done.methods).get(file, {})
    for line in sorted({*counts, *failing}):
        runs = counts.get(line)
        missed = any(0 in sides and sum(sides) for sides in branches.get(line, []))
        kind, title = _kind(runs, missed=missed)
        count = "" if runs is None else str(runs)
        found[line] = LineLook(kind, count, title, tuple(failing.get(line, [])))
    return found


def _kind(runs: int | None, *, missed: bool) -> tuple[str, str]:
    if runs is None:
        return "", ""
    if not runs:
        return "no", "not run"
    if missed:
        return "some", "run, but one side of a branch was never taken"
    return "yes", f"{runs} runs"
