"""The mismatches of a suite as problems of its programs, for views that show problems only."""

from __future__ import annotations

from pathlib import Path

from pitviper.results.annotations import Mismatch
from pitviper.results.report import FileReport, Problem
from pitviper.results.suite import FAILURES, ProgramResult
from pitviper.source.diagnostic import Severity
from pitviper.source.file import SourceFile
from pitviper.source.reading import decode, read_bytes
from pitviper.source.span import Span

MISMATCH = "suite.mismatch"


def suite_report(root: Path, result: ProgramResult) -> FileReport:
    """A report of a program below `root`; without problems where it behaves as annotated."""
    path = (root if root.is_dir() else root.parent) / result.name
    if result.status not in FAILURES:
        return FileReport(path, result.verdict, seconds=result.seconds)
    file = decode(path, read_bytes(path)).source
    problems = tuple(_problem(mismatch, file) for mismatch in result.mismatches)
    if not problems:
        said = f"{result.status.value}: {result.note}"
        problems = (Problem(MISMATCH, Severity.ERROR, None, said),)
    return FileReport(path, result.verdict, problems, seconds=result.seconds)


def _problem(mismatch: Mismatch, file: SourceFile) -> Problem:
    said = f"{mismatch.fault.value}: {mismatch.id or mismatch.detail}"
    return Problem(MISMATCH, Severity.ERROR, _line_span(file, mismatch.line), said)


def _line_span(file: SourceFile, line: int | None) -> Span | None:
    """The whole line; an error of an imported file may be on a line that this file lacks."""
    if line is None or line > file.line_count:
        return None
    start = file.offset(line, 1)
    return Span(file, start, start + len(file.line_text(line)))
