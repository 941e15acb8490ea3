"""The outcome of a suite as JSON: one object per program, then the summary."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.results.annotations import Annotation
from pitviper.results.suite import FolderSum, ProgramResult, Status, sum_of, sums_by_folder
from pitviper.views.json.lines import JsonObject, parts_of, plain


def program_object(result: ProgramResult) -> JsonObject:
    return {
        "kind": "result",
        "file": str(result.name),
        "verdict": result.verdict.value,
        "members": {name: verdict.value for name, verdict in result.members.items()},
        "seconds": round(result.seconds, 3),
        "status": result.status.value,
        "expected": [_expected(annotation) for annotation in result.expected],
        "actual": [parts_of(output, "id", "line", "place", "message") for output in result.actual],
        "mismatches": plain(result.mismatches),
        "note": result.note or None,
    }


def summary_object(results: Sequence[ProgramResult], elapsed: float) -> JsonObject:
    return {
        "kind": "summary",
        **_sum(sum_of("", results)),
        "folders": {part.folder or ".": _sum(part) for part in sums_by_folder(results)},
        "elapsed": round(elapsed, 3),
    }


def _sum(part: FolderSum) -> JsonObject:
    return {
        "programs": part.total,
        "judged": part.judged,
        "agreeing": part.agreeing,
        "statuses": {
            status.value: part.counts[status] for status in Status if status in part.counts
        },
        "seconds": round(part.seconds, 3),
    }


def _expected(annotation: Annotation) -> JsonObject:
    return {
        "annotation": annotation.kind.value,
        "id": annotation.id or None,
        "line": annotation.line,
        "issue": None if annotation.issue is None else str(annotation.issue),
    }
