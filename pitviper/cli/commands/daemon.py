"""`pitviper daemon`: a process that keeps everything loaded for `pitviper verify`."""

from __future__ import annotations

import argparse

from pitviper.cli.arguments import common
from pitviper.cli.exit_code import ExitCode

EXAMPLES = """\
  pitviper daemon start
  pitviper daemon status
  pitviper daemon stop
  pitviper verify --daemon list.vpr        starts one if there is none

While a daemon runs, `pitviper verify` lets it do the work: same answers, same output, same exit
codes, without the time to load. It serves one user and one version, and ends after an hour without
work. PITVIPER_DAEMON=off lets a command ignore it.
"""


def add_to(commands: common.Commands) -> None:
    parser = commands.add_parser(
        "daemon",
        help="keep everything loaded for quicker verifications",
        description="Starts, stops or shows the process that keeps everything loaded.",
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=common.HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "action",
        choices=("start", "stop", "status", "serve"),
        help="serve: be the daemon, in the foreground",
    )
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    from pitviper.base.usage_error import UsageError
    from pitviper.servers.daemon.place import is_possible

    if not is_possible():
        raise UsageError("a daemon needs a system with fork and Unix sockets")
    match arguments.action:
        case "start":
            return _start()
        case "stop":
            return _stop()
        case "status":
            return _status()
        case _:
            return _serve()


def _start() -> ExitCode:
    from pitviper.servers.daemon.client import start_daemon, status_of
    from pitviper.servers.daemon.place import socket_path

    if status_of(socket_path()) is None:
        start_daemon()
    return _status()


def _stop() -> ExitCode:
    """All of the user's daemons, whatever their version."""
    from pitviper.servers.daemon.client import status_of
    from pitviper.servers.daemon.place import all_sockets

    stopped = [said for path in all_sockets() if (said := status_of(path, "stop")) is not None]
    for said in stopped:
        common.write_line(f"stopped the daemon of version {said['version']} (pid {said['pid']})")
    if not stopped:
        common.write_line("no daemon is running")
    return ExitCode.FINE


def _status() -> ExitCode:
    from pitviper.servers.daemon.client import status_of
    from pitviper.servers.daemon.place import all_sockets, socket_path

    own = socket_path()
    for path in all_sockets():
        said = status_of(path)
        if said is not None:
            kind = "" if path == own else " (not of this version: of no use here)"
            served = f"{said['requests']} requests in {said['seconds']:.0f} s"
            common.write_line(f"running, pid {said['pid']}, {served}{kind}")
    if status_of(own) is None:
        common.write_line("no daemon of this version is running")
        return ExitCode.FINDINGS
    return ExitCode.FINE


def _serve() -> ExitCode:
    from pitviper.base.usage_error import UsageError
    from pitviper.cli.main import main
    from pitviper.servers.daemon.server import InterruptedStop, serve

    try:
        alone = serve(main)
    except InterruptedStop:
        return ExitCode.FINE
    if not alone:
        raise UsageError("a daemon of this version is running already")
    return ExitCode.FINE
