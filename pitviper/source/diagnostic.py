"""A message about a program that the front end gives: data, no rendering."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record
from pitviper.source.edit import Cure
from pitviper.source.span import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


@record
class Related:
    """A second place that helps to understand a diagnostic."""

    span: Span
    message: str


@record
class Diagnostic:
    """`code` is the Viper id: parser.error, typechecker.error, consistency.error or a warning.

    `help` says what to do about it, where that is obvious ("did you mean `next`?").
    `cures` are changes of the text that do what it says.
    `span` is None only where no place exists, for instance a file that cannot be read.
    """

    code: str
    severity: Severity
    span: Span | None
    message: str
    related: tuple[Related, ...] = ()
    help: str | None = None
    cures: tuple[Cure, ...] = ()
