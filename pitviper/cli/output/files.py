"""The files of `pitviper verify`, one report each: remembered, or made now."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pitviper.base.memory import paused_collector
from pitviper.cli.options import library_folders, run_options, verify_options
from pitviper.cli.start import tell
from pitviper.results.verdict import Verdict
from pitviper.source.reading import Decoded, Inputs, named, require_readable

if TYPE_CHECKING:
    from pitviper.cli.output.verification import TextWatch
    from pitviper.driver.cache.edits import Edit, EditCache
    from pitviper.driver.cache.files import FileCache, Remembered
    from pitviper.driver.front.frontend import FrontEnd
    from pitviper.driver.verify.verify import ProgramOutcome, Verifier
    from pitviper.results.profile import MemberProfile
    from pitviper.results.report import FileReport
    from pitviper.source.span import SourceFile

    ShowProfile: TypeAlias = Callable[[list[MemberProfile], SourceFile], None]

NO_MEMBERS = "it has no method, function or predicate"


def tell_nothing(path: Path) -> None:
    """Says that a file holds nothing of which success could be said."""
    from pitviper.views.paths import display_path

    tell(f"pitviper: warning: {display_path(path)}: nothing to verify: {NO_MEMBERS}\n")


def tell_if_nothing(front: FrontEnd) -> None:
    program = front.program
    if program is not None and not (program.methods or program.functions or program.predicates):
        tell_nothing(front.source.path)


def reports(
    arguments: argparse.Namespace,
    inputs: Inputs,
    watch: TextWatch | None = None,
    show_profile: ShowProfile | None = None,
) -> Iterator[FileReport]:
    """One report per file, made when it is asked for; all files are readable before the first.

    A profile, where one is wanted, is shown after its file.
    """
    paths = [named(name) for name in arguments.files]
    require_readable(paths)
    files = _Files(arguments, watch)
    with ExitStack() as stack:
        for path in paths:
            decoded = inputs.read(path)
            report = files.report(decoded, stack)
            _tell_crashes(report, arguments)
            if report.verdict is Verdict.VERIFIED and not report.members:
                tell_nothing(path)
            yield report
            profiles = files.take_profiles()
            if profiles and show_profile is not None:
                show_profile(profiles, decoded.source)
    for problem in files.problems():
        tell(f"pitviper: warning: {problem}\n")


class _Files:
    """Loads the verifier only when a file needs it."""

    def __init__(self, arguments: argparse.Namespace, watch: TextWatch | None) -> None:
        self._watch = watch
        self._options = verify_options(arguments)
        self._how = run_options(arguments)
        self._library = library_folders(arguments)
        self._cache = self._open_cache()
        self._edits: EditCache | None = None
        self._verifier: Verifier | None = None

    def report(self, file: Decoded, stack: ExitStack) -> FileReport:
        start = time.perf_counter()
        found = None if self._cache is None else self._cache.find(file)
        if found is not None:
            return self._replay(file.source.path, found, start)
        if self._verifier is None:
            self._verifier = self._open_verifier(stack)
        report = self._verify_edit(file, self._verifier, start)
        return report or self._verify(file, self._verifier, start)

    def take_profiles(self) -> list[MemberProfile]:
        """Of the members that were verified since this was asked last."""
        if self._how.profiler is None:
            return []
        taken = list(self._how.profiler.members)
        self._how.profiler.members.clear()
        return taken

    def problems(self) -> list[str]:
        """What did no harm but to the speed, each once."""
        found = [] if self._verifier is None else list(self._verifier.problems)
        if self._cache is not None and self._cache.problem is not None:
            found.append(self._cache.problem)
        return list(dict.fromkeys(found))

    def _open_cache(self) -> FileCache | None:
        from pitviper.driver.cache.files import FileCache
        from pitviper.driver.cache.folder import CacheFolder

        if self._how.cache is None or self._options.solver_log is not None:
            return None
        return FileCache(CacheFolder(self._how.cache), self._options, self._library)

    def _open_verifier(self, stack: ExitStack) -> Verifier:
        with paused_collector():
            from pitviper.driver.cache.edits import EditCache
            from pitviper.driver.verify.verify import open_verifier

        if self._cache is not None and not self._options.select:
            self._edits = EditCache(self._cache.folder, self._options, self._library)
        opened = open_verifier(self._options, self._library, self._watch, self._how)
        return stack.enter_context(opened)

    def _replay(self, path: Path, found: Remembered, start: float) -> FileReport:
        from pitviper.base.record import replace

        if self._watch is not None:
            self._watch.replay(path, found.diagnosed, found.report.outcomes)
        return replace(found.report, seconds=time.perf_counter() - start)

    def _verify_edit(self, file: Decoded, verifier: Verifier, start: float) -> FileReport | None:
        """Where a file is known but for an edit: None if it is not, or the edit concerns all."""
        from pitviper.driver.verify.verify import verification_report

        path = file.source.path
        edit = None if self._edits is None else self._edits.find(file)
        front = None if edit is None else verifier.read_edit(edit)
        if edit is None or front is None:
            return None
        done = verifier.verify_edit(front, edit, lambda: self._begin(path))
        if done is None:
            return None
        report = verification_report(path, done, time.perf_counter() - start)
        self._remember(done, report, edit)
        return report

    def _begin(self, path: Path) -> None:
        if self._watch is not None:
            self._watch.file(path, ())

    def _remember(self, done: ProgramOutcome, report: FileReport, edit: Edit | None = None) -> None:
        from pitviper.driver.verify.verify import diagnosed

        front = done.front
        if self._cache is not None:
            self._cache.save(front, diagnosed(front, front.diagnostics), report)
        if self._edits is not None:
            self._edits.save(done, report, edit)

    def _verify(self, file: Decoded, verifier: Verifier, start: float) -> FileReport:
        from pitviper.driver.verify.verify import diagnosed, verification_report

        path = file.source.path
        front = verifier.read(file)
        noticed = diagnosed(front, front.diagnostics)
        if self._watch is not None:
            self._watch.file(path, noticed)
        done = verifier.verify(front)
        report = verification_report(path, done, time.perf_counter() - start)
        if self._watch is not None:
            self._watch.rejected(diagnosed(front, done.rejected))
        self._remember(done, report)
        return report


def _tell_crashes(report: FileReport, arguments: argparse.Namespace) -> None:
    from pitviper.views.paths import display_path

    for outcome in report.outcomes:
        if outcome.crash is not None:
            from pitviper.cli.crash import describe_member

            file = display_path(report.file)
            said = describe_member(file, outcome.name, outcome.crash, debug=arguments.debug)
            tell(said)
