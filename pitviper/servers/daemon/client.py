"""A command that the daemon runs instead: quicker, with the same answers."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from _socket import socket

from pitviper.base.usage_error import UsageError
from pitviper.servers.daemon import socket as wire
from pitviper.servers.daemon.place import beside, is_possible, socket_path

START = 60.0
"""Seconds that a new daemon may take until it answers."""

ANSWER = 3.0
"""Seconds that a daemon may take to say that work has begun; a silent one is done without."""

STATUS = 5.0
"""Seconds that a daemon may take to tell about itself; a silent one is as good as none."""


def run_by_daemon(argv: list[str], *, start: bool) -> int | None:
    """The exit code; None if there is no daemon, and the work has to be done here.

    With `start`, one is started if there is none. UsageError where none can be.
    """
    if not is_possible():
        return None
    try:
        folder = os.getcwd()
    except OSError:  # it was removed: nobody can go there
        return None
    connection = _connected(start=start)
    if connection is None:
        return None
    request: wire.Message = {
        "command": "run",
        "argv": argv,
        "cwd": folder,
        "env": dict(os.environ),
        "encoding": sys.stdout.encoding,
    }
    with contextlib.closing(connection):
        try:
            sys.stdout.flush()
            sys.stderr.flush()
            connection.settimeout(ANSWER)
            wire.send(connection, request, [0, 1, 2])
            wire.receive(connection, seconds=ANSWER)
        except wire.Hangup:
            return None  # nothing was begun, so nothing is repeated
        except KeyboardInterrupt:
            return _interrupt(connection)
        return _answer(connection)


def _tell(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(text)


def _answer(connection: socket) -> int | None:
    """The exit code of the worker; None if it died before it has told anything."""
    told = False
    try:
        connection.settimeout(None)
        while True:
            reply, _ = wire.receive(connection)
            if "exit" in reply:
                break
            told = True
    except wire.Hangup:
        if not told:
            return None
        _tell("pitviper: error: the daemon's worker died in the middle of its answer: ask again\n")
        return _code("UNDECIDED")  # nothing is told twice
    except KeyboardInterrupt:
        return _interrupt(connection)
    code = reply.get("exit")
    return code if isinstance(code, int) else None


def _connected(*, start: bool) -> socket | None:
    try:
        path = socket_path()
    except UsageError:
        if start:
            raise
        return None
    connection = wire.connect(path)
    if connection is None and start:
        start_daemon()
        connection = wire.connect(path)
    return connection


def _interrupt(connection: socket) -> int:
    """The worker ends as a command does that is interrupted, and says so itself."""
    with contextlib.suppress(OSError, wire.Hangup, KeyboardInterrupt):
        connection.sendall(b"!")
        connection.settimeout(5.0)
        wire.receive(connection)
    return _code("INTERRUPTED")


def _code(name: str) -> int:
    from pitviper.results.exit_code import ExitCode  # seldom needed, and every command is a client

    return ExitCode[name]


def start_daemon() -> None:
    """Start a daemon and wait until it answers; UsageError if it does not."""
    import subprocess  # the rest of this file is on the way of every command

    path = socket_path()
    log = beside(path, ".log")
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "pitviper", "daemon", "serve"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=output,
            start_new_session=True,
            cwd="/",
            env=_environment(),
        )
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        if status_of(path) is not None:
            return
        if process.poll() is not None:
            break
        time.sleep(0.02)
    process.kill()  # nobody would know of one that is late
    process.wait()
    with open(log, errors="replace") as written:
        said = written.read().strip().split("\n")[-1]
    raise UsageError(f"the daemon did not start: {said or 'see ' + log}")


def _environment() -> dict[str, str]:
    """The daemon finds the package where this process has found it."""
    import pitviper

    root = os.path.dirname(os.path.dirname(os.path.abspath(pitviper.__file__)))
    paths = [root, *[p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def status_of(path: str, command: str = "status") -> wire.Message | None:
    """What a daemon says about itself; None if none is there."""
    connection = wire.connect(path)
    if connection is None:
        return None
    with contextlib.closing(connection):
        connection.settimeout(STATUS)
        try:
            wire.send(connection, {"command": command})
            return wire.receive(connection)[0]
        except wire.Hangup:
            return None
