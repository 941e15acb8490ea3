"""Message texts that users of other Viper tools know."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.results.finding import Finding
from pitviper.results.report import problem_of_finding
from pitviper.results.wording import readable_message
from pitviper.source.span import SourceFile, Span

FILE = SourceFile(Path("folder/file.vpr"), "one\ntwo three\n")
SPAN = Span(FILE, 8, 13)


@pytest.mark.parametrize(
    ("problem_id", "text"),
    [
        ("parser.error", "Parse error: MSG (file.vpr@2.5--2.10)"),
        ("parser.warning", "Parse warning: MSG (file.vpr@2.5--2.10)"),
        ("typechecker.error", "MSG (file.vpr@2.5--2.10)"),
        ("typechecker.warning", "Type checker warning: MSG (file.vpr@2.5--2.10)"),
        ("consistency.error", "Consistency error: MSG (file.vpr@2.5--2.10)"),
        ("verifier.warning", "Verifier warning: MSG (file.vpr@2.5--2.10)"),
        ("assert.failed:assertion.false", "MSG (file.vpr@2.5--2.10)"),
    ],
)
def test_readable_messages(problem_id: str, text: str) -> None:
    assert readable_message(problem_id, "MSG", SPAN) == text


def test_no_position() -> None:
    assert readable_message("parser.error", "MSG", None) == "Parse error: MSG (<no position>)"


def test_a_finding_shows_its_offending_part_as_related_place() -> None:
    finding = Finding("assert.failed", "assertion.false", SPAN, "m", "MSG", Span(FILE, 8, 9))
    problem = problem_of_finding(finding)
    assert problem.id == "assert.failed:assertion.false"
    assert [related.span for related in problem.related] == [Span(FILE, 8, 9)]
    same = Finding("assert.failed", "assertion.false", SPAN, "m", "MSG", SPAN)
    assert problem_of_finding(same).related == ()
