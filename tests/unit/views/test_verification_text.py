"""How a verification looks in a terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pitviper.results.finding import Finding
from pitviper.results.report import FileReport, Problem, problems_of_outcome
from pitviper.results.verdict import Crash, MemberOutcome, Undecided, Verdict
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import coloured, plain
from pitviper.views.terminal.verification import closing_line, member_line, outcome_text

FILE = SourceFile(Path("a.vpr"), "method m(n: Int)\n{ assert n > 0 && n < 5 }\n")
PAGE = Page(plain)
FINDING = Finding(
    "assert.failed", "assertion.false", Span(FILE, 26, 40), "m", "Assert might fail. MSG",
    Span(FILE, 35, 40),
)  # fmt: skip
FINE = MemberOutcome("m", "method")
BAD = replace(FINE, findings=(FINDING,))
OPEN = replace(FINE, undecided=(Undecided(Span(FILE, 26, 31), "too hard"),))
CRASHED = replace(FINE, crash=Crash("bug", "trace"))


def report(*outcomes: MemberOutcome, verdict: Verdict = Verdict.VERIFIED) -> FileReport:
    problems = tuple(p for outcome in outcomes for p in problems_of_outcome(outcome))
    members = {f"{o.name}{n}": o.verdict for n, o in enumerate(outcomes)}
    return FileReport(FILE.path, verdict, problems, members, 0.0, None, outcomes)


def test_a_finding_with_its_failing_part() -> None:
    assert outcome_text(BAD, PAGE).splitlines() == [
        "error[assert.failed:assertion.false]: Assert might fail. MSG",
        " --> a.vpr:2:10",
        "  |",
        "2 | { assert n > 0 && n < 5 }",
        "  |          ^^^^^^^^^^^^^^",
        "  |                   ----- this might not hold",
        "",
    ]


def test_what_is_undecided_has_a_place() -> None:
    assert outcome_text(OPEN, PAGE).splitlines()[:2] == [
        "undecided: too hard",
        " --> a.vpr:2:10",
    ]


def test_warnings_come_before_findings() -> None:
    warning = Diagnostic("verifier.warning", Severity.WARNING, Span(FILE, 0, 6), "odd")
    text = outcome_text(replace(BAD, warnings=(warning,)), PAGE)
    assert text.startswith("warning[verifier.warning]: Verifier warning: odd\n")
    assert text.index("warning") < text.index("error[")


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (FINE, "  verified   method m"),
        (BAD, "  refuted    method m: 1 error"),
        (replace(BAD, omitted=3), "  refuted    method m: 1 error, 3 more not shown"),
        (OPEN, "  undecided  method m"),
        (CRASHED, "  undecided  method m: internal error"),
        (replace(FINE, seconds=1.26), "  verified   method m (1.3 s)"),
    ],
)
def test_one_line_for_each_member(outcome: MemberOutcome, line: str) -> None:
    assert member_line(outcome, PAGE) == line


def test_colours_do_not_move_columns() -> None:
    line = member_line(FINE, Page(coloured))
    assert line == "  \x1b[1;32mverified \x1b[0m  method m"


REJECTED = FileReport(
    FILE.path,
    Verdict.REJECTED,
    (Problem("typechecker.error", Severity.ERROR, None, "MSG"),),
)


@pytest.mark.parametrize(
    ("reports", "line"),
    [
        ([report(FINE, FINE), report(FINE)], "Verified 3 members in 2 files (1.50 s)."),
        ([report()], "Nothing to verify in 1 file (1.50 s)."),
        (
            [report(FINE, BAD, verdict=Verdict.REFUTED)],
            "Found 1 error: 1 verified, 1 refuted of 2 members in 1 file (1.50 s).",
        ),
        (
            [report(FINE, OPEN, verdict=Verdict.UNDECIDED)],
            "Undecided: 1 verified, 1 undecided of 2 members in 1 file (1.50 s).",
        ),
        (
            [report(FINE, CRASHED, BAD, verdict=Verdict.REFUTED)],
            "Internal error: 1 verified, 1 refuted, 1 undecided of 3 members in 1 file (1.50 s).",
        ),
        ([REJECTED], "Found 1 error: 1 of 1 file rejected (1.50 s)."),
        (
            [report(FINE), REJECTED],
            "Found 1 error: 1 verified of 1 member, 1 of 2 files rejected (1.50 s).",
        ),
    ],
)
def test_the_last_line(reports: list[FileReport], line: str) -> None:
    assert closing_line(reports, PAGE, 1.5) == line


def test_warnings_and_errors_left_out_are_counted() -> None:
    warning = Diagnostic("verifier.warning", Severity.WARNING, Span(FILE, 0, 6), "odd")
    noticed = report(replace(FINE, warnings=(warning,)))
    assert closing_line([noticed], PAGE, 0.0) == "Verified 1 member in 1 file, 1 warning (0.00 s)."
    cut = report(replace(BAD, omitted=2), verdict=Verdict.REFUTED)
    assert closing_line([cut], PAGE, 0.0).startswith("Found 3 errors: ")
