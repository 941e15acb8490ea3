"""`pitviper verify`: proves or refutes what programs promise."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.cli.extras import needs
from pitviper.cli.output import stdout
from pitviper.cli.output.files import reports
from pitviper.cli.output.machine import show_json, show_sarif
from pitviper.cli.output.verification import TextWatch, show_profile_json, show_profile_text
from pitviper.cli.said import folder_for
from pitviper.results.exit_code import ExitCode
from pitviper.results.report import FileReport
from pitviper.results.verdict import Verdict
from pitviper.source.reading import Inputs
from pitviper.views.terminal.bars import MembersBar
from pitviper.views.terminal.verification import closing_line, undecided_line


def _require_symbolic_for_inference(arguments: argparse.Namespace) -> None:
    """Statements are inferred on the chunks of symbolic execution, which the other has none of."""
    if arguments.backend == "symbolic":
        return
    for name in ("infer-ghost", "suggest", "fix"):
        if getattr(arguments, name.replace("-", "_")):
            raise UsageError(
                f"--{name} works with --backend symbolic only: the second verifier infers nothing"
            )


def _require_sensible_fix(arguments: argparse.Namespace) -> None:
    if arguments.diff and not arguments.fix:
        raise UsageError("--diff belongs to --fix: it shows what that would write")
    if arguments.fix and arguments.output != "text":
        raise UsageError("--fix shows what it does as text: use --suggest with --format json")
    if arguments.fix and "-" in arguments.files:
        raise UsageError("--fix cannot write standard input: name a file")


def run(arguments: argparse.Namespace) -> ExitCode:
    if arguments.emit is not None:
        from pitviper.cli.output import emit

        return emit.run(arguments)
    if not arguments.files:
        raise UsageError("which program? give at least one FILE")
    if arguments.certify:
        with needs("cvc5", "--certify needs {}"):
            from pitviper.cli.output import certify

        return certify.run(arguments)
    if arguments.counterexample is not None and arguments.output == "sarif":
        raise UsageError("a counterexample has no SARIF form: use --format json")
    _require_symbolic_for_inference(arguments)
    _require_sensible_fix(arguments)
    if arguments.watch:
        return _watch(arguments)
    code = _by_daemon(arguments)
    if code is not None:
        return ExitCode(code)
    inputs, began = Inputs(), time.monotonic()
    code = _show(arguments, inputs)
    if code == ExitCode.FINDINGS and arguments.counterexample is not None:
        from pitviper.cli.commands.counterexample import show_for_failures

        passed = time.monotonic() - began
        left = None if arguments.timeout is None else arguments.timeout - passed
        show_for_failures(arguments, inputs, left)
    return ExitCode(code)


def _watch(arguments: argparse.Namespace) -> ExitCode:
    """Again whenever one of the files changes, or what they import."""
    from pitviper.cli.folders import expanded
    from pitviper.cli.watch import whenever_changed
    from pitviper.driver.front.frontend import load

    if "-" in arguments.files:
        raise UsageError("--watch is about files, not about standard input")

    def once(others: list[Path]) -> ExitCode:
        arguments.files = expanded(arguments.given, "verify")
        inputs = Inputs()
        code = _show(arguments, inputs)
        others += [Path(name) for name in arguments.files[1:]]
        read = [inputs.read(Path(name)) for name in arguments.files]
        others += [file for decoded in read for file, _ in load(decoded).imports]
        return code

    def listed() -> list[Path]:
        return [Path(name) for name in expanded(arguments.given, "verify")]

    return whenever_changed(Path(arguments.files[0]), once, listed)


def _show(arguments: argparse.Namespace, inputs: Inputs) -> ExitCode:
    match arguments.output:
        case "text":
            return _show_text(arguments, inputs)
        case "json":
            made = reports(arguments, inputs, show_profile=show_profile_json)
            return show_json(made, _exit_code)
        case _:
            return show_sarif(reports(arguments, inputs), _exit_code)


def _by_daemon(arguments: argparse.Namespace) -> int | None:
    """The exit code of a daemon that does the work; None where it is done here."""
    if os.environ.get("PITVIPER_DAEMON") == "off" or arguments.profile or arguments.fix:
        return None
    if "-" in arguments.files and stdout.is_read_from_terminal():
        return None
    from pitviper.servers.daemon.place import is_ours_alone, seems_there

    if any(map(is_ours_alone, arguments.files)) or not (arguments.daemon or seems_there()):
        return None
    from pitviper.servers.daemon.client import run_by_daemon

    return run_by_daemon(arguments.argv, start=arguments.daemon)


def _show_text(arguments: argparse.Namespace, inputs: Inputs) -> ExitCode:
    """Each member as soon as it is done."""
    start = time.perf_counter()
    page = stdout.page_for(arguments)
    with MembersBar(shown=not (arguments.quiet or arguments.profile)) as bar:
        watch = TextWatch(
            page, bar, quiet=arguments.quiet, suggest=arguments.suggest or arguments.fix
        )
        done = list(reports(arguments, inputs, watch, show_profile_text))
    if not arguments.quiet:
        stdout.write_line(closing_line(done, page, time.perf_counter() - start))
    elif (open_questions := undecided_line(done, page)) is not None:
        stdout.write_line(open_questions)
    if arguments.fix:
        from pitviper.cli.output.fix import fix_files

        fix_files(done, inputs, arguments, page)
    if arguments.argv[:1] == ["verify"] and folder_for(arguments.argv[1:]) is not None:
        from pitviper.cli.output.saying import keep_said

        keep_said(arguments, inputs, page, _exit_code)
    return _exit_code(done)


def _exit_code(done: list[FileReport]) -> ExitCode:
    """The worst of all files: our own failure, then findings, then what is undecided."""
    verdicts = {report.verdict for report in done}
    if any(report.crashed for report in done):
        return ExitCode.OUR_FAULT
    if verdicts & {Verdict.REFUTED, Verdict.REJECTED}:
        return ExitCode.FINDINGS
    return ExitCode.UNDECIDED if Verdict.UNDECIDED in verdicts else ExitCode.FINE
