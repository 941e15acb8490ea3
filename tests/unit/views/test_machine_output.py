"""JSON lines and SARIF: names that other programs rely on."""

from __future__ import annotations

import json
from pathlib import Path

from pitviper.results.report import FileReport, Problem
from pitviper.results.verdict import Verdict
from pitviper.source.diagnostic import Related, Severity
from pitviper.source.span import SourceFile, Span
from pitviper.views.json.lines import json_line, report_objects
from pitviper.views.sarif import sarif_text

FILE = SourceFile(Path("dir/a file.vpr"), "field f: Int\nfield f: Ref\n")
PROBLEM = Problem(
    "typechecker.error",
    Severity.ERROR,
    Span(FILE, 19, 20),
    "duplicate identifier `f`",
    "m",
    (Related(Span(FILE, 6, 7), "first here"),),
    "rename one",
)
REPORT = FileReport(FILE.path, Verdict.REJECTED, (PROBLEM,), {"m": Verdict.UNDECIDED}, 0.1234)


def test_json_lines() -> None:
    finding, result = (json.loads(json_line(value)) for value in report_objects(REPORT))
    assert finding == {
        "kind": "finding",
        "file": "dir/a file.vpr",
        "id": "typechecker.error",
        "severity": "error",
        "start": [2, 7],
        "end": [2, 8],
        "member": "m",
        "message": "duplicate identifier `f`",
        "readable": "duplicate identifier `f` (a file.vpr@2.7--2.8)",
        "related": [
            {"file": "dir/a file.vpr", "start": [1, 7], "end": [1, 8], "message": "first here"}
        ],
        "help": "rename one",
        "conditions": [],
        "other_paths": 0,
        "history": [],
        "held": [],
        "notes": [],
        "cures": [],
    }
    assert result == {
        "kind": "result",
        "schema": 1,
        "file": "dir/a file.vpr",
        "verdict": "rejected",
        "accepted": False,
        "errors": 1,
        "warnings": 0,
        "members": {"m": "undecided"},
        "seconds": 0.123,
        "reason": None,
        "details": {},
    }


def test_json_is_one_ascii_line_whatever_the_message() -> None:
    problem = Problem("parser.error", Severity.ERROR, None, "line\nbreak \u2028 é \ud800")
    line = json_line(report_objects(FileReport(FILE.path, Verdict.REJECTED, (problem,)))[0])
    assert line.isascii()
    assert "\n" not in line
    assert json.loads(line)["start"] is None


def test_sarif() -> None:
    log = json.loads(sarif_text([REPORT], exit_code=1))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["tool"]["driver"]["name"] == "Pitviper"
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] == "error"
    assert result["message"]["text"] == "duplicate identifier `f`\nHelp: rename one"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "dir/a%20file.vpr"
    region = {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 8}
    assert place["region"] == region
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_sarif_without_place_and_without_problems() -> None:
    problem = Problem("parser.error", Severity.WARNING, None, "MSG")
    log = json.loads(sarif_text([FileReport(FILE.path, Verdict.REJECTED, (problem,))], 0))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert "region" not in place
    empty = json.loads(sarif_text([FileReport(FILE.path, Verdict.UNDECIDED)], 0))
    assert empty["runs"][0]["results"] == []
