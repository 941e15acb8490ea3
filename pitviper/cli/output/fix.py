"""`pitviper verify --fix`: writes into programs what they are verified with.

First the statements that were inferred; where there are none, what the advice names.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from pitviper.base.file import write_file
from pitviper.base.record import replace
from pitviper.cli.options import library_folders, verify_options
from pitviper.cli.output import stdout
from pitviper.driver.verify.fixing import Fixed, fixed
from pitviper.driver.verify.mending import mended
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.report import FileReport
from pitviper.results.verdict import Verdict
from pitviper.source.edit import Cure
from pitviper.source.reading import Decoded, Inputs, decode
from pitviper.views.paths import display_path
from pitviper.views.terminal.diff import diff_text
from pitviper.views.terminal.excerpt import Page


def fix_files(
    reports: Sequence[FileReport], inputs: Inputs, arguments: argparse.Namespace, page: Page
) -> None:
    """Shows what changes, then writes it, file by file."""
    for report in reports:
        steps = [step for outcome in report.outcomes for step in outcome.inferred]
        decoded = inputs.read(report.file)
        if not steps:
            _cure(report, decoded, arguments, page)
            continue
        done = fixed(decoded.source, steps)
        for step, reason in done.left_out:
            stdout.write_line(f"not written: {step.written} {step.where}: {reason}")
        if done.written:
            _fix(report, decoded, done, arguments, page)


def _fix(
    report: FileReport, decoded: Decoded, done: Fixed, arguments: argparse.Namespace, page: Page
) -> None:
    name, before = display_path(report.file), decoded.source.text
    stdout.write(diff_text(name, before, done.text, page.paint))
    if not _is_verified(report, done, arguments):
        stdout.write_line(f"{name} is not verified with these statements: it stays as it is")
    elif arguments.diff:
        stdout.write_line(f"{name} would be verified with these statements; --fix writes them")
    else:
        _write(report, decoded, done.text)


def _cure(report: FileReport, decoded: Decoded, arguments: argparse.Namespace, page: Page) -> None:
    """Changes that the advice names, where a member is verified with them and none is lost."""
    cures = [cure for problem in report.problems for cure in problem.cures]
    if not any(cure.harmless for cure in cures):
        _leave(report, cures)
        return
    options = replace(verify_options(arguments), infer_ghost=False, solver_log=None, cures=False)
    library = library_folders(arguments)
    with (
        open_verifier(options, library) as verifier,
        open_verifier(replace(options, cures=True), library) as advisor,
    ):
        done = mended(decoded, verifier, advisor)
    name = display_path(report.file)
    if not done.written:
        stdout.write_line(f"{name}: what the advice adds to proofs was tried, and proves no member")
        return
    stdout.write(diff_text(name, decoded.source.text, done.text, page.paint))
    members = " and ".join(done.members)
    if arguments.diff:
        stdout.write_line(f"{members} would be verified with this; --fix writes it")
        return
    stdout.write_line(f"{members} verified with this")
    _write(report, decoded, done.text)


def _leave(report: FileReport, cures: Sequence[Cure]) -> None:
    """Contracts and code say what is meant: only their author can change that."""
    if cures:
        name = display_path(report.file)
        stdout.write_line(f"{name} stays as it is: contracts and code are yours to change")


def _write(report: FileReport, decoded: Decoded, text: str) -> None:
    name = display_path(report.file)
    if _is_agreed(name):
        mark = "\N{ZERO WIDTH NO-BREAK SPACE}" if decoded.marked else ""
        write_file(report.file, mark + text)
        stdout.write_line(f"wrote {name}")


def _is_verified(report: FileReport, done: Fixed, arguments: argparse.Namespace) -> bool:
    """Without inference, members that were verified with it have to be verified."""
    options = replace(
        verify_options(arguments), infer_ghost=False, no_inference=True, solver_log=None
    )
    helped = [o.name for o in report.outcomes if o.inferred and o.verdict is Verdict.VERIFIED]
    with open_verifier(options, library_folders(arguments)) as verifier:
        text = decode(Path(report.file), done.text.encode("utf-8", "surrogatepass"))
        outcome = verifier.verify(verifier.read(text))
    found = outcome.members
    return bool(helped) and all(
        name in found and found[name].verdict is Verdict.VERIFIED for name in helped
    )


def _is_agreed(name: str) -> bool:
    """Somebody who sits there is asked; a script has said what it wants."""
    if not stdout.is_read_from_terminal():
        return True
    stdout.flush()
    return input(f"write {name}? [y/N] ").strip().lower() in ("y", "yes")
