"""The daemon: a process with everything loaded, which has a worker for each request.

It is forked before the request comes (`standby.py`), or for it where that one is gone. A worker
gets the files, the folder and the environment of its client, and runs the very command the client
was started with. So its answers, its output and its exit code are those of a run without daemon,
and whatever goes wrong there costs one request.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import io
import os
import pkgutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NoReturn

import pitviper
from pitviper.base.time_box import process_is_ours
from pitviper.servers.daemon import socket as wire
from pitviper.servers.daemon.place import beside, socket_path
from pitviper.servers.daemon.standby import FILES, Standby
from pitviper.version import VERSION

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

IDLE = 3600.0
"""Seconds without a request after which a daemon ends."""

_LOOK_AFTER = 30.0
_LATEST = 2.0
"""Seconds that a worker has to end after its client has gone."""

Command = Callable[[list[str]], int]


REQUEST = 1.0
"""Seconds that a client may take to say what it wants: meanwhile nobody else is heard."""


def serve(run: Command, idle: float = IDLE) -> bool:
    """Answer requests until told to stop; False if another daemon does so already."""
    path = socket_path()
    with _lock(path) as alone:
        if not alone:
            return False
        _load_everything()
        listener = _listen(path)
        try:
            _Daemon(run, listener, path, idle).run()
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            listener.close()
    return True


@contextlib.contextmanager
def _lock(path: str) -> Iterator[bool]:
    """Whether no other daemon has this socket."""
    with open(beside(path, ".lock"), "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def _load_everything() -> None:
    """What a worker would otherwise load itself; a missing extra is missed when it is needed."""
    for module in pkgutil.walk_packages(pitviper.__path__, "pitviper."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    from pitviper.driver.work.warm_up import warm_up

    warm_up()
    gc.collect()
    gc.freeze()


def _listen(path: str) -> socket.socket:
    """The socket gets its name when somebody listens: clients remove one that nobody does."""
    new = beside(path, ".new")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(new)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(new)
    finally:
        os.umask(before)
    listener.listen(64)
    os.rename(new, path)
    return listener


class _Daemon:
    def __init__(self, run: Command, listener: socket.socket, path: str, idle: float) -> None:
        self._run = run
        self._path = path
        self._listener = listener
        self._idle = idle
        self._requests = 0
        self._since = time.time()
        self._last = time.monotonic()
        self._going = True
        self._next: Standby | None = None

    def run(self) -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # workers need nobody to wait for them
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        self._listener.settimeout(min(self._idle, _LOOK_AFTER))
        try:
            self._serve()
        finally:
            if self._next is not None:
                self._next.end()

    def _serve(self) -> None:
        self._prepare()
        while self._going:
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                if self._is_forgotten():
                    return
                continue
            self._last = time.monotonic()
            before = self._requests
            with connection:
                if wire.is_ours(connection):
                    self._answer(connection)
            if self._requests > before:
                self._prepare()

    def _prepare(self) -> None:
        """Have a worker for the next request; without one, it is forked when somebody asks."""
        from pitviper.driver.work.warm_up import trials

        try:
            self._next = Standby(self._begin, trials(), self._listener, self._next)
        except OSError:  # no room for another process
            self._next = None

    def _begin(
        self, connection: socket.socket, message: wire.Message, files: list[int]
    ) -> NoReturn:
        _work(self._run, connection, message, files)

    def _is_forgotten(self) -> bool:
        """Nobody came for long, or nobody can: the socket is gone."""
        idle = time.monotonic() - self._last
        return idle >= self._idle or not os.path.exists(self._path)

    def _stop(self, *_: object) -> None:
        self._going = False
        self._listener.settimeout(0.0)
        raise InterruptedStop

    def _answer(self, connection: socket.socket) -> None:
        """Everything that takes time, and everything that can go wrong, happens in the worker."""
        connection.settimeout(REQUEST)
        try:
            message, files = wire.receive(connection, FILES, REQUEST)
        except wire.Hangup:
            return
        try:
            match message.get("command"):
                case "status":
                    self._tell_status(connection)
                case "stop":
                    self._going = False
                    self._tell_status(connection)
                case "run" if len(files) == FILES:
                    self._requests += 1
                    with contextlib.suppress(wire.Hangup):
                        wire.send(connection, {"begun": True})
                        self._have_done(connection, message, files)
        finally:
            for file in files:
                os.close(file)

    def _have_done(
        self, connection: socket.socket, message: wire.Message, files: list[int]
    ) -> None:
        if self._next is not None and self._next.give(connection, message, files):
            return
        if os.fork() == 0:
            self._listener.close()
            self._begin(connection, message, files)

    def _tell_status(self, connection: socket.socket) -> None:
        status: wire.Message = {
            "pid": os.getpid(),
            "version": VERSION,
            "requests": self._requests,
            "seconds": time.time() - self._since,
        }
        with contextlib.suppress(wire.Hangup):
            wire.send(connection, status)


class InterruptedStop(BaseException):
    """A signal has ended the daemon."""


def _work(
    run: Command, connection: socket.socket, message: wire.Message, files: list[int]
) -> NoReturn:
    """In the worker: the command of the client, in the client's place. Never returns."""
    try:
        code = _run(run, connection, message, files)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client may go now
        wire.send(connection, {"exit": code})
    finally:
        os._exit(0)


def _run(run: Command, connection: socket.socket, message: wire.Message, files: list[int]) -> int:
    connection.settimeout(None)
    for name in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    arguments = _take_place(connection, message, files)
    process_is_ours(lambda code: wire.send(connection, {"exit": code}))
    threading.Thread(target=_watch, args=(connection,), daemon=True).start()
    try:
        return int(run(arguments))
    except SystemExit as error:  # argparse
        return error.code if isinstance(error.code, int) else 2
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _take_place(connection: socket.socket, message: wire.Message, files: list[int]) -> list[str]:
    """The files, the environment and the folder of the client; its arguments."""
    match message:
        case {"argv": list(argv), "cwd": str(folder), "env": dict(environment)}:
            for number, file in enumerate(files):
                os.dup2(file, number)
            sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False))
            encoding = str(message.get("encoding") or "utf-8")
            sys.stdout = _writer(_Telling(connection), encoding)
            sys.stderr = _errors(io.FileIO(2, "w", closefd=False), encoding)
            os.environ.clear()
            os.environ.update({str(name): str(value) for name, value in environment.items()})
            os.environ["PITVIPER_DAEMON"] = "off"
            os.chdir(folder)
            return [str(argument) for argument in argv]
    raise wire.Hangup


class _Telling(io.FileIO):
    """Standard output that lets the client know, once, that something is told."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(1, "w", closefd=False)
        self._connection: socket.socket | None = connection

    def write(self, data: Buffer, /) -> int:
        if self._connection is not None:
            with contextlib.suppress(wire.Hangup):
                wire.send(self._connection, {"told": True})
            self._connection = None
        return super().write(data)


def _writer(raw: io.FileIO, encoding: str) -> io.TextIOWrapper:
    by_line = os.isatty(raw.fileno())
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding=encoding, line_buffering=by_line)


def _errors(raw: io.FileIO, encoding: str) -> io.TextIOWrapper:
    """Nothing waits to be written, as in `cli.start`: what could not be said changes no answer."""
    return io.TextIOWrapper(raw, encoding=encoding, write_through=True)


def _watch(connection: socket.socket) -> None:
    """Ctrl-C at the client is Ctrl-C here, and so is its death."""
    with contextlib.suppress(OSError):
        connection.recv(1)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(_LATEST)
    os._exit(1)
