"""Problems as diagnostics of the protocol, and answers about members that follow their members.

An answer of the verifier belongs to the text that it was given for. When the text changes, what is
wrong with a member is shown as long as the member's own text is the same, wherever it moves. That
it is verified is said only as long as all that it may rest on is the same, too: contracts,
functions, predicates, fields, axioms, macros and imports. What is dropped counts as not verified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from lsprotocol import types as lsp

from pitviper.base.record import record, struct
from pitviper.results.report import Problem
from pitviper.results.verdict import Verdict
from pitviper.servers.lsp.protocol.positions import position_in_lines, range_of
from pitviper.source.diagnostic import Severity
from pitviper.source.edit import Cure
from pitviper.source.span import SourceFile, Span
from pitviper.views.ids import meaning_uri

SOURCE = "pitviper"

Data: TypeAlias = "dict[str, object]"
"""A JSON object of the worker."""

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
}


def problem_diagnostic(problem: Problem, path: Path, version: int) -> lsp.Diagnostic:
    """Returns a problem of the front end; one in an imported file stands at the start."""
    start = lsp.Position(0, 0)
    here = problem.span is not None and problem.span.file.path == path
    place = range_of(problem.span) if problem.span is not None and here else lsp.Range(start, start)
    message = problem.message
    if problem.span is not None and not here:
        message = f"{problem.span}: {message}"
    if problem.help:
        message = f"{message}\n{problem.help}"
    return lsp.Diagnostic(
        place,
        message,
        severity=_SEVERITIES.get(problem.severity, lsp.DiagnosticSeverity.Information),
        code=problem.id,
        code_description=lsp.CodeDescription(meaning_uri(problem.id)),
        source=SOURCE,
        related_information=[
            lsp.DiagnosticRelatedInformation(
                lsp.Location(related.span.file.path.absolute().as_uri(), range_of(related.span)),
                related.message,
            )
            for related in problem.related
        ],
        data={"member": problem.member, "version": version, "cures": _own_cures(problem, path)},
    )


def _own_cures(problem: Problem, path: Path) -> list[Data]:
    """The changes that the front end knows, where they are about this text."""
    return [
        {
            "title": cure.action,
            "edits": [{"range": range_of(e.span), "newText": e.text} for e in cure.edits],
        }
        for cure in problem.cures
        if all(edit.span.file.path == path for edit in cure.edits)
    ]


def problem_data(problem: Problem) -> Data:
    """Returns a problem as plain data for another process; places count from 1."""
    span = problem.span
    return {
        "id": problem.id,
        "severity": problem.severity.value,
        "message": problem.message,
        "help": problem.help,
        "member": problem.member,
        "place": None if span is None else place_data(span),
        "related": [{"place": place_data(r.span), "message": r.message} for r in problem.related],
        "history": [{"place": place_data(e.span), "message": e.text} for e in problem.history],
        "conditions": [condition.holds for condition in problem.conditions],
        "held": list(problem.held),
        "cures": [_cure_data(cure) for cure in problem.cures],
    }


def _cure_data(cure: Cure) -> Data:
    """A change of the text as plain data."""
    edits = [{"place": place_data(edit.span), "text": edit.text} for edit in cure.edits]
    return {"title": cure.action, "edits": edits}


def place_data(span: Span) -> Data:
    """Returns a place as plain data: file, first and last line and column."""
    path = str(span.file.path.absolute())
    start, end = span.start_position, span.end_position
    return {"file": path, "start": list(start), "end": list(end)}


@record
class MemberProblems:
    """The answer about one member: `text` and `line` are those of the member it was given for.

    `rests_on` stands for the rest of the text that the answer depends on, `version` is that of the
    text: places outside of the member are right in that version only.
    """

    name: str
    verdict: str
    text: str
    line: int
    problems: tuple[Data, ...] = ()
    inferred: tuple[Data, ...] = ()
    rests_on: str = ""
    version: int = 0


@struct
class Problems:
    """What a verifier said about the members of a text, as far as it still is about that text."""

    members: dict[str, MemberProblems]

    def follow(self, span_of: Callable[[str], Span | None], rests_on: str) -> None:
        """Drops answers about members whose text changed, and good ones that rest on a change."""
        kept = {}
        for name, known in self.members.items():
            span = span_of(name)
            same = known.rests_on == rests_on or known.verdict != Verdict.VERIFIED.value
            if span is not None and span.text == known.text and same:
                kept[name] = known
        self.members = kept

    def diagnostics(self, source: SourceFile) -> list[lsp.Diagnostic]:
        """Returns the problems of all members, where these stand now."""
        lines = source.text.split("\n")
        found: list[lsp.Diagnostic] = []
        for known in self.members.values():
            at = source.text.find(known.text) if known.text else -1
            line = source.line_column(at)[0] if at >= 0 else known.line
            shift = line - known.line
            for data in known.problems:
                shown = _diagnostic(data, source, lines, shift)
                changes = _cures(data, source, lines)
                shown.data = {
                    "member": data.get("member"), "version": known.version, "cures": changes
                }  # fmt: skip
                found.append(shown)
        return found


def _diagnostic(data: Data, source: SourceFile, lines: list[str], shift: int) -> lsp.Diagnostic:
    text = f"{_elsewhere(data, source)}{data['message']}"
    conditions = data.get("conditions") or []
    if isinstance(conditions, list) and conditions:
        text += "\non the path where " + " and ".join(str(c) for c in conditions)
    if data.get("help"):
        text += f"\n{data['help']}"
    severity = lsp.DiagnosticSeverity.Error
    if data["severity"] != Severity.ERROR.value:
        severity = lsp.DiagnosticSeverity.Warning
    return lsp.Diagnostic(
        _range(data.get("place"), source, lines, shift),
        text,
        severity=severity,
        code=str(data["id"]),
        code_description=lsp.CodeDescription(meaning_uri(str(data["id"]))),
        source=SOURCE,
        related_information=_related(data, source, lines, shift),
    )


def _cures(data: Data, source: SourceFile, lines: list[str]) -> list[Data]:
    """The changes that the verifier's advice names, where they are about this text."""
    listed = data.get("cures")
    here = str(source.path.absolute())
    return [
        {
            "title": cure["title"],
            "edits": [
                {"range": _range(e["place"], source, lines, 0), "newText": e["text"]}
                for e in cure["edits"]
            ],
        }
        for cure in (listed if isinstance(listed, list) else [])
        if all(edit["place"]["file"] == here for edit in cure["edits"])
    ]


