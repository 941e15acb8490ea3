"""What is wrong with a text, in the words and places of Viper's tools."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from pitviper.servers.lsp.protocol.problems import Data, Problems, problem_diagnostic
from pitviper.servers.lsp.texts.document import Document
from pitviper.source.diagnostic import Severity


def viper_diagnostics(document: Document, cached: set[str]) -> list[lsp.Diagnostic]:
    """Every diagnostic has the source `viper`: the extension counts no others."""
    analysis = document.current()
    found = []
    for problem in analysis.problems:
        shown = problem_diagnostic(problem, analysis.source.path, document.version)
        failed = "Constructing the AST has failed: "
        prefix = failed if problem.severity is Severity.ERROR else ""
        found.append(_viper(shown, f"{prefix}{problem.readable}", shown.severity))
    if document.problems is None or not analysis.accepted:
        return found
    for name, known in document.problems.members.items():
        standard = Problems({name: known}).diagnostics(analysis.source)
        for data, shown in zip(known.problems, standard, strict=True):
            text = f"{data['message']} ({_place(data, shown, document.path)})"
            ending = " (cached)" if name in cached else "\n"
            warning = data["severity"] != Severity.ERROR.value and known.verdict == "verified"
            severity = lsp.DiagnosticSeverity.Warning if warning else lsp.DiagnosticSeverity.Error
            found.append(_viper(shown, f"{text}{ending}", severity))
    return found


def _place(data: Data, shown: lsp.Diagnostic, path: Path) -> str:
    """Where something fails, as Viper's tools write it; what is in another file stays there."""
    found = data.get("place")
    if isinstance(found, dict) and found["file"] != str(path.absolute()):
        (l1, c1), (l2, c2) = found["start"], found["end"]
        return f"{Path(found['file']).name}@{l1}.{c1}--{l2}.{c2}"
    start, end = shown.range.start, shown.range.end
    first = f"{start.line + 1}.{start.character + 1}"
    return f"{path.name}@{first}--{end.line + 1}.{end.character + 1}"


def refusal(word: str) -> lsp.Diagnostic:
    """An option that means nothing, told where ViperServer does: at the start of the text."""
    start = lsp.Position(0, 0)
    text = f"Invalid arguments have been passed to the backend: unknown option {word}"
    error = lsp.DiagnosticSeverity.Error
    return lsp.Diagnostic(lsp.Range(start, start), text, severity=error, source="viper")


def _viper(
    shown: lsp.Diagnostic, text: str, severity: lsp.DiagnosticSeverity | None
) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        shown.range,
        text,
        severity=severity,
        code=shown.code,
        source="viper",
        related_information=shown.related_information,
        data=shown.data,
    )
