"""`pitviper wizard`: verifier and exploration together, a colour for each assertion."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.commands import explore
from pitviper.cli.exit_code import ExitCode
from pitviper.cli.output import machine
from pitviper.cli.watch import whenever_changed

if TYPE_CHECKING:
    from pitviper.results.wizard import WizardReport

EXAMPLES = """\
  pitviper wizard list.vpr
  pitviper wizard --mark list.vpr      write @verified_under("true") before what was proved
  pitviper wizard --unmark list.vpr    take these marks away

green: verified, or proved by running all ways. red: there are inputs that make it fail.
yellow: neither; those that may fail come first, then those with the least share of ways run.
Exit codes: 0 all are green, 1 one is red, 4 one is yellow and none is red.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "wizard",
        "verify and explore side by side, and colour the assertions",
        "What the verifier proves is not attacked; what exploration proves, the verifier assumes.",
        EXAMPLES,
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a program")
    marks = parser.add_mutually_exclusive_group()
    marks.add_argument("--mark", action="store_true", help="mark assertions that were proved")
    marks.add_argument("--unmark", action="store_true", help="remove all marks, do nothing else")
    parser.add_argument("--timeout", type=common.seconds, metavar="S", help="of the verifier")
    parser.add_argument("--html", metavar="FILE", type=Path, help="the colours on the source")
    parser.add_argument("--watch", action="store_true", help="again whenever the file changes")
    explore.add_search_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    path: Path = arguments.file
    if arguments.unmark:
        return _unmark(path, arguments)
    if arguments.watch:
        return whenever_changed(path, lambda imports: _once(path, arguments, imports))
    return _once(path, arguments, [])


def _unmark(path: Path, arguments: argparse.Namespace) -> ExitCode:
    """Works for programs with errors, too: marks are found among the tokens."""
    from pitviper.driver.front.frontend import parse_path
    from pitviper.driver.wizard.marks import rewrite, unmarked_text

    source = parse_path(path).tree.span.file
    rewrite(source, unmarked_text(source))
    return ExitCode.FINE


def _once(path: Path, arguments: argparse.Namespace, imports: list[Path]) -> ExitCode:
    from pitviper.driver.front.frontend import load
    from pitviper.driver.verify.options import VerifyOptions
    from pitviper.driver.wizard.wizard import run_wizard
    from pitviper.views.terminal.bars import WizardBar

    options = explore.explore_options(arguments)
    front = load(path, options.check, options.library)
    imports += [file for file, _ in front.imports]
    if front.program is None:
        return explore.rejected(path, front, arguments)
    checks = VerifyOptions(options.check, timeout=arguments.timeout)
    with WizardBar(shown=arguments.output == "text") as bar:
        report = run_wizard(front, options, checks, bar)
    if arguments.mark:
        from pitviper.driver.wizard.marks import marked_text, rewrite

        rewrite(front.source, marked_text(front.source, front.program, report.assumed))
    if arguments.html is not None:
        from pitviper.views.html.wizard import wizard_html

        explore.write_file(arguments.html, wizard_html(report, front.source.text))
    if arguments.output == "sarif":
        from pitviper.driver.explore.report import wizard_file_report

        done = wizard_file_report(front, report)
        return machine.show_sarif([done], lambda _: _exit_code(report))
    _show(report, arguments)
    return _exit_code(report)


def _show(report: WizardReport, arguments: argparse.Namespace) -> None:
    if arguments.output == "json":
        from pitviper.views.json.lines import json_line

        for place in report.places:
            line, column = place.span.start_position
            inputs = {} if place.test is None else dict(place.test.inputs)
            common.write_line(
                json_line(
                    {
                        "kind": "assertion",
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
                        "inputs": inputs,
                    }
                )
            )
        return
    from pitviper.views.terminal.exploration import wizard_text

    common.write(wizard_text(report, common.page_for(arguments)))


def _exit_code(report: WizardReport) -> ExitCode:
    from pitviper.results.wizard import Colour

    if report.with_colour(Colour.RED):
        return ExitCode.FINDINGS
    if report.with_colour(Colour.YELLOW) or report.undecided:
        return ExitCode.UNDECIDED
    return ExitCode.FINE
