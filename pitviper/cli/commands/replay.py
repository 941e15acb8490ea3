"""`pitviper replay`: runs a kept test again."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.exit_code import ExitCode
from pitviper.cli.output import machine

if TYPE_CHECKING:
    from pitviper.driver.explore.options import ExploreOptions
    from pitviper.driver.explore.tests import Replayed
    from pitviper.results.steps import Walk

EXAMPLES = """\
  pitviper replay tests/insert-1-passed.json
  pitviper replay --step tests/insert-2-assert-failed-assertion-false.json

A test is as expected if it ends as it did when it was kept. Exit code 1 if it does not.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "replay",
        "run a test that explore has kept",
        "Runs a method with the inputs of a test, and compares how it ends.",
        EXAMPLES,
    )
    parser.add_argument("test", metavar="TEST", type=Path, nargs="?", help="a test of --save-tests")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--step", action="store_true", help="walk through the run; ? for help")
    way.add_argument(
        "--dap",
        action="store_true",
        help="speak the debug adapter protocol on standard input and output; the editor may "
        "name the test",
    )
    common.add_language_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    from pitviper.driver.explore.tests import replay

    if arguments.dap:
        return _serve(arguments)
    if arguments.test is None:
        from pitviper.base.usage_error import UsageError

        raise UsageError("no test was named; `pitviper explore --save-tests DIR` writes some")
    if arguments.step:
        return _step(arguments)
    done = replay(arguments.test, _options(arguments))
    if arguments.output == "json":
        from pitviper.views.json.exploration import replayed_object
        from pitviper.views.json.lines import json_line

        common.write_line(json_line(replayed_object(done)))
    elif arguments.output == "sarif":
        from pitviper.driver.explore.report import replayed_report

        program = arguments.test.parent / done.test.program
        report = replayed_report(done, program)
        return machine.show_sarif([report], lambda _: _exit_code(done))
    else:
        from pitviper.views.terminal.exploration import replayed_text

        common.write(replayed_text(done, common.page_for(arguments)))
    return _exit_code(done)


def _exit_code(done: Replayed) -> ExitCode:
    return ExitCode.FINE if done.as_expected else ExitCode.FINDINGS


def _options(arguments: argparse.Namespace) -> ExploreOptions:
    from pitviper.driver.explore.options import ExploreOptions

    return ExploreOptions(common.language_options(arguments), common.library_folders(arguments))


def _step(arguments: argparse.Namespace) -> ExitCode:
    """Commands from standard input, until it ends."""
    from pitviper.driver.explore.steps import walk_of
    from pitviper.views.terminal.stepper import Stepper

    walk = walk_of(arguments.test, _options(arguments))
    if not walk.steps:
        common.write_line(f"The run has no step: {walk.ending.text}")
        return ExitCode.FINE
    stepper = Stepper(walk, common.page_for(arguments).paint)
    common.write_line(f"{len(walk.steps)} steps; ? for help.\n{stepper.place()}")
    for line in _commands():
        answer = stepper.command(line)
        if answer is None:
            break
        common.write_line(answer)
    return ExitCode.FINE


def _commands() -> Iterator[str]:
    """Lines of standard input; on a terminal with a prompt and a history."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for line in sys.stdin:
            yield line
            sys.stdout.flush()
        return
    with contextlib.suppress(ImportError):  # not everywhere
        import readline  # noqa: F401 - it gives `input` a history

    while True:
        try:
            yield input("(step) ")
        except EOFError:
            common.write_line("")
            return


def _serve(arguments: argparse.Namespace) -> ExitCode:
    """The debug adapter protocol on standard input and output."""
    from pitviper.base.usage_error import UsageError
    from pitviper.driver.explore.steps import walk_of
    from pitviper.servers.dap.adapter import Adapter
    from pitviper.servers.dap.stream import serve

    options = _options(arguments)

    def load(other: str | None) -> Walk:
        path = arguments.test if other is None else Path(other)
        if path is None:
            raise UsageError('no test was named: launch with "test"')
        return walk_of(path, options)

    serve(Adapter(load), sys.stdin.buffer, sys.stdout.buffer)
    return ExitCode.FINE