def _elsewhere(data: Data, source: SourceFile) -> str:
    """The place of a problem in an imported file, which is shown at the start of this one."""
    place = data.get("place")
    if not isinstance(place, Mapping) or place["file"] == str(source.path.absolute()):
        return ""
    line, column = place["start"]
    return f"{Path(place['file']).name}:{line}:{column}: "


def _related(
    data: Data, source: SourceFile, lines: list[str], shift: int
) -> list[lsp.DiagnosticRelatedInformation]:
    found = []
    for key in ("related", "history"):
        listed = data.get(key)
        for item in listed if isinstance(listed, list) else []:
            place = item["place"]
            same = place["file"] == str(source.path.absolute())
            where = _range(place, source, lines, shift if same else 0, anywhere=True)
            uri = Path(place["file"]).as_uri()
            found.append(
                lsp.DiagnosticRelatedInformation(lsp.Location(uri, where), str(item["message"]))
            )
    return found


def _range(
    place: object,
    source: SourceFile,
    lines: list[str],
    shift: int,
    *,
    anywhere: bool = False,
) -> lsp.Range:
    if not isinstance(place, Mapping):
        return lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    if place["file"] != str(source.path.absolute()) and not anywhere:
        return lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    (l1, c1), (l2, c2) = place["start"], place["end"]
    return lsp.Range(
        position_in_lines(lines, l1 + shift, c1), position_in_lines(lines, l2 + shift, c2)
    )
