"""`pitviper replay`: runs a kept test again."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from pitviper.base.time_box import lift
from pitviper.base.usage_error import UsageError
from pitviper.cli.folders import tests_in, worst
from pitviper.cli.options import language_options, library_folders, require_file
from pitviper.cli.output import machine, stdout
from pitviper.cli.output.stepping import step_through
from pitviper.cli.start import tell
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.explore.report import replayed_report
from pitviper.driver.explore.steps import walk_of
from pitviper.driver.explore.tests import replay
from pitviper.results.exit_code import ExitCode
from pitviper.results.exploration import Replayed
from pitviper.results.steps import Walk
from pitviper.servers.dap.adapter import Adapter
from pitviper.servers.dap.stream import serve
from pitviper.servers.ending import ends_with_client, standard_streams
from pitviper.views.json.exploration import replayed_object
from pitviper.views.json.lines import JsonObject, json_line
from pitviper.views.terminal.exploration import replayed_text


def run(arguments: argparse.Namespace) -> ExitCode:
    names: list[Path] = arguments.test
    if len(names) > 1:
        return _replay_all(list(_tests(names)), arguments)
    return _run(argparse.Namespace(**{**vars(arguments), "test": names[0] if names else None}))


def _tests(names: Sequence[Path]) -> Iterator[Path]:
    """All of them, but what runs the tests of its folder is none of them."""
    for name in names:
        if _is_runner(name):
            tell(f"pitviper: note: {name} is left out: {RUNNER}\n")
        elif name.is_dir():
            yield from tests_in(name)
        else:
            yield name


RUNNER = "with pytest it replays the tests that are beside it"
"""What the file is that `explore --save-tests` writes beside its tests."""


def _is_runner(path: Path) -> bool:
    return path.suffix == ".py"


def _run(arguments: argparse.Namespace) -> ExitCode:
    if arguments.test is not None:
        require_file(arguments.test, arguments, "step", "dap")
    if arguments.dap:
        return _serve(arguments)
    if arguments.test is None:
        raise UsageError("no test was named; `pitviper explore --save-tests DIR` writes some")
    if arguments.test.is_dir():
        return _replay_all(tests_in(arguments.test), arguments)
    if _is_runner(arguments.test):
        raise UsageError(f"{arguments.test} is no test: {RUNNER}")
    if arguments.step:
        step_through(walk_of(arguments.test, _options(arguments)), arguments)
        return ExitCode.FINE
    done = replay(arguments.test, _options(arguments))
    if arguments.output == "json":
        stdout.write_line(json_line(replayed_object(done)))
    elif arguments.output == "sarif":
        program = arguments.test.parent / done.test.program
        report = replayed_report(done, program)
        return machine.show_sarif([report], lambda _: _exit_code(done))
    else:
        stdout.write(replayed_text(done, stdout.page_for(arguments)))
    return _exit_code(done)


def _replay_all(tests: Sequence[Path], arguments: argparse.Namespace) -> ExitCode:
    """Replays several tests one after the other; the worst exit code counts."""
    if arguments.step or arguments.dap:
        raise UsageError(f"--{'step' if arguments.step else 'dap'} is about one test: name one")
    if arguments.output == "sarif":
        raise UsageError("--format sarif is about one test: name one")
    codes: list[ExitCode] = []
    for path in tests:
        codes.append(_run(argparse.Namespace(**{**vars(arguments), "test": path})))
    return worst(codes)


def _exit_code(done: Replayed) -> ExitCode:
    return ExitCode.FINE if done.as_expected else ExitCode.FINDINGS


def _options(arguments: argparse.Namespace) -> ExploreOptions:
    return ExploreOptions(language_options(arguments), library_folders(arguments))


def _serve(arguments: argparse.Namespace) -> ExitCode:
    """The debug adapter protocol on standard input and output."""
    lift()  # a limit is no end of a session
    options = _options(arguments)

    def load(wanted: JsonObject) -> Walk:
        other = wanted.get("test")
        path = Path(other) if isinstance(other, str) else arguments.test
        if path is None:
            raise UsageError('no test was named: launch with "test"')
        return walk_of(path, options)

    source, sink = standard_streams()
    ends_with_client(source.fileno(), sink.fileno())
    serve(Adapter(load), source, sink)
    return ExitCode.FINE
