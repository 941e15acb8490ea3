"""The remarks of a report about the failing path."""

from __future__ import annotations

from pathlib import Path

from pitviper.results.finding import Condition, Event
from pitviper.results.report import FileReport, Problem
from pitviper.results.verdict import Verdict
from pitviper.source.diagnostic import Severity
from pitviper.source.span import SourceFile, Span
from pitviper.views.json.lines import report_objects
from pitviper.views.sarif import sarif_text
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import MOST_CONDITIONS, path_remarks, problem_text, told_once

FILE = SourceFile(Path("a.vpr"), "m(x)\nassert b\n")
HERE, CALL = Span(FILE, 5, 13), Span(FILE, 0, 4)


def problem(*conditions: Condition, other_paths: int = 0) -> Problem:
    return Problem(
        "assert.failed:insufficient.permission",
        Severity.ERROR,
        HERE,
        "Assert might fail.",
        conditions=conditions,
        other_paths=other_paths,
        history=(Event("the permission was given up by this call of m", CALL),),
        held=("acc(y.f)",),
    )


def test_decisions_with_their_lines() -> None:
    taken = Condition("n > 0", HERE, taken=True)
    not_taken = Condition("x == null", HERE, taken=False, used=CALL)
    assert path_remarks(problem(taken, not_taken)) == [
        "on the path where n > 0 (line 2) and x != null (line 2, used at line 1)",
        "held here: acc(y.f)",
    ]


def test_other_paths_are_counted() -> None:
    taken = Condition("b", HERE, taken=True)
    assert path_remarks(problem(taken, other_paths=1))[0].endswith(", and on 1 other path")
    assert path_remarks(problem(taken, other_paths=2))[0].endswith(", and on 2 other paths")


def test_only_the_last_of_many_decisions_are_shown() -> None:
    many = [Condition(f"b{i}", HERE, taken=True) for i in range(MOST_CONDITIONS + 2)]
    shown = path_remarks(problem(*many))[0]
    assert shown.startswith("on the path where 2 more decisions and b2 (line 2)")
    assert "b0 (line 2)" in path_remarks(problem(*many[:-1]))[0]


def test_the_event_is_marked_in_the_excerpt() -> None:
    text = problem_text(problem(), Page(lambda _, text: text))
    assert "---- the permission was given up by this call of m" in text


def test_machines_get_all_of_it() -> None:
    report = FileReport(FILE.path, Verdict.REFUTED, (problem(Condition("b", HERE, taken=False)),))
    finding = report_objects(report)[0]
    assert finding["held"] == ["acc(y.f)"]
    assert finding["conditions"] == [
        {
            "text": "b",
            "taken": False,
            "holds": "!b",
            "file": "a.vpr",
            "start": [2, 1],
            "end": [2, 9],
            "used": None,
        }
    ]
    sarif = sarif_text([report], 1)
    assert '"codeFlows"' in sarif and '"!b"' in sarif


def test_the_same_words_are_told_once_with_their_lines() -> None:
    file = SourceFile(Path("b.vpr"), "x.f\nx.f x.f\nx.f\ny\n")
    places = [Span(file, at, at + 3) for at in (0, 4, 8, 12)]
    same = [
        Problem("typechecker.error", Severity.ERROR, at, "undeclared field `f`", help="declare it")
        for at in places
    ]
    other = Problem("typechecker.error", Severity.ERROR, Span(file, 16, 17), "undeclared `y`")
    told = told_once([*same, other, other])
    assert [problem.span for problem in told] == [places[0], other.span]
    assert told[0].notes == ("the same in lines 2 and 3",)
    assert told[1].notes == ()
