"""The outcome of a suite as text: mismatches with both sides, then sums by folder."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TypeAlias

from pitviper.results.suite import (
    FAILURES,
    FolderSum,
    ProgramResult,
    Status,
    sum_of,
    sums_by_folder,
)
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import shortened
from pitviper.views.terminal.style import Style, visible

_COLUMNS = (
    ("agree", (Status.AGREES, Status.KNOWN_ISSUE)),
    ("differ", FAILURES),
    ("on purpose", (Status.DELIBERATE,)),
    ("undecided", (Status.UNDECIDED,)),
    ("not judged", (Status.IGNORED, Status.NOT_JUDGED)),
)


def mismatch_text(result: ProgramResult, page: Page) -> str:
    """One program that does not behave as annotated: what was expected beside what came."""
    title = f"{page.paint(Style.ERROR, result.status.value)}: {result.name}"
    lines = [f"{title} ({result.seconds:.2f} s)"]
    lines += [f"  {line}" for line in visible_lines(result.note)]
    rows = _side_by_side(result)
    if rows:
        lines += table_lines(("line", "expected", "actual"), rows, indent=2)
    for mismatch in result.mismatches:
        where = "no line" if mismatch.line is None else f"line {mismatch.line}"
        said = f": {shortened(visible(mismatch.detail))}" if mismatch.detail else ""
        lines.append(f"  {mismatch.fault.value}, {where}, {mismatch.id}{said}")
    return "\n".join(lines)


def visible_lines(text: str) -> list[str]:
    return [visible(line) for line in text.rstrip().split("\n") if line]


def _side_by_side(result: ProgramResult) -> list[Row]:
    """All lines that something was expected on or came from, in order; no line comes last."""
    expected: dict[int | None, list[str]] = {}
    actual: dict[int | None, list[str]] = {}
    for annotation in result.expected:
        said = annotation.id or annotation.kind.value
        mark = "" if annotation.issue is None else f" ({annotation.kind.value})"
        expected.setdefault(annotation.line, []).append(said + mark)
    for output in result.actual:
        actual.setdefault(output.line, []).append(output.id)
    lines = sorted({*expected, *actual}, key=lambda line: (line is None, line or 0))
    rows: list[Row] = []
    for line in lines:
        left, right = expected.get(line, []), actual.get(line, [])
        for at in range(max(len(left), len(right))):
            number = "-" if line is None else str(line)
            rows.append((number, _at(left, at), _at(right, at)))
    return rows


def _at(texts: list[str], index: int) -> str:
    return texts[index] if index < len(texts) else "-"


def summary_text(results: Sequence[ProgramResult], page: Page, elapsed: float) -> str:
    """The table by folder and one closing line."""
    sums = sums_by_folder(results)
    total = sum_of("total", results)
    shown = [*sums, total] if len(sums) > 1 else [total]
    header = ("folder", "programs", *(title for title, _ in _COLUMNS), "agreement", "seconds")
    table = table_lines(header, [_row(part) for part in shown], right=range(1, len(header)))
    return "\n".join([*table, "", _closing_line(total, page, elapsed)])


def _row(part: FolderSum) -> Row:
    counts = (_count(part, statuses) for _, statuses in _COLUMNS)
    shown = (str(count) if count else "." for count in counts)
    return (part.folder or ".", str(part.total), *shown, agreement(part), f"{part.seconds:.1f}")


def agreement(part: FolderSum) -> str:
    """Of the judged programs; a difference on purpose does not agree."""
    return f"{100 * part.agreeing / part.judged:.1f} %" if part.judged else "-"


def _count(part: FolderSum, statuses: Iterable[Status]) -> int:
    return sum(part.counts.get(status, 0) for status in statuses)


def _closing_line(total: FolderSum, page: Page, elapsed: float) -> str:
    failed = _count(total, FAILURES)
    undecided = total.counts.get(Status.UNDECIDED, 0)
    if failed:
        verdict = page.paint(Style.ERROR, f"{failed} of {total.judged} differ")
    elif undecided:
        verdict = page.paint(Style.WARNING, f"{undecided} of {total.judged} undecided")
    else:
        verdict = page.paint(Style.HELP, f"all {total.judged} as expected")
    return f"{verdict}, {total.total} programs in {elapsed:.1f} s."


Row: TypeAlias = Sequence[str]


def table_lines(
    header: Row, rows: Sequence[Row], *, indent: int = 0, right: Container[int] = ()
) -> list[str]:
    """The header, a rule and the rows; columns in `right` are set to the right."""
    widths = [max(len(row[at]) for row in (header, *rows)) for at in range(len(header))]
    rule = ["-" * width for width in widths]
    margin = " " * indent
    lines = []
    for row in (header, rule, *rows):
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((margin + "  ".join(cells)).rstrip())
    return lines
