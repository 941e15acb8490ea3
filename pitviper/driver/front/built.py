"""Programs that somebody else built: what is wrong with them is said before an engine sees them."""

from __future__ import annotations

from pitviper.checking.options import CheckOptions
from pitviper.checking.wellformed import check_wellformed
from pitviper.program.member import Program
from pitviper.program.validate import faults
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span

MISBUILT = "frontend.error"
"""The id of mistakes of a front end: no change of the user's program can mend them."""


def misbuilt(
    program: Program, source: SourceFile, builder: str, options: CheckOptions
) -> tuple[Diagnostic, ...]:
    """The mistakes of whoever built a program, each at its place: types, then side conditions.

    `builder` says who that was, for instance the ending of the files of a language.
    """
    help_ = f"this is a mistake of the front end for {builder}, not of the program"
    wrong: list[tuple[Span | None, str]] = []
    for fault in faults(program):
        at = f" in `{fault.member}`" if fault.member else ""
        wrong.append((fault.span, f"the typed program is not well-formed{at}: {fault.message}"))
    if not wrong:
        for found in check_wellformed(program, options, free_names=True):
            if found.severity is Severity.ERROR:
                wrong.append((found.span, f"the typed program is not well-formed: {found.message}"))
    whole = Span(source, 0, 0)
    error = Severity.ERROR
    return tuple([Diagnostic(MISBUILT, error, at or whole, said, (), help_) for at, said in wrong])
