"""`pitviper lsp`: the language server for editors."""

from __future__ import annotations

import argparse

from pitviper.base.usage_error import UsageError
from pitviper.cli.extras import needs
from pitviper.cli.options import cache_folder
from pitviper.results.exit_code import ExitCode


def run(arguments: argparse.Namespace) -> ExitCode:
    with needs("editor", "the language server needs pygls"):
        from pitviper.servers.lsp.server import ServerOptions
        from pitviper.servers.lsp.serving import serve
    if arguments.port is not None and not 0 <= arguments.port < 65536:
        raise UsageError(f"{arguments.port} is no port: one from 0 to 65535 is needed")
    cache = cache_folder(arguments.cache)
    options = ServerOptions(arguments.backend, arguments.timeout, cache, _pause(arguments.pause))
    serve(options, arguments.port)
    return ExitCode.FINE


def _pause(text: str) -> float | None:
    if text == "off":
        return None
    try:
        seconds = float(text)
    except ValueError:
        raise UsageError(f"--pause takes seconds or off, not {text!r}") from None
    if not 0 <= seconds < 3600:
        raise UsageError("--pause takes at least 0 and less than 3600 seconds")
    return seconds
