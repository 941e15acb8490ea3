"""`pitviper server --viper`: a server that clients of ViperServer can use."""

from __future__ import annotations

import argparse

from pitviper.base.usage_error import UsageError
from pitviper.cli.foreign import translated
from pitviper.cli.options import processors
from pitviper.results.exit_code import ExitCode


def run(arguments: argparse.Namespace) -> ExitCode:
    if not 0 <= arguments.port < 65536:
        raise UsageError(f"{arguments.port} is no port: one from 0 to 65535 is needed")
    if arguments.jobs is not None and arguments.jobs < 1:
        raise UsageError("--jobs takes a number from 1")
    try:
        from pitviper.servers.viper.server import ViperOptions, serve_viper
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("pygls", "lsprotocol", "cattrs"):
            raise
        raise UsageError("the server needs pygls: pip install 'pitviper[editor]'") from error
    jobs = arguments.jobs or processors()
    options = ViperOptions(arguments.port, jobs, translated, arguments.timeout)
    serve_viper(options)
    return ExitCode.FINE
