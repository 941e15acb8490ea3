"""`pitviper dap`: the debug adapter for members, failed proofs and kept tests."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.driver.debug.walking import Launch, walk_through
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.explore.steps import walk_of
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.exit_code import ExitCode
from pitviper.results.steps import Walk
from pitviper.servers.dap.adapter import Adapter
from pitviper.servers.dap.stream import serve
from pitviper.views.json.lines import JsonObject
from pitviper.views.terminal.debugger import DebuggerView
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import plain


def run(arguments: argparse.Namespace) -> ExitCode:
    options = VerifyOptions(timeout=arguments.timeout)

    def load(wanted: JsonObject) -> Walk:
        test, program = wanted.get("test"), wanted.get("program")
        if isinstance(test, str):
            return walk_of(Path(test), ExploreOptions())
        if not isinstance(program, str):
            raise UsageError('launch with "program" and "member", or with "test"')
        return walk_through(_launch(wanted, Path(program)), options, DebuggerView(Page(plain)).text)

    serve(Adapter(load), sys.stdin.buffer, sys.stdout.buffer)
    return ExitCode.FINE


def _launch(wanted: JsonObject, program: Path) -> Launch:
    member, line, proof = wanted.get("member"), wanted.get("line"), wanted.get("proof")
    return Launch(
        program,
        member if isinstance(member, str) else None,
        line if isinstance(line, int) else None,
        proof if isinstance(proof, int) else None,
    )
