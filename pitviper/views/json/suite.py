"""The outcome of a suite as JSON: one object per program, then the summary."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.results.annotations import Annotation, Mismatch, Output
from pitviper.results.suite import FolderSum, ProgramResult, Status, sum_of, sums_by_folder
from pitviper.views.json.lines import JsonObject


def program_object(result: ProgramResult) -> JsonObject:
    return {
        "kind": "result",
        "file": str(result.name),
        "verdict": result.verdict.value,
        "members": {name: verdict.value for name, verdict in result.members.items()},
        "seconds": round(result.seconds, 3),
        "status": result.status.value,
        "expected": [_expected(annotation) for annotation in result.expected],
        "actual": [_actual(output) for output in result.actual],
        "mismatches": [_mismatch(mismatch) for mismatch in result.mismatches],
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


def _actual(output: Output) -> JsonObject:
    return {
        "id": output.id,
        "line": output.line,
        "place": output.place,
        "message": output.message,
    }


def _mismatch(mismatch: Mismatch) -> JsonObject:
    return {
        "fault": mismatch.fault.value,
        "id": mismatch.id,
        "line": mismatch.line,
        "detail": mismatch.detail,
    }
