"""`pitviper verify --emit`: shows a program in another language, instead of proving it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.base.file import write_file
from pitviper.base.usage_error import UsageError
from pitviper.cli.options import library_folders, verify_options
from pitviper.cli.output import stdout
from pitviper.results.exit_code import ExitCode

if TYPE_CHECKING:
    from pitviper.source.diagnostic import Diagnostic


def sort_out(arguments: argparse.Namespace) -> None:
    """What follows `--emit`: its form, the file to write for Boogie, then perhaps programs."""
    form, *rest = arguments.emit
    if form not in ("ivl", "boogie", "viper"):
        raise UsageError(f"--emit: {form} is neither ivl, nor boogie, nor viper")
    arguments.target = None
    if form == "boogie":
        if not rest or Path(rest[0]).suffix != ".bpl":
            raise UsageError("--emit boogie needs a file to write, whose name ends in .bpl")
        arguments.target = Path(rest.pop(0))
    arguments.files = [*arguments.files, *rest]
    if len(arguments.files) != 1:
        raise UsageError(f"--emit takes one program, not {len(arguments.files)}")


def run(arguments: argparse.Namespace) -> ExitCode:
    sort_out(arguments)
    from pitviper.driver.verify.emission import as_boogie, as_text, emit
    from pitviper.driver.verify.verify import open_verifier
    from pitviper.source.reading import named, require_readable

    name = arguments.files[0]
    path = named(name)
    require_readable([path])
    options = verify_options(arguments)
    with open_verifier(options, library_folders(arguments)) as verifier:
        front = verifier.read(path)
    if front.program is None:
        return _reject(front.diagnostics, arguments)
    if arguments.emit[0] == "viper":
        from pitviper.driver.verify.completion import completed
        from pitviper.driver.verify.viper_text import viper_text

        program = completed(front, options).program or front.program
        stdout.write_line(viper_text(program, front.source.name).rstrip())
        return ExitCode.FINE
    emission = emit(front.program, options)
    if emission.rejected:
        return _reject(emission.rejected, arguments)
    if arguments.target is None:
        stdout.write_line(as_text(emission.program).rstrip())
        return ExitCode.FINE
    text = as_boogie(emission.program).text
    write_file(arguments.target, text)
    return ExitCode.FINE


def _reject(diagnostics: tuple[Diagnostic, ...], arguments: argparse.Namespace) -> ExitCode:
    from pitviper.results.report import problem_of_diagnostic
    from pitviper.views.terminal.problem import problem_text

    page = stdout.page_for(arguments)
    for diagnostic in diagnostics:
        stdout.write_line(problem_text(problem_of_diagnostic(diagnostic), page))
    return ExitCode.FINDINGS
