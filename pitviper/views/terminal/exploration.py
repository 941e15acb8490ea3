"""Explorations as text for people."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pitviper.base.qualified import function_word
from pitviper.base.record import replace
from pitviper.driver.work.stop import Stop
from pitviper.results.exploration import (
    Claim,
    Exploration,
    ExploredRun,
    MethodExploration,
    Replayed,
    StaticBlock,
    StaticMethod,
)
from pitviper.results.report import problem_of_finding
from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.results.wording import shown_error
from pitviper.source.diagnostic import Severity
from pitviper.views.paths import display_path
from pitviper.views.remedies import with_remedies, with_remedy
from pitviper.views.terminal.bars import ExploreBar
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.paragraph import folded
from pitviper.views.terminal.problem import problem_text
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import ELLIPSIS, Style, cells_of, visible

_STYLES = {
    Claim.PROVED: Style.HELP,
    Claim.HOLDS: Style.NOTE,
    Claim.FAILS: Style.ERROR,
    Claim.OPEN: Style.WARNING,
}


Told = tuple[str, int]
"""A check and where it stands: failures of one are told once."""


def told_as(run: ExploredRun) -> Told:
    assert run.finding is not None
    return run.finding.id, run.finding.span.start


def method_text(done: MethodExploration, page: Page, told: Collection[Told] = ()) -> str:
    """Failures with their inputs, then one line about the method, then what is open.

    Those that were told while the search went on are not told again.
    """
    parts = [failure_text(run, page) for run in first_failures(done) if told_as(run) not in told]
    kind = function_word(done.method) if done.is_function else "method"
    word, style = done.claim.value, _STYLES[done.claim]
    covered, lines = done.coverage
    runs = sum(n for status, n in done.counts.items() if status != "infeasible")
    line = (
        f"  {page.paint(style, f'{word:<6}')}  {kind} {visible(done.method)}: "
        f"{counted(runs, 'run')}, {covered} of {counted(lines, 'line')} covered"
    )
    told_of = [f"{line} ({done.seconds:.2f} s)"]
    if done.inlined:
        bodies = ", ".join(map(visible, done.inlined))
        told_of.append(f"          with the bodies of {bodies}{_contracts(done.claim)}")
    if done.called:
        failing = to_blame(done)
        names = ", ".join(map(visible, failing))
        kept = "keeps its contract" if len(failing) == 1 else "keep their contracts"
        told_of.append(f"          if {names} {kept}, which is not so with the inputs above")
    told_of += [f"          open: {visible(why)}" for why in with_remedies(done.open)]
    return "".join([*parts, *[f"{part}\n" for each in told_of for part in _fitting(each, page)]])


def _fitting(line: str, page: Page) -> list[str]:
    return folded(line, page.columns) if page.broken else [line]


def _contracts(claim: Claim) -> str:
    """What the contracts of callees whose bodies were run have to do with it."""
    if claim is Claim.HOLDS:
        return ": it need not follow from their contracts"
    return "; their contracts are checked"


def first_failures(done: MethodExploration) -> list[ExploredRun]:
    """Of those that fail alike, the first: certain ones before doubtful ones."""
    found: dict[Told, ExploredRun] = {}
    for run in (*done.certain_failures, *done.failures, *done.beyond):
        found.setdefault(told_as(run), run)
    return list(found.values())


def failure_text(run: ExploredRun, page: Page) -> str:
    """A failing run with its inputs, and why it may be none."""
    assert run.finding is not None
    problem = problem_of_finding(run.finding)
    if run.doubts:
        problem = replace(problem, severity=Severity.WARNING)
    inputs = shown_inputs(run)
    label = page.paint(Style.NOTE, "inputs")
    lines = [problem_text(problem, page), f"  {label}{'' if inputs else _without(run)}"]
    lines += [f"    {visible(name)} = {visible(value)}" for name, value in inputs]
    if run.assuming:
        lines.append(f"  {_condition(run.assuming)}")
    doubtful = page.paint(Style.WARNING, "doubtful")
    doubts = [f"  {doubtful}: {visible(with_remedy(why))}" for why in run.doubts]
    lines += [part for why in doubts for part in _fitting(why, page)]
    return "\n".join(lines) + "\n\n"


def _condition(domains: tuple[str, ...]) -> str:
    return f"if the axioms of {', '.join(map(visible, domains))} have a model with these values"


def _without(run: ExploredRun) -> str:
    return ": whatever they are" if run.test is not None and run.test.inputs else ": none"


def to_blame(done: MethodExploration) -> list[str]:
    """Callees that fail in runs of the method."""
    return sorted({run.finding.member for run in done.called if run.finding is not None})


def shown_inputs(run: ExploredRun) -> Sequence[tuple[str, str]]:
    """Those that the run looked at."""
    inputs = () if run.test is None else run.test.inputs
    return [(name, value) for name, value in inputs if value != "?"]


def closing_line(done: Exploration, page: Page) -> str:
    words = [method.claim.value for method in done.methods]
    counts = [f"{words.count(word)} {word}" for word in dict.fromkeys(words)]
    skipped = "".join(f"  skipped method {name}: {why}\n" for name, why in done.skipped)
    functions = [function_word(method.method) for method in done.methods if method.is_function]
    total = counted(len(words) - len(functions), "method")
    if functions:
        total += f" and {counted(len(functions), functions[0])}"
    told = {method.method for method in done.methods if method.claim is Claim.FAILS}
    failing = {name for method in done.methods for name in to_blame(method)} - told
    also = (
        f"; {', '.join(map(visible, sorted(failing)))} fails where it is called" if failing else ""
    )
    claims = f"{', '.join(counts) or 'none'}{also}"
    return f"{skipped}Explored {total}: {claims} ({done.seconds:.2f} s)."


def static_text(found: StaticMethod, page: Page) -> str:
    """A line with numbers, then the blocks with what is known where they begin."""
    ways = "endless" if found.paths is None else str(found.paths)
    if found.left is not None and found.left != found.paths:
        ways += f" ({found.left} feasible)"
    loops = counted(len(found.loops), "loop")
    lines = [
        f"method {visible(found.method)}: {counted(len(found.blocks), 'block')}, {loops}, "
        f"paths: {ways}; {counted(found.decided, 'condition')} known without a solver"
    ]
    if found.dead_lines:
        dead = ", ".join(map(str, found.dead_lines))
        lines.append(f"  {page.paint(Style.WARNING, 'never reached')}: line {dead}")
    if found.any_value:
        names = ", ".join(map(visible, found.any_value))
        lines.append(f"  {page.paint(Style.WARNING, 'read before it has a value')}: {names}")
    if found.versions:
        versions = ", ".join(f"{visible(name)} {count}" for name, count in found.versions)
        lines.append(f"  values by single assignment: {versions}")
    for block in found.blocks:
        lines += _block(block, found, page)
    return "\n".join(lines) + "\n\n"


def _block(block: StaticBlock, found: StaticMethod, page: Page) -> list[str]:
    loop = ", head of a loop" if block.number in found.loops else ""
    gone = "" if block.reachable else ", never reached"
    lines = [f"  block {block.number}{loop}{gone}"]
    if block.known:
        known = visible("; ".join(block.known))
        lines.append(f"      {page.paint(Style.NOTE, 'known')} {known}")
    lines += [f"      {visible(line)}" for line in block.lines]
    for edge in found.edges:
        if edge.source == block.number:
            condition = f" if {visible(edge.condition)}" if edge.condition else ""
            never = "" if edge.feasible else "  (never)"
            lines.append(f"      -> block {edge.target}{condition}{never}")
    return lines


def replayed_text(done: Replayed, page: Page) -> str:
    """How the run ends now, what fails in it, and how it ended before if that was otherwise."""
    what = f" with {done.finding} in line {done.line}" if done.finding else ""
    detail = f" ({visible(done.message)})" if done.message and not done.finding else ""
    style = Style.HELP if done.as_expected else Style.ERROR
    status = page.paint(style, done.status)
    lines = [f"method {visible(done.test.method)}: {status}{what}{detail}"]
    if done.run is not None and done.run.finding is not None:
        lines.append(problem_text(problem_of_finding(done.run.finding), page))
    if not done.as_expected:
        lines.append(f"  it was kept as: {visible(_before(done))}")
    if done.changed:
        note = page.paint(Style.NOTE, "note:")
        lines.append(f"  {note} the program has another text than the one the test was made for")
    lines.append(f"  {_against_before(done)}")
    return "\n".join(lines) + "\n"


def _against_before(done: Replayed) -> str:
    """What the exit code says: it compares with the run that was kept, which may have failed."""
    if not done.as_expected:
        return "not as it was kept (exit code 1); `explore --save-tests` keeps it anew"
    if done.test.finding:
        return "as it was kept (exit code 0): it is expected to fail until the program is mended"
    return "as it was kept (exit code 0)"


def _before(done: Replayed) -> str:
    test = done.test
    return f"{test.status} with {test.finding} in line {test.line}" if test.finding else test.status


_STYLES_of_wizard = {
    Colour.GREEN: Style.HELP,
    Colour.YELLOW: Style.WARNING,
    Colour.RED: Style.ERROR,
    Colour.UNREACHED: Style.NOTE,
}


_LABELS = {Colour.UNREACHED: "behind"}
"""Short words for colours whose names do not fit a column."""
_BELOW = "                "
_LONGEST = 60
"""Characters of an assertion that are shown, whole words of them."""


def wizard_text(report: WizardReport, page: Page) -> str:
    files = {place.span.file.path for place in report.places}
    where = [_where(place, several=len(files) > 1) for place in report.places]
    width = max([4, *map(cells_of, where)])
    lines = [
        part
        for place, at in zip(report.places, where, strict=True)
        for line in _lines(place, f"{'':<{width - cells_of(at)}}{at}", page)
        for part in _fitting(line, page)
    ]
    for name, why in report.undecided:
        reason = f" ({visible(why)})" if why else ""
        lines.append(f"  undecided by the verifier: {visible(name)}{reason}")
    for span in report.gained:
        lines.append(f"  now proved as well: line {span.line}: {_beginning(span.text)}")
    counts = [f"{len(report.with_colour(c))} {c.value}" for c in Colour]
    total = counted(len(report.places), "assertion")
    lines.append(f"{total}: {', '.join(counts)} ({counted(report.turns, 'turn')}).")
    if report.interrupted:
        lines.append(page.paint(Style.WARNING, "Interrupted: this is what is known so far."))
    if report.late:
        lines.append(page.paint(Style.WARNING, "The time is over: this is what is known so far."))
    return "\n".join(lines) + "\n"


def _where(place: ColouredPlace, *, several: bool) -> str:
    file = f"{visible(display_path(place.span.file.path))}:" if several else ""
    return f"{file}{place.span.line}"


def _lines(place: ColouredPlace, where: str, page: Page) -> list[str]:
    """An assertion with its colour, and what is said about it, below if it does not fit."""
    colour = page.paint(
        _STYLES_of_wizard[place.colour], f"{_LABELS.get(place.colour, place.colour.value):<6}"
    )
    beginning = visible(_beginning(place.span.text))
    error = f"[{shown_error(place.error, place.span)}]"
    said = [_why(place)] if place.colour in _NEED_NO_ID else [error, _why(place)]
    known = "".join([f"  {part}" for part in said if part])
    fits = not page.broken or cells_of(f"  123456  {where}  {beginning}{known}") <= page.columns
    head = f"  {colour}  {where}  {beginning}"
    lines = [head + known] if fits else [head, f"{_BELOW}{known.lstrip()}"]
    if place.test is not None:
        inputs = ", ".join(f"{n} = {v}" for n, v in place.test.inputs if v != "?")
        label = "would fail with" if place.colour is Colour.GREEN else "fails with"
        line = f"{_BELOW}{page.paint(Style.NOTE, label)} {visible(inputs) or 'any input'}"
        if place.test.method != place.member:
            line += f" in a run of {visible(place.test.method)}"
        lines.append(line)
    if place.assuming:
        lines.append(f"{_BELOW}{_condition(place.assuming)}")
    if place.doubt:
        label = "note" if place.colour is Colour.GREEN else "doubtful"
        doubt = place.doubt if place.colour is Colour.GREEN else with_remedy(place.doubt)
        lines.append(f"{_BELOW}{page.paint(Style.WARNING, label)}: {visible(doubt)}")
    if place.colour is Colour.YELLOW:
        for why in with_remedies(place.open)[:_SHOWN]:
            lines.append(f"{_BELOW}{page.paint(Style.NOTE, 'open')}: {visible(why)}")
    return lines


_NEED_NO_ID = (Colour.GREEN, Colour.UNREACHED)
"""Colours of assertions of which no error is known."""
_SHOWN = 2
"""Reasons why an assertion is yellow that are shown."""


def _why(place: ColouredPlace) -> str:
    if place.colour is Colour.YELLOW:
        if not place.ways and not place.left:
            return "not explored"
        known = f"{place.left} more known" if place.left else "no more known"
        share = int(place.covered * 100)
        return f"{counted(place.ways, 'way')} run, {known} ({share}%)"
    if place.colour is Colour.RED:
        return ""
    if place.colour is Colour.UNREACHED:
        return "something before it fails"
    bodies = f", with the bodies of {', '.join(map(visible, place.bodies))}" if place.bodies else ""
    if place.by == "exploration":
        said = "all ways were run" if place.ways else "no way leads here"
        why = f"by exploration: {said}{bodies}"
    else:
        why = "by the verifier"
    return f"{why}; the verifier's first error here is spurious" if place.spurious else why


def _beginning(text: str) -> str:
    """The first line, or the words of it that fit."""
    line = text.strip().splitlines()[0] if text.strip() else ""
    if len(line) <= _LONGEST:
        return line
    words, _, _ = line[:_LONGEST].rpartition(" ")
    return f"{words or line[: _LONGEST - 1]} {ELLIPSIS}"


class StopWithBar(Stop):
    """Tells a bar how the work goes on."""

    def __init__(self, bar: ExploreBar, seconds: float | None = None) -> None:
        super().__init__(seconds)
        self._bar = bar

    def begins(self, method: str, total: int) -> None:
        self._bar.begins(method, total)

    def tried(self, attempts: int) -> None:
        self._bar.tried(attempts)
