"""`pitviper server --viper`: a server that clients of ViperServer can use."""

from __future__ import annotations

import argparse

from pitviper.base.usage_error import UsageError
from pitviper.cli.extras import needs
from pitviper.cli.foreign import translated
from pitviper.cli.options import processors
from pitviper.results.exit_code import ExitCode


def run(arguments: argparse.Namespace) -> ExitCode:
    if not 0 <= arguments.port < 65536:
        raise UsageError(f"{arguments.port} is no port: one from 0 to 65535 is needed")
    if arguments.jobs is not None and arguments.jobs < 1:
        raise UsageError("--jobs takes a number from 1")
    with needs("editor", "the server needs pygls"):
        from pitviper.servers.viper.server import ViperOptions, serve_viper
    jobs = arguments.jobs or processors()
    options = ViperOptions(arguments.port, jobs, translated, arguments.timeout)
    serve_viper(options)
    return ExitCode.FINE
