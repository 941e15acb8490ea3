"""`pitviper mcp`: tools for agents."""

from __future__ import annotations

import argparse

from pitviper.cli.extras import needs
from pitviper.results.exit_code import ExitCode


def run(arguments: argparse.Namespace) -> ExitCode:
    with needs("agents", "tools for agents need {}"):
        from pitviper.servers.mcp.server import serve
    serve(arguments.root)
    return ExitCode.FINE
