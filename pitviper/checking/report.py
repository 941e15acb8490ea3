"""The findings of one run of the checker, kept apart by the phase in which Viper reports them."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record
from pitviper.checking.cures import cure
from pitviper.program.types import Type
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.edit import Cure
from pitviper.source.span import Span


class Phase(Enum):
    """An error of a phase is shown only if the phases before it found none."""

    TYPES = 1
    SHAPES = 2
    CONSISTENCY = 3

    @property
    def code(self) -> str:
        return "consistency.error" if self is Phase.CONSISTENCY else "typechecker.error"


@record
class Misfit:
    """A value of a type where another one has to stand."""

    span: Span
    found: Type
    expected: Type


class Report:
    """Collects diagnostics; the same finding at the same place is kept once."""

    __slots__ = ("_found", "_seen", "_warnings", "misfits")

    def __init__(self) -> None:
        self._found: dict[Phase, list[Diagnostic]] = {phase: [] for phase in Phase}
        self._warnings: list[Diagnostic] = []
        self._seen: set[tuple[str, Span]] = set()
        self.misfits: list[Misfit] = []
        """Also those that were forgotten: a type to try, no more."""

    def error(
        self,
        span: Span,
        message: str,
        *,
        help: str | None = None,
        related: tuple[Related, ...] = (),
        phase: Phase = Phase.TYPES,
    ) -> None:
        advice = help or cure(message)
        diagnostic = Diagnostic(phase.code, Severity.ERROR, span, message, related, advice)
        self._add(self._found[phase], diagnostic)

    def replace_type_errors(self, errors: list[Diagnostic]) -> None:
        """The errors of the type checker in better words."""
        self._found[Phase.TYPES] = errors

    def shape(self, span: Span, message: str, help: str | None, cures: tuple[Cure, ...]) -> None:
        """An error about the shape of a program, with changes that cure it."""
        code, advice = Phase.SHAPES.code, help or cure(message)
        diagnostic = Diagnostic(code, Severity.ERROR, span, message, (), advice, cures)
        self._add(self._found[Phase.SHAPES], diagnostic)

    def warning(
        self,
        span: Span,
        message: str,
        code: str = "typechecker.warning",
        *,
        help: str | None = None,
    ) -> None:
        self._add(self._warnings, Diagnostic(code, Severity.WARNING, span, message, help=help))

    def _add(self, found: list[Diagnostic], diagnostic: Diagnostic) -> None:
        assert diagnostic.span is not None
        key = (diagnostic.message, diagnostic.span)
        if key not in self._seen:
            self._seen.add(key)
            found.append(diagnostic)

    def told(self, message: str) -> list[Diagnostic]:
        """The errors of the type checker with this message."""
        return [each for each in self._found[Phase.TYPES] if each.message == message]

    @property
    def failed(self) -> bool:
        """Is there an error of the type checker?"""
        return bool(self._found[Phase.TYPES] or self._found[Phase.SHAPES])

    @property
    def type_errors(self) -> list[Diagnostic]:
        """The errors of the type checker so far."""
        return list(self._found[Phase.TYPES])

    @property
    def error_count(self) -> int:
        return len(self._found[Phase.TYPES])

    def shown(self) -> list[Diagnostic]:
        """The errors of the first phase that has some, after the warnings."""
        for phase in Phase:
            if self._found[phase]:
                return self._warnings + self._found[phase]
        return list(self._warnings)

    def mark(self) -> tuple[int, ...]:
        """A point to come back to with `forget_since`."""
        return (*(len(found) for found in self._found.values()), len(self._warnings))

    def forget_since(self, mark: tuple[int, ...]) -> None:
        """Drop what was found after `mark`, for an attempt that is given up."""
        for found, length in zip((*self._found.values(), self._warnings), mark, strict=True):
            for diagnostic in found[length:]:
                assert diagnostic.span is not None
                self._seen.discard((diagnostic.message, diagnostic.span))
            del found[length:]

    def add_again(self, errors: list[Diagnostic]) -> None:
        """Errors of the type checker that were forgotten for a while."""
        for diagnostic in errors:
            self._add(self._found[Phase.TYPES], diagnostic)
