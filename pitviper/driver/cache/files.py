"""Answers about whole files that did not change since an earlier run: not even parsed again.

NOTE(file-cache). An answer is remembered under the text of the file and the options. It counts if
all files that were looked for on behalf of imports have the texts they had then, or cannot be read
as they could not be read then, and, where there are imports, if the file has the name it had. An
answer with an open question is never remembered.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from pitviper.base.digest import blake2b
from pitviper.base.json_text import read_json
from pitviper.base.place import absolute
from pitviper.base.record import names_of, record, replace
from pitviper.driver.cache.folder import CacheFolder
from pitviper.driver.cache.outline import home_of, read_again, states_of
from pitviper.driver.cache.serialise import Json, NotStorable, Unreadable, from_json, to_json
from pitviper.driver.cache.stamp import stamp
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.report import FileReport, Problem
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.source.reading import STDIN, Decoded
from pitviper.source.span import SourceFile, Span

if TYPE_CHECKING:
    from pitviper.driver.front.frontend import FrontEnd


@record
class Remembered:
    """What an earlier run has said: about the text, and in all.

    A file is alone if no other one was looked for on its behalf.
    """

    diagnosed: tuple[Problem, ...]
    report: FileReport
    is_alone: bool


class FileCache:
    """Answers about files, for one choice of options and library folders."""

    def __init__(
        self, folder: CacheFolder, options: VerifyOptions, library: tuple[Path, ...]
    ) -> None:
        self.folder = folder
        folders = [absolute(path) for path in library]
        self._start = [stamp(), *file_option_texts(options), *folders]

    @property
    def problem(self) -> str | None:
        """Why nothing is remembered."""
        return self.folder.problem

    def find(self, decoded: Decoded) -> Remembered | None:
        if decoded.source.path == STDIN or decoded.problem is not None:
            return None
        key = self._key(decoded.source)
        text = self.folder.read(key)
        if text is None:
            return None
        try:
            return _read(text, decoded.source)
        except (Unreadable, ValueError):
            self.folder.forget(key)
            return None

    def save(self, front: FrontEnd, diagnosed: tuple[Problem, ...], report: FileReport) -> None:
        if report.file == STDIN or not is_answer(report):
            return
        files = _Files(front)
        try:
            inner = [to_json(diagnosed, files.write_span), to_json(report, files.write_span)]
        except NotStorable:
            return
        home = home_of(report.file, front.imports)
        data: list[Json] = [home, states_of(front.imports), *inner]
        self.folder.write(self._key(front.source), json.dumps(data, separators=(",", ":")))

    def _key(self, source: SourceFile) -> str:
        digest = blake2b(digest_size=24)
        for text in (*self._start, source.text):
            data = text.encode("utf-8", "surrogatepass")
            digest.update(b"%d " % len(data) + data)
        return digest.hexdigest()


def is_answer(report: FileReport) -> bool:
    decided = all(not o.undecided and o.crash is None for o in report.outcomes)
    return decided and report.verdict in (Verdict.VERIFIED, Verdict.REFUTED)


class _Files:
    """The files of a program: the main one has the number 0, imported ones follow."""

    def __init__(self, front: FrontEnd) -> None:
        found = [front.source, *[f for _, f in front.imports if isinstance(f, SourceFile)]]
        self._numbers = {file: number for number, file in enumerate(found)}

    def write_span(self, span: Span) -> Json:
        number = self._numbers.get(span.file)
        if number is None:
            raise NotStorable(f"{span.file} is no file of the program")
        return [number, span.start, span.end]


def _read(text: str, source: SourceFile) -> Remembered | None:
    match read_json(text):
        case [str(home), list(expected), list(diagnosed), dict(report)]:
            pass
        case _:
            raise Unreadable("no answer about a file")
    imports = read_again(source.path, home, expected)
    if imports is None:
        return None
    files = [source, *[file for _, file in imports if isinstance(file, SourceFile)]]

    def read_span(data: Json) -> Span:
        match data:
            case [int(number), int(start), int(end)] if 0 <= number < len(files):
                return Span(files[number], start, end)
        raise Unreadable("no place")

    told, said = from_json(diagnosed, read_span), from_json(report, read_span)
    if not isinstance(told, tuple) or not _is_report(said):
        raise Unreadable("no report")
    outcomes = tuple([replace(o, seconds=0.0, remembered=True) for o in said.outcomes])
    problems = tuple([problem for problem in told if isinstance(problem, Problem)])
    about = replace(said, file=source.path, outcomes=outcomes)
    return Remembered(problems, about, is_alone=not imports)


def _is_report(said: object) -> TypeGuard[FileReport]:
    """Whether it has the shape of what is saved: an answer without open questions."""
    match said:
        case FileReport(verdict=Verdict(), members=dict(), outcomes=outcomes, problems=problems):
            return _are(MemberOutcome, outcomes) and _are(Problem, problems) and is_answer(said)
    return False


def _are(kind: type[object], values: object) -> bool:
    return isinstance(values, tuple) and all(isinstance(value, kind) for value in values)


NEVER_CHANGE_AN_ANSWER = frozenset(["errors", "select", "timeout", "solver_log", "cures"])
"""How much is told, about which members, and when to give up: an open question is no answer."""


NEVER_CHANGE_A_REPORT = frozenset(["timeout", "solver_log"])


def option_texts(options: VerifyOptions) -> list[str]:
    """Every option, as it is chosen, that may change what is found out about a member."""
    return _texts(options, NEVER_CHANGE_AN_ANSWER)


def file_option_texts(options: VerifyOptions) -> list[str]:
    """Every option, as it is chosen, that may change what is told about a file."""
    return _texts(options, NEVER_CHANGE_A_REPORT)


def _texts(options: VerifyOptions, without: frozenset[str]) -> list[str]:
    return [
        f"{name}={getattr(options, name)!r}" for name in names_of(options) if name not in without
    ]
