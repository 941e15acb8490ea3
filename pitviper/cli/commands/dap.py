"""`pitviper dap`: the debug adapter for members, failed proofs, runs of methods and kept tests."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.cli.output import stdout
from pitviper.driver.debug.walking import Launch, walk_through
from pitviper.driver.explore.options import ExploreOptions, SearchOptions
from pitviper.driver.explore.steps import walk_of, walk_of_method
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.exit_code import ExitCode
from pitviper.results.steps import Walk
from pitviper.servers.dap.adapter import Adapter
from pitviper.servers.dap.stream import serve, serve_port
from pitviper.servers.ending import ends_with_client, standard_streams
from pitviper.views.json.lines import JsonObject
from pitviper.views.terminal.debugger import DebuggerView
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import plain


def run(arguments: argparse.Namespace) -> ExitCode:
    options = VerifyOptions(timeout=arguments.timeout)

    def load(wanted: JsonObject) -> Walk:
        test, program, method = wanted.get("test"), wanted.get("program"), wanted.get("method")
        if isinstance(test, str):
            return walk_of(Path(test), ExploreOptions())
        if not isinstance(program, str):
            raise UsageError('launch with "program" and "member" or "method", or with "test"')
        if isinstance(method, str):
            return walk_of_method(Path(program), method, _search(wanted))
        return walk_through(_launch(wanted, Path(program)), options, DebuggerView(Page(plain)).text)

    if arguments.port is None:
        source, sink = standard_streams()
        ends_with_client(source.fileno(), sink.fileno())
        serve(Adapter(load), source, sink)
    else:
        serve_port(lambda: Adapter(load), arguments.port, _say)
    return ExitCode.FINE


def _say(line: str) -> None:
    stdout.write_line(line)
    stdout.flush()


def _search(wanted: JsonObject) -> ExploreOptions:
    """A search that somebody waits for; `seconds` of the launch is its limit."""
    seconds = wanted.get("seconds")
    limit = float(seconds) if isinstance(seconds, int | float) and seconds > 0 else 20.0
    return ExploreOptions(search=SearchOptions(seconds=limit))


def _launch(wanted: JsonObject, program: Path) -> Launch:
    member, line, proof = wanted.get("member"), wanted.get("line"), wanted.get("proof")
    return Launch(
        program,
        member if isinstance(member, str) else None,
        line if isinstance(line, int) else None,
        proof if isinstance(proof, int) else None,
    )
