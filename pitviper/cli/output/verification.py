"""Writes what a verification finds while it goes on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.cli.output import stdout
from pitviper.results.report import Problem
from pitviper.results.verdict import MemberOutcome
from pitviper.views.paths import display_path
from pitviper.views.terminal.bars import MembersBar
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import problem_text, told_once
from pitviper.views.terminal.style import Style, visible
from pitviper.views.terminal.verification import member_line, outcome_text, suggestions_text

if TYPE_CHECKING:
    from pitviper.results.profile import MemberProfile
    from pitviper.source.span import SourceFile


class TextWatch:
    """A `Watch` of the driver; `quiet` leaves out all but findings, and suggestions if wanted.

    What is undecided is then told by one line at the end, see `undecided_line`.
    """

    def __init__(self, page: Page, bar: MembersBar, *, quiet: bool, suggest: bool = False) -> None:
        self._page = page
        self._bar = bar
        self._quiet = quiet
        self._suggest = suggest
        self._apart = False
        """Whether an empty line stands behind what was written last."""

    def file(self, path: Path, problems: tuple[Problem, ...]) -> None:
        """A file was read, with these problems."""
        self._bar.next_file()
        title = self._page.paint(Style.TITLE, visible(display_path(path)))
        self._write("" if self._quiet else f"{title}\n")
        self.rejected(problems)

    def rejected(self, problems: tuple[Problem, ...]) -> None:
        told = "".join(f"{problem_text(each, self._page)}\n\n" for each in told_once(problems))
        gap = "" if self._quiet or self._apart or not told else "\n"
        self._write(f"{gap}{told}")
        self._apart = bool(told)

    def started(self, member: str, done: int, total: int) -> None:
        self._bar.started(member, done, total)

    def curing(self, member: str) -> None:
        self._bar.curing(member)

    def finished(self, outcome: MemberOutcome) -> None:
        self._bar.finished(outcome)
        told = outcome_text(outcome, self._page, undecided=not self._quiet)
        if self._quiet:
            self._write(told)
        else:
            gap = "\n" if told and not self._apart else ""
            self._apart = False
            self._write(f"{gap}{told}{member_line(outcome, self._page)}\n")
        if self._suggest:
            self._write(suggestions_text(outcome))

    def replay(
        self, path: Path, problems: tuple[Problem, ...], outcomes: tuple[MemberOutcome, ...]
    ) -> None:
        """All about a file that is known."""
        self.file(path, problems)
        for outcome in outcomes:
            self.finished(outcome)

    def _write(self, text: str) -> None:
        if text:
            with self._bar.hidden():
                stdout.write(text)
                sys.stdout.flush()


def show_profile_text(profiles: list[MemberProfile], source: SourceFile) -> None:
    from pitviper.views.terminal.profile import profile_text

    stdout.write(profile_text(profiles, source))


def show_profile_json(profiles: list[MemberProfile], source: SourceFile) -> None:
    from pitviper.views.json.lines import json_line
    from pitviper.views.terminal.profile import profile_objects

    for value in profile_objects(profiles):
        stdout.write_line(json_line({**value, "file": str(source.path)}))
