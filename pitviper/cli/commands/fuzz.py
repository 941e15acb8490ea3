"""`pitviper fuzz`: looks for programs about which parts of Pitviper contradict each other."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.cli.commands.explore import write_into
from pitviper.cli.extras import needs
from pitviper.cli.output import stdout
from pitviper.results.exit_code import ExitCode
from pitviper.results.fuzzing import Contradiction, Fuzzed
from pitviper.views.json.fuzzing import contradiction_object, fuzzed_object
from pitviper.views.json.lines import json_line
from pitviper.views.terminal.fuzzing import contradiction_line, report_text, summary_text


def run(arguments: argparse.Namespace) -> ExitCode:
    if arguments.minutes is None and arguments.cases is None:
        raise UsageError("how long? give --minutes N or --cases N")
    if arguments.output == "sarif":
        raise UsageError("what fuzz finds is about no file: use --format json")
    with needs("cvc5", "fuzz needs {}"):
        from pitviper.driver.fuzz.campaign import FuzzOptions, fuzz
    options = FuzzOptions(
        arguments.seed,
        arguments.minutes,
        arguments.cases,
        arguments.first,
        arguments.jobs,
        arguments.programs,
    )
    teller = _Teller(arguments)
    try:
        fuzz(options, teller)
    finally:  # also where somebody has interrupted it
        done = teller.so_far
        if arguments.output == "json":
            stdout.write_line(json_line(fuzzed_object(done)))
        else:
            stdout.write(summary_text(done))
        stdout.flush()
    return ExitCode.FINDINGS if done.certain else ExitCode.FINE


class _Teller:
    """Shows contradictions as they are found, and writes a report for each new kind of them."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._is_json = arguments.output == "json"
        self._folder: Path | None = arguments.report
        self._seed: int = arguments.seed
        self._told = 0
        self._numbers: dict[str, int] = {}
        self.so_far = Fuzzed(arguments.seed, 0, 0.0)

    def __call__(self, so_far: Fuzzed) -> None:
        self.so_far = so_far
        for found in so_far.contradictions[self._told :]:
            self._show(found)
        self._told = len(so_far.contradictions)
        if self._folder is not None:
            write_into(self._folder / "summary.txt", summary_text(so_far))

    def _show(self, found: Contradiction) -> None:
        if self._is_json:
            stdout.write_line(json_line(contradiction_object(found)))
        else:
            stdout.write_line(contradiction_line(found))
        count = self._numbers[found.signature] = self._numbers.get(found.signature, 0) + 1
        if self._folder is not None and count <= 3:
            name = f"{found.kind.value}-{self._seed}-{found.case}-{self._told}.vpr"
            write_into(self._folder / name, report_text(found, self._seed))
