"""Walks through a run by commands of standard input."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator

from pitviper.base.time_box import lift
from pitviper.cli.output import stdout
from pitviper.results.steps import Walk
from pitviper.views.terminal.stepper import Stepper


def step_through(walk: Walk, arguments: argparse.Namespace) -> None:
    """Commands from standard input, until it ends; a time limit was for what came before."""
    lift()
    if not walk.steps:
        stdout.write_line(f"The run has no step: {walk.ending.text}")
        return
    stepper = Stepper(walk, stdout.page_for(arguments).paint)
    stdout.write_line(f"{len(walk.steps)} steps; ? for help.\n{stepper.place()}")
    for line in _commands():
        answer = stepper.command(line)
        if answer is None:
            break
        stdout.write_line(answer)


def _commands() -> Iterator[str]:
    """Lines of standard input; on a terminal with a prompt and a history."""
    if not (stdout.is_read_from_terminal() and sys.stdout.isatty()):
        for line in sys.stdin or ():
            yield line
            sys.stdout.flush()
        return
    with contextlib.suppress(ImportError):  # not everywhere
        import readline  # noqa: F401 - it gives `input` a history

    while True:
        try:
            yield input("(step) ")
        except EOFError:
            stdout.write_line("")
            return
