"""`pitviper replay`: runs a kept test again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitviper.cli import common
from pitviper.cli.exit_code import ExitCode

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
    parser.add_argument("test", metavar="TEST", type=Path, help="a test of --save-tests")
    parser.add_argument("--step", action="store_true", help="walk through the run")
    parser.add_argument("--dap", action="store_true", help="speak the debug adapter protocol")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    from pitviper.driver.explore_tests import replay
    from pitviper.views.json_lines import json_line

    if arguments.dap:
        return _serve(arguments.test)
    if arguments.step:
        return _step(arguments.test)
    done = replay(arguments.test)
    if arguments.output == "json":
        common.write_line(
            json_line(
                {
                    "kind": "replay",
                    "method": done.test.method,
                    "status": done.status,
                    "id": done.finding,
                    "line": done.line,
                    "expected": done.as_expected,
                }
            )
        )
        return ExitCode.FINE if done.as_expected else ExitCode.FINDINGS
    what = f" with {done.finding} in line {done.line}" if done.finding else ""
    common.write_line(f"method {done.test.method}: {done.status}{what}")
    if not done.as_expected:
        before = f"{done.test.status} {done.test.finding}".strip()
        common.write_line(f"  it was kept as: {before}")
    return ExitCode.FINE if done.as_expected else ExitCode.FINDINGS


def _step(test: Path) -> ExitCode:
    """Commands from standard input, until it ends."""
    from pitviper.driver.explore_steps import walk_of
    from pitviper.views.terminal.stepper import Stepper

    walk = walk_of(test)
    if not walk.steps:
        common.write_line(f"The run has no step: {walk.ending}")
        return ExitCode.FINE
    stepper = Stepper(walk)
    common.write_line(f"{len(walk.steps)} steps; ? for help.\n{stepper.place()}")
    for line in sys.stdin:
        answer = stepper.command(line)
        if answer is None:
            break
        common.write_line(answer)
    return ExitCode.FINE


def _serve(test: Path) -> ExitCode:
    """The debug adapter protocol on standard input and output."""
    from pitviper.driver.explore_steps import walk_of
    from pitviper.views.step_adapter import Adapter, serve

    adapter = Adapter(lambda other: walk_of(test if other is None else Path(other)))
    serve(adapter, sys.stdin.buffer, sys.stdout.buffer)
    return ExitCode.FINE
