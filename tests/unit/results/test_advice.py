"""What is said beside a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.results.finding import Finding
from pitviper.results.report import problem_of_finding
from pitviper.results.wording import LONGEST_QUOTE, advice_for, label_of
from pitviper.source.span import SourceFile, Span

FILE = SourceFile(Path("a.vpr"), "x.f := y / z\n" + "a" * 100 + "\n")


def finding(error: str, reason: str, start: int = 11, end: int = 12) -> Finding:
    return Finding(error, reason, Span(FILE, 0, 12), "m", "MSG", Span(FILE, start, end))


def test_advice_quotes_the_program() -> None:
    wrong = finding("assignment.failed", "division.by.zero")
    assert advice_for(wrong) == "make sure that `z` is not 0, or test it before"
    assert label_of(wrong) == "this might be zero"


@pytest.mark.parametrize(("start", "end"), [(0, 12), (0, 14), (13, 13 + LONGEST_QUOTE + 1), (3, 3)])
def test_what_cannot_be_quoted_is_described(start: int, end: int) -> None:
    wrong = finding("assert.failed", "division.by.zero", start, end)
    assert advice_for(wrong) == "make sure that the divisor is not 0, or test it before"


@pytest.mark.parametrize(
    ("error", "part"),
    [
        ("not.wellformed", "has to come first"),
        ("assignment.failed", "before: full permission"),
        ("postcondition.violated", "has to leave this permission behind"),
        ("unfold.failed", "has to be held"),
    ],
)
def test_missing_permission_depends_on_who_needs_it(error: str, part: str) -> None:
    assert part in str(advice_for(finding(error, "insufficient.permission")))


def test_silence_where_nothing_is_obvious() -> None:
    assert advice_for(finding("assert.failed", "assertion.false")) is None
    assert advice_for(finding("internal", "insufficient.permission")) is None
    assert label_of(finding("assert.failed", "something.new")) == "this part"


def test_the_offending_part_is_a_second_place() -> None:
    problem = problem_of_finding(finding("assert.failed", "assertion.false"))
    assert [(r.span.start, r.message) for r in problem.related] == [(11, "this might not hold")]
    whole = problem_of_finding(finding("assert.failed", "assertion.false", 0, 12))
    assert whole.related == ()
