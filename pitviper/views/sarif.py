"""SARIF 2.1.0, the exchange format for findings of analysis tools."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from pitviper.results.report import FileReport, Problem
from pitviper.results.verdict import Undecided
from pitviper.source.diagnostic import Related, Severity
from pitviper.source.span import Span
from pitviper.version import VERSION
from pitviper.views.json.lines import Json, JsonObject
from pitviper.views.paths import display_path

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

UNDECIDED = "undecided"

_RULES = {
    "parser.error": "The text is no program.",
    "parser.warning": "The text is a Viper program with something questionable.",
    "typechecker.error": "A name or a type is wrong.",
    "typechecker.warning": "Types are right, but questionable.",
    "consistency.error": "A side condition of the language is violated.",
    "verifier.warning": "Something has no effect on verification.",
    "suite.mismatch": "A program does not behave as its annotations say.",
    UNDECIDED: "Neither proved nor refuted.",
}
"""Rules of the front end; the rules of findings are their ids."""

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def sarif_text(reports: Iterable[FileReport], exit_code: int) -> str:
    """One log with one run; `exit_code` is the one that the command is about to return."""
    done = list(reports)
    problems = [(report, problem) for report in done for problem in report.problems]
    points = [(o.name, point) for report in done for o in report.outcomes for point in o.undecided]
    used = {problem.id for _, problem in problems} | ({UNDECIDED} if points else set())
    rules = sorted(used)
    run: JsonObject = {
        "tool": {"driver": _driver(rules)},
        "invocations": [_invocation(done, exit_code)],
        "columnKind": "unicodeCodePoints",
        "results": [
            *[_result(problem, report.file, rules) for report, problem in problems],
            *[_open(point, member, rules) for member, point in points],
        ],
    }
    log: JsonObject = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2)


def _invocation(reports: list[FileReport], exit_code: int) -> JsonObject:
    invocation: JsonObject = {"executionSuccessful": exit_code != 3, "exitCode": exit_code}
    crashes: list[Json] = [
        {
            "level": "error",
            "message": {"text": f"internal error in member {outcome.name}: {outcome.crash.said}"},
            "locations": [_location(None, report.file, outcome.name)],
        }
        for report in reports
        for outcome in report.outcomes
        if outcome.crash is not None
    ]
    return invocation | {"toolExecutionNotifications": crashes} if crashes else invocation


def _open(point: Undecided, member: str, rules: list[str]) -> JsonObject:
    """SARIF has a word for it: the tool could not decide whether there is a problem."""
    return {
        "ruleId": UNDECIDED,
        "ruleIndex": rules.index(UNDECIDED),
        "kind": "open",
        "level": "none",
        "message": {"text": point.message},
        "locations": [_location(point.span, point.span.file.path, member)],
    }


def _driver(rules: list[str]) -> JsonObject:
    return {
        "name": "Pitviper",
        "version": VERSION,
        "rules": [_rule(rule) for rule in rules],
    }


def _rule(rule: str) -> JsonObject:
    text = _RULES.get(rule, f"Obligation and reason {rule}.")
    return {"id": rule, "shortDescription": {"text": text}}


def _result(problem: Problem, file: Path, rules: list[str]) -> JsonObject:
    hint = "" if problem.help is None else f"\nHelp: {problem.help}"
    result: JsonObject = {
        "ruleId": problem.id,
        "ruleIndex": rules.index(problem.id),
        "level": _LEVELS[problem.severity],
        "message": {"text": problem.message + hint},
        "locations": [_location(problem.span, file, problem.member)],
    }
    places = [*problem.related, *[Related(event.span, event.text) for event in problem.history]]
    if places:
        result["relatedLocations"] = [_related(related) for related in places]
    if problem.conditions:
        result["codeFlows"] = [_path(problem)]
    if problem.held:
        result["properties"] = {"held": list(problem.held)}
    return result


def _path(problem: Problem) -> JsonObject:
    """The decisions on the failing path, then the failure."""
    steps: list[Json] = [_step(c.holds, c.span) for c in problem.conditions]
    if problem.span is not None:
        steps.append(_step(problem.message, problem.span))
    return {"threadFlows": [{"locations": steps}]}


def _step(text: str, span: Span) -> JsonObject:
    return {"location": _related(Related(span, text))}


def _location(span: Span | None, file: Path, member: str | None) -> JsonObject:
    location: JsonObject = {"physicalLocation": _physical(span, file)}
    if member is not None:
        location["logicalLocations"] = [{"name": member, "kind": "member"}]
    return location


def _related(related: Related) -> JsonObject:
    return {
        "physicalLocation": _physical(related.span, related.span.file.path),
        "message": {"text": related.message},
    }


def _physical(span: Span | None, file: Path) -> JsonObject:
    if span is None:
        return {"artifactLocation": {"uri": _uri(file)}}
    (start_line, start_column), (end_line, end_column) = span.start_position, span.end_position
    return {
        "artifactLocation": {"uri": _uri(span.file.path)},
        "region": {
            "startLine": start_line,
            "startColumn": start_column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    }


def _uri(path: Path) -> str:
    """Relative where the file is below the current folder, so the log can travel."""
    shown = display_path(path)
    return path.as_uri() if shown.startswith("/") else quote(os.fsencode(shown))
