"""`pitviper daemon`: a process that keeps everything loaded for `pitviper verify`."""

from __future__ import annotations

import argparse

from pitviper.base.usage_error import UsageError
from pitviper.cli.main import main
from pitviper.cli.output import stdout
from pitviper.results.exit_code import ExitCode
from pitviper.servers.daemon.client import start_daemon, status_of
from pitviper.servers.daemon.place import all_sockets, is_possible, socket_path
from pitviper.servers.daemon.server import InterruptedStop, serve


def run(arguments: argparse.Namespace) -> ExitCode:
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
    if status_of(socket_path()) is None:
        start_daemon()
    return _status()


def _stop() -> ExitCode:
    """All of the user's daemons, whatever their version."""
    stopped = [said for path in all_sockets() if (said := status_of(path, "stop")) is not None]
    for said in stopped:
        stdout.write_line(f"stopped the daemon of version {said['version']} (pid {said['pid']})")
    if not stopped:
        stdout.write_line("no daemon is running")
    return ExitCode.FINE


def _status() -> ExitCode:
    own = socket_path()
    for path in all_sockets():
        said = status_of(path)
        if said is not None:
            kind = "" if path == own else " (not of this version: of no use here)"
            served = f"{said['requests']} requests in {said['seconds']:.0f} s"
            stdout.write_line(f"running, pid {said['pid']}, {served}{kind}")
    if status_of(own) is None:
        stdout.write_line("no daemon of this version is running")
        return ExitCode.FINDINGS
    return ExitCode.FINE


def _serve() -> ExitCode:
    try:
        alone = serve(main)
    except InterruptedStop:
        return ExitCode.FINE
    if not alone:
        raise UsageError("a daemon of this version is running already")
    return ExitCode.FINE
