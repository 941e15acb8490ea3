"""What is wrong with the macros of a program."""

from __future__ import annotations

from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.span import Span


class MacroLog:
    """Collects diagnostics; a place has one error at most, for the next ones follow from it."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._failed: set[Span] = set()

    def error(
        self, span: Span, message: str, related: tuple[Related, ...] = (), help: str | None = None
    ) -> None:
        if self.is_first(span):
            self.diagnostics.append(
                Diagnostic("parser.error", Severity.ERROR, span, message, related, help)
            )

    def warning(self, span: Span, message: str, related: tuple[Related, ...] = ()) -> None:
        self.diagnostics.append(
            Diagnostic("parser.warning", Severity.WARNING, span, message, related)
        )

    @property
    def failed(self) -> bool:
        return bool(self._failed)

    def is_first(self, span: Span) -> bool:
        """Has this place had no error so far? From now on it has."""
        if span in self._failed:
            return False
        self._failed.add(span)
        return True

    def add(self, other: MacroLog) -> None:
        self.diagnostics.extend(other.diagnostics)
        self._failed.update(other._failed)
