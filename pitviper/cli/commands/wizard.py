"""`pitviper wizard`: verifier and exploration together, a colour for each assertion."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitviper.cli.commands import explore
from pitviper.cli.options import require_file
from pitviper.cli.output import machine, stdout
from pitviper.cli.output.files import tell_if_nothing
from pitviper.cli.output.stepping import step_through
from pitviper.cli.watch import whenever_changed
from pitviper.driver.explore.report import wizard_file_report
from pitviper.driver.explore.steps import walk_of_case
from pitviper.driver.explore.tests import write_tests
from pitviper.driver.front.frontend import load, parse_path
from pitviper.driver.verify.completion import runnable
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.wizard.marks import marked_text, rewrite, unmarked_text
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.results.exit_code import ExitCode
from pitviper.results.exploration import ExploredRun
from pitviper.results.wizard import Colour, WizardReport
from pitviper.views.html.wizard import wizard_html
from pitviper.views.json.exploration import failing_run_object
from pitviper.views.json.lines import json_line
from pitviper.views.terminal.bars import WizardBar
from pitviper.views.terminal.exploration import Told, failure_text, told_as, wizard_text


def run(arguments: argparse.Namespace) -> ExitCode:
    path: Path = arguments.file
    require_file(path, arguments, "mark", "unmark", "watch", "step", "save_tests")
    if arguments.unmark:
        return _unmark(path, arguments)
    if arguments.watch:
        return whenever_changed(path, lambda imports: _once(path, arguments, imports))
    return _once(path, arguments, [])


def _unmark(path: Path, arguments: argparse.Namespace) -> ExitCode:
    """Works for programs with errors, too: marks are found among the tokens."""
    source = parse_path(path).tree.span.file
    rewrite(source, unmarked_text(source))
    return ExitCode.FINE


def _once(path: Path, arguments: argparse.Namespace, imports: list[Path]) -> ExitCode:
    options = explore.explore_options(arguments)
    front = runnable(load(path, options.check, options.library))
    imports += [file for file, _ in front.imports]
    if front.program is None:
        return explore.rejected(path, front, arguments)
    tell_if_nothing(front)
    checks = VerifyOptions(options.check, timeout=arguments.timeout)
    with _Voice(arguments) as bar:
        report = run_wizard(front, options, checks, bar)
    if arguments.mark:
        rewrite(front.source, marked_text(front.source, front.program, report.assumed))
    if arguments.html is not None:
        explore.write_into(arguments.html, wizard_html(report, front.source.text))
    if arguments.output == "sarif":
        done = wizard_file_report(front, report)
        return machine.show_sarif([done], lambda _: _exit_code(report))
    _show(report, arguments)
    if arguments.html is not None:
        stdout.tell_written(arguments.html, arguments)
    _keep(report, arguments)
    return ExitCode.INTERRUPTED if report.interrupted else _exit_code(report)


def _keep(report: WizardReport, arguments: argparse.Namespace) -> None:
    """The failing runs, as tests and to be walked through."""
    red = [place.test for place in report.with_colour(Colour.RED)]
    tests = [test for test in red if test is not None]
    if arguments.save_tests is not None:
        for written in write_tests(arguments.save_tests, tests):
            stdout.tell_written(written, arguments)
    if arguments.step and tests:
        step_through(walk_of_case(tests[0], explore.explore_options(arguments)), arguments)
    elif arguments.step:
        stdout.write_line("Nothing is red: there is no run to step through.")


class _Voice(WizardBar):
    """Writes failing inputs at the moment they are found."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        super().__init__(shown=arguments.output == "text")
        self._output = arguments.output
        self._page = stdout.page_for(arguments)
        self._told: dict[tuple[str, Told], None] = {}

    def failing(self, method: str, run: ExploredRun) -> None:
        key = (method, told_as(run))
        if key in self._told:
            return
        self._told[key] = None
        if self._output == "json":
            stdout.write_line(json_line(failing_run_object(run, method)))
        elif self._output == "text":
            with self.hidden():
                stdout.write(failure_text(run, self._page))
        stdout.flush()


def _show(report: WizardReport, arguments: argparse.Namespace) -> None:
    if arguments.output == "json":
        for place in report.places:
            line, column = place.span.start_position
            inputs = {} if place.test is None else dict(place.test.inputs)
            stdout.write_line(
                json_line(
                    {
                        "kind": "assertion",
                        "file": str(place.span.file.path),
                        "line": line,
                        "column": column,
                        "member": place.member,
                        "check": place.error,
                        "colour": place.colour.value,
                        "by": place.by,
                        "spurious": place.spurious,
                        "ways": place.ways,
                        "open-ways": place.left,
                        "covered": place.covered,
                        "bodies": list(place.bodies),
                        "doubt": place.doubt,
                        "open": list(place.open),
                        "assuming": list(place.assuming),
                        "inputs": inputs,
                    }
                )
            )
        counts = {c.value: len(report.with_colour(c)) for c in Colour}
        ended = {"interrupted": report.interrupted, "late": report.late}
        undecided = {"undecided": dict(report.undecided)}
        stdout.write_line(json_line({"kind": "wizard", **ended, **counts, **undecided}))
        return
    stdout.write(wizard_text(report, stdout.page_for(arguments)))


def _exit_code(report: WizardReport) -> ExitCode:
    if report.with_colour(Colour.RED):
        return ExitCode.FINDINGS
    unproved = report.with_colour(Colour.YELLOW) or report.with_colour(Colour.UNREACHED)
    if unproved or report.undecided:
        return ExitCode.UNDECIDED
    return ExitCode.FINE
