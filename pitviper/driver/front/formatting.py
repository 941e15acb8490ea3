"""Formats a file and writes it back, without ever leaving half a file behind."""

from __future__ import annotations

import codecs
import time
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.file import write_file
from pitviper.base.record import record
from pitviper.base.usage_error import UsageError
from pitviper.languages.registry import language_of
from pitviper.results.report import FileReport, problem_of_diagnostic
from pitviper.results.verdict import Verdict
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.reading import STDIN, decode, read_bytes
from pitviper.source.span import SourceFile
from pitviper.syntax.format.formatter import Formatted, format_source


@record
class FormattedFile:
    """`after` is `before` where the program could not be parsed; `report` then says why."""

    before: str
    after: str
    report: FileReport
    marked: bool = False
    """The file starts with a byte order mark, and shall go on doing so."""

    @property
    def ok(self) -> bool:
        return self.report.accepted

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def piped(self) -> bool:
        return self.report.file == STDIN


def format_file(path: Path) -> FormattedFile:
    """The file as it is and as it should be; nothing is written."""
    start = time.perf_counter()
    decoded = decode(path, read_bytes(path))
    before = decoded.source.text
    if decoded.problem is not None:
        return FormattedFile(before, before, _report(path, (decoded.problem,), None, start))
    formatted = _formatted(decoded.source)
    report = _report(path, formatted.diagnostics, formatted.text, start)
    after = before if formatted.text is None else formatted.text
    return FormattedFile(before, after, report, decoded.marked)


def formatted_text(source: SourceFile) -> str | None:
    """Returns a text laid out, or None where it cannot be parsed."""
    return _formatted(source).text


def _formatted(source: SourceFile) -> Formatted:
    """By the formatter of the language; a text of one that has none stays as it is."""
    language = language_of(source.path)
    if language is None:
        return run_deep(lambda: format_source(source))
    layout = language.layout
    if layout is None:
        return Formatted(source.text, ())
    return run_deep(lambda: Formatted(*layout(source)))


def rewrite(formatted: FormattedFile) -> None:
    """Replace the file in one step, keeping its access rights; a link stays a link."""
    path = formatted.report.file
    if not path.is_file():
        raise UsageError(f"cannot write {path}: it is no file that can be changed")
    mark = codecs.BOM_UTF8 if formatted.marked else b""
    write_file(path, mark + formatted.after.encode("utf-8"))


def _report(
    path: Path, diagnostics: tuple[Diagnostic, ...], text: str | None, start: float
) -> FileReport:
    verdict = Verdict.REJECTED if text is None else Verdict.UNDECIDED
    problems = tuple(problem_of_diagnostic(d) for d in diagnostics)
    return FileReport(path, verdict, problems, seconds=time.perf_counter() - start)
