"""The findings of the consistency checks, each place and message once."""

from __future__ import annotations

from pitviper.checking.cures import cure
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.edit import Cure
from pitviper.source.span import Span


class Findings:
    """Errors and warnings in the order in which they are found."""

    __slots__ = ("_seen", "errors", "free_names", "warnings")

    def __init__(self, *, free_names: bool = False) -> None:
        self.free_names = free_names
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self._seen: set[tuple[Span, str]] = set()

    def error(
        self,
        span: Span,
        message: str,
        *,
        related: tuple[Related, ...] = (),
        help: str | None = None,
        cures: tuple[Cure, ...] = (),
    ) -> None:
        if self._is_new(span, message):
            code = "consistency.error"
            advice = help or cure(message)
            told = Diagnostic(code, Severity.ERROR, span, message, related, advice, cures)
            self.errors.append(told)

    def warning(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        if self._is_new(span, message):
            self.warnings.append(Diagnostic(code, Severity.WARNING, span, message, help=help))

    def in_source_order(self) -> list[Diagnostic]:
        """All of them by place; files in the order in which something was found in them."""
        found = [*self.warnings, *self.errors]
        files: dict[object, int] = {}
        places = []
        for at, diagnostic in enumerate(found):
            span = diagnostic.span
            if span is not None:
                places.append((files.setdefault(span.file, len(files)), span.start, at))
        return [found[at] for _, _, at in sorted(places)]

    def _is_new(self, span: Span, message: str) -> bool:
        key = (span, message)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new
