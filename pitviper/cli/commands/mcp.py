"""`pitviper mcp`: tools for agents."""

from __future__ import annotations

import argparse

from pitviper.base.usage_error import UsageError
from pitviper.results.exit_code import ExitCode


def run(arguments: argparse.Namespace) -> ExitCode:
    try:
        from pitviper.servers.mcp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0].startswith("pitviper"):
            raise
        raise UsageError("tools for agents need mcp: pip install 'pitviper[agents]'") from error
    serve(arguments.root)
    return ExitCode.FINE
