"""The outcome of a suite: both sides of a mismatch, sums, JSON."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from pitviper.results.annotations import Output, read_annotations
from pitviper.results.suite import EngineRun, Expectation, ProgramResult, Status, judge
from pitviper.results.verdict import Verdict
from pitviper.views.json.suite import program_object, summary_object
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import plain
from pitviper.views.terminal.suite import mismatch_text, summary_text

PAGE = Page(plain)


def mismatch() -> ProgramResult:
    annotations = read_annotations("//:: ExpectedOutput(parser.error)\nx\n", Path("a.vpr"))
    outputs = (Output("typechecker.error", 2, "MSG"), Output("internal", None, "boo"))
    run = EngineRun(outputs, Verdict.REJECTED)
    return judge(Expectation(PurePosixPath("all/a.vpr"), annotations), run, 0.25)


def test_both_sides_of_a_mismatch() -> None:
    assert mismatch_text(mismatch(), PAGE) == (
        "mismatch: all/a.vpr (0.25 s)\n"
        "  line  expected      actual\n"
        "  ----  ------------  -----------------\n"
        "  2     parser.error  typechecker.error\n"
        "  -     -             internal\n"
        "  additional output, line 2, typechecker.error: MSG\n"
        "  additional output, no line, internal: boo\n"
        "  expected output is missing, line 2, parser.error"
    )


def test_summary() -> None:
    fine = ProgramResult(PurePosixPath("wands/b.vpr"), Status.AGREES, Verdict.UNDECIDED, 1.0)
    assert summary_text([mismatch(), fine], PAGE, 2.0) == (
        "folder  programs  agree  differ  on purpose  undecided  not judged  agreement  seconds\n"
        "------  --------  -----  ------  ----------  ---------  ----------  ---------  -------\n"
        "all            1      .       1           .          .           .      0.0 %      0.2\n"
        "wands          1      1       .           .          .           .    100.0 %      1.0\n"
        "total          2      1       1           .          .           .     50.0 %      1.2\n"
        "\n"
        "1 of 2 differ, 2 programs in 2.0 s."
    )


def test_json() -> None:
    result = mismatch()
    value = program_object(result)
    assert (value["status"], value["verdict"]) == ("mismatch", "rejected")
    assert value["expected"] == [
        {"annotation": "ExpectedOutput", "id": "parser.error", "line": 2, "issue": None}
    ]
    summary = summary_object([result], 1.0)
    assert summary["kind"] == "summary"
    assert (summary["judged"], summary["agreeing"]) == (1, 0)
    assert summary["statuses"] == {"mismatch": 1}
