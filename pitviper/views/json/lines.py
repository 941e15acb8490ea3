"""One JSON object a line, with names that only ever grow in number."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeAlias, cast

from pitviper.base.record import is_record, names_of
from pitviper.results.finding import Condition, Event
from pitviper.results.ghost import GhostStep
from pitviper.results.report import FileReport, Problem
from pitviper.results.verdict import MemberOutcome
from pitviper.source.diagnostic import Related, Severity
from pitviper.source.edit import Cure
from pitviper.source.span import Span
from pitviper.views.paths import display_path

Json: TypeAlias = "str | int | float | bool | Mapping[str, Json] | list[Json] | None"
JsonObject: TypeAlias = "dict[str, Json]"


SCHEMA = 1
"""The version of all objects: it grows when a name goes away or changes its meaning, not when one
is added. `docs/reference/schema.json` describes them."""


def json_line(value: Mapping[str, Json]) -> str:
    """One line, with characters outside ASCII escaped, so any pipe carries it."""
    return json.dumps(value, separators=(", ", ": "))


def _file_and_place(span: Span) -> object:
    return {"file": str(span.file.path), **_place(span)}


def plain(value: object, place: Callable[[Span], object] = _file_and_place) -> Json:
    """Returns an enum by its value, a record by its fields, a collection by its items."""
    if isinstance(value, Span):
        return cast(Json, place(value))
    if isinstance(value, Enum):
        return plain(value.value)
    if is_record(value):
        return {name: plain(getattr(value, name), place) for name in names_of(value)}
    if isinstance(value, tuple | list):
        return [plain(item, place) for item in value]
    return cast(Json, value)


def parts_of(value: object, *names: str) -> JsonObject:
    """Returns the named fields of a value, in this order: their names are those of the object."""
    return {name: plain(getattr(value, name)) for name in names}


def report_objects(report: FileReport) -> list[JsonObject]:
    """The findings of a file, what is undecided, our own failures, then its result."""
    findings = [_finding(problem, report) for problem in report.problems]
    return [*findings, *_open_questions(report), *_crashes(report), result_object(report)]


def result_object(report: FileReport) -> JsonObject:
    return {
        "kind": "result",
        "schema": SCHEMA,
        "file": display_path(report.file),
        "verdict": report.verdict.value,
        "accepted": report.accepted,
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "members": {name: verdict.value for name, verdict in report.members.items()},
        "seconds": round(report.seconds, 3),
        "reason": report.reason,
        "details": {outcome.name: _details(outcome) for outcome in report.outcomes},
    }


def _details(outcome: MemberOutcome) -> JsonObject:
    return {
        "declared": outcome.kind,
        "errors": len(outcome.findings) + outcome.omitted,
        "omitted": outcome.omitted,
        "undecided": len(outcome.undecided),
        "seconds": round(outcome.seconds, 3),
        "inferred": [_ghost(step) for step in outcome.inferred],
        "remembered": outcome.remembered,
    }


def _ghost(step: GhostStep) -> JsonObject:
    """`where` says how the statement and the place belong together."""
    return {
        "statement": step.text,
        "where": step.where,
        "sometimes": step.sometimes,
        **_place(step.span),
    }


def _open_questions(report: FileReport) -> list[JsonObject]:
    return [
        {
            "kind": "undecided",
            "file": display_path(point.span.file.path),
            **_place(point.span),
            "member": outcome.name,
            "message": point.message,
        }
        for outcome in report.outcomes
        for point in outcome.undecided
    ]


def _crashes(report: FileReport) -> list[JsonObject]:
    return [
        {
            "kind": "crash",
            "file": display_path(report.file),
            "member": outcome.name,
            "message": outcome.crash.said,
            "trace": outcome.crash.trace,
        }
        for outcome in report.outcomes
        if outcome.crash is not None
    ]


def _finding(problem: Problem, report: FileReport) -> JsonObject:
    span = problem.span
    return {
        "kind": "finding",
        "file": display_path(report.file if span is None else span.file.path),
        "id": problem.id,
        "severity": problem.severity.value,
        **_place(span),
        "member": problem.member,
        "message": problem.message,
        "readable": problem.readable,
        "related": [_related(related) for related in problem.related],
        "help": problem.help,
        "conditions": [_condition(condition) for condition in problem.conditions],
        "other_paths": problem.other_paths,
        "history": [_event(event) for event in problem.history],
        "held": list(problem.held),
        "notes": list(problem.notes),
        "cures": [_cure(cure) for cure in problem.cures],
    }


def _cure(cure: Cure) -> JsonObject:
    """A change of the text; places count from 1, and an empty one is between two letters."""
    edits: list[Json] = [{**_place(edit.span), "text": edit.text} for edit in cure.edits]
    return {"title": cure.title, "harmless": cure.harmless, "edits": edits}


def _condition(condition: Condition) -> JsonObject:
    used = condition.used
    return {
        "text": condition.text,
        "taken": condition.taken,
        "holds": condition.holds,
        "file": display_path(condition.span.file.path),
        **_place(condition.span),
        "used": None if used is None else {"file": display_path(used.file.path), **_place(used)},
    }


def _event(event: Event) -> JsonObject:
    return {
        "text": event.text,
        "file": display_path(event.span.file.path),
        **_place(event.span),
    }


def _related(related: Related) -> JsonObject:
    return {
        "file": display_path(related.span.file.path),
        **_place(related.span),
        "message": related.message,
    }


def _place(span: Span | None) -> JsonObject:
    """Lines and columns count from 1, the end is exclusive; null where there is no place."""
    if span is None:
        return {"start": None, "end": None}
    return {"start": list(span.start_position), "end": list(span.end_position)}
