"""Explorations as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.results.exploration import Exploration, ExploredRun, MethodExploration
from pitviper.results.report import problem_of_finding
from pitviper.results.verdict import Verdict
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import problem_text
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import Style

_WORDS = {
    Verdict.VERIFIED: ("proved", Style.HELP),
    Verdict.REFUTED: ("fails", Style.ERROR),
    Verdict.UNDECIDED: ("open", Style.WARNING),
    Verdict.REJECTED: ("rejected", Style.ERROR),
}


def method_text(done: MethodExploration, page: Page) -> str:
    """Failures with their inputs, then one line about the method, then what is open."""
    parts = [_failure(run, page) for run in first_failures(done)]
    word, style = _word(done), _WORDS[done.verdict][1]
    covered, lines = done.coverage
    runs = sum(n for status, n in done.counts.items() if status != "infeasible")
    line = (
        f"  {page.paint(style, f'{word:<6}')}  method {visible(done.method)}: "
        f"{counted(runs, 'run')}, {covered} of {counted(lines, 'line')} covered"
    )
    parts.append(f"{line} ({done.seconds:.2f} s)\n")
    if done.inlined:
        bodies = ", ".join(map(visible, done.inlined))
        parts.append(f"          with the bodies of {bodies}, whatever their contracts say\n")
    parts += [f"          open: {visible(why)}\n" for why in done.open]
    return "".join(parts)


def _word(done: MethodExploration) -> str:
    is_proved = done.verdict is Verdict.VERIFIED
    return "holds" if is_proved and done.inlined else _WORDS[done.verdict][0]


def first_failures(done: MethodExploration) -> list[ExploredRun]:
    """Of those that fail alike, the first: certain ones before doubtful ones."""
    found: dict[tuple[str, int], ExploredRun] = {}
    for run in (*done.certain_failures, *done.failures):
        assert run.finding is not None
        found.setdefault((run.finding.id, run.finding.span.start), run)
    return list(found.values())


def _failure(run: ExploredRun, page: Page) -> str:
    assert run.finding is not None
    problem = problem_of_finding(run.finding)
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
    words = [_word(method) for method in done.methods]
    counts = [f"{words.count(word)} {word}" for word in dict.fromkeys(words)]
    skipped = "".join(f"  skipped method {name}: {why}\n" for name, why in done.skipped)
    total = counted(len(words), "method")
    return f"{skipped}Explored {total}: {', '.join(counts) or 'none'} ({done.seconds:.2f} s)."
