"""Explorations as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pitviper.results.exploration import Claim, Exploration, ExploredRun, MethodExploration
from pitviper.results.report import problem_of_finding
from pitviper.source.diagnostic import Severity
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import problem_text
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import Style

_STYLES = {
    Claim.PROVED: Style.HELP,
    Claim.HOLDS: Style.NOTE,
    Claim.FAILS: Style.ERROR,
    Claim.OPEN: Style.WARNING,
}


def method_text(done: MethodExploration, page: Page) -> str:
    """Failures with their inputs, then one line about the method, then what is open."""
    parts = [_failure(run, page) for run in first_failures(done)]
    kind = "function" if done.is_function else "method"
    word, style = done.claim.value, _STYLES[done.claim]
    covered, lines = done.coverage
    runs = sum(n for status, n in done.counts.items() if status != "infeasible")
    line = (
        f"  {page.paint(style, f'{word:<6}')}  {kind} {visible(done.method)}: "
        f"{counted(runs, 'run')}, {covered} of {counted(lines, 'line')} covered"
    )
    parts.append(f"{line} ({done.seconds:.2f} s)\n")
    if done.inlined:
        bodies = ", ".join(map(visible, done.inlined))
        parts.append(f"          with the bodies of {bodies}, whatever their contracts say\n")
    parts += [f"          open: {visible(why)}\n" for why in done.open]
    return "".join(parts)


def first_failures(done: MethodExploration) -> list[ExploredRun]:
    """Of those that fail alike, the first: certain ones before doubtful ones."""
    found: dict[tuple[str, int], ExploredRun] = {}
    for run in (*done.certain_failures, *done.failures, *done.beyond):
        assert run.finding is not None
        found.setdefault((run.finding.id, run.finding.span.start), run)
    return list(found.values())


def _failure(run: ExploredRun, page: Page) -> str:
    assert run.finding is not None
    problem = problem_of_finding(run.finding)
    if run.doubts:
        problem = replace(problem, severity=Severity.WARNING)
    lines = [problem_text(problem, page), f"  {page.paint(Style.NOTE, 'inputs')}"]
    lines += [f"    {visible(name)} = {visible(value)}" for name, value in shown_inputs(run)]
    if run.assuming:
        lines.append(f"  if the axioms of {', '.join(run.assuming)} have a model with these values")
    lines += [f"  {page.paint(Style.WARNING, 'doubtful')}: {visible(why)}" for why in run.doubts]
    return "\n".join(lines) + "\n\n"


def shown_inputs(run: ExploredRun) -> Sequence[tuple[str, str]]:
    if run.test is None or not run.test.inputs:
        return [("(none)", "any input")]
    return [(name, value) for name, value in run.test.inputs if value != "?"] or [
        ("(all)", "any input")
    ]


def closing_line(done: Exploration, page: Page) -> str:
    words = [method.claim.value for method in done.methods]
    counts = [f"{words.count(word)} {word}" for word in dict.fromkeys(words)]
    skipped = "".join(f"  skipped method {name}: {why}\n" for name, why in done.skipped)
    functions = sum(method.is_function for method in done.methods)
    total = counted(len(words) - functions, "method")
    if functions:
        total += f" and {counted(functions, 'function')}"
    return f"{skipped}Explored {total}: {', '.join(counts) or 'none'} ({done.seconds:.2f} s)."
