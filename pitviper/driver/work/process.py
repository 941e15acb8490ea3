"""A worker process on this machine: forked, talked to through pipes, killed when need be.

NOTE(fork). Workers are forked from the thread that waits for them, while no solver is open and no
thread of ours holds a lock: the program is shared with them without being copied or sent, and a
worker is there within milliseconds. A worker never returns into the code that forked it.

NOTE(own memory). What a worker has of its own is how much it has grown since the fork: pages of no
file, less those that its parent had then. The latter are shared; they were counted for each worker,
so that those of a large process were ended at their birth. `smaps_rollup` tells which pages belong
to nobody else, but a look takes 1 ms with 110 MB, 7 ms with 680 MB and 42 ms with 4 GB (`statm`:
15 µs), and what is inherited becomes a worker's alone when its *parent* lets go of it. Inherited
pages that a worker writes are not seen here: they are at most what the parent had, and
`limit_growth` does not count them either.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO, TypeVar

from pitviper.base.usage_error import UsageError
from pitviper.solver.z3.library import version

T = TypeVar("T")
Life = Callable[[int, int], None]
"""What a worker does with its inbox and its outbox, until it ends."""

_LENGTH = struct.Struct("!Q")
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_OUT_OF_MEMORY = 99
OUT_OF_MEMORY = "a lack of memory"
"""How a worker ended that was refused some."""
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def _granted(call: Callable[[], T]) -> T:
    try:
        return call()
    except OSError as error:
        raise UsageError(f"cannot start a process: {error.strerror}") from error


def _pipe(unused: contextlib.ExitStack) -> tuple[int, int]:
    """Closed with the others, unless all that is needed was granted."""
    ends = _granted(os.pipe)
    for end in ends:
        unused.callback(os.close, end)
    return ends


def can_fork() -> bool:
    return hasattr(os, "fork")


class Gone(Exception):
    """The process at the other end is no more."""


class NothingRuns(Exception):
    """A wait that could have no end, which is a bug of ours: nobody works, and work is open."""


class ChildProcess:
    """A process that does not outlive this one, with a pipe to it and one from it."""

    def __init__(self, life: Life, others: Sequence[int] = ()) -> None:
        """`life` is that of the new process; `others` are pipes that it must not keep.

        UsageError where the system has no descriptors or no process left for it.
        """
        with contextlib.ExitStack() as unused:
            ask_read, ask_write = _pipe(unused)
            tell_read, tell_write = _pipe(unused)
            sys.stdout.flush()
            sys.stderr.flush()
            parent = os.getpid()
            self._inherited = _memory_of(parent)
            self.pid = _granted(os.fork)
            unused.pop_all()
        self.pipes: tuple[int, ...] = (tell_read, ask_write)
        self.peak = 0
        """Bytes of its own that it had at most, where the system tells; known when it is gone."""
        if self.pid == 0:
            _live(life, (ask_read, tell_write), [ask_write, tell_read, *others], parent)
        os.close(ask_read)
        os.close(tell_write)

    @property
    def inbox(self) -> int:
        """Readable when an answer is there, or when the process is gone."""
        return self.pipes[0]

    def send(self, message: bytes) -> None:
        try:
            write_message(self.pipes[1], message)
        except OSError as error:
            raise Gone from error

    def receive(self) -> bytes:
        return read_message(self.pipes[0])

    def memory(self) -> int:
        """Bytes of its own that it has now, where the system tells; else 0."""
        return max(0, _memory_of(self.pid) - self._inherited)

    def hang_up(self) -> None:
        """Tells it that nothing more will be asked, at which a worker ends by itself."""
        with contextlib.suppress(OSError):
            os.close(self.pipes[1])
        self.pipes = self.pipes[:1]

    def end(self) -> str:
        """Kill it if it is still there; how it ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return self._wait() or ""

    def death(self) -> str:
        """How a process ended that has closed its pipes."""
        deadline = time.monotonic() + 2.0
        while time.monotonic() < deadline:
            how = self._wait(os.WNOHANG)
            if how is not None:
                return how
            time.sleep(0.005)
        return self.end()

    def _wait(self, options: int = 0) -> str | None:
        """How it ended; None if it is still there."""
        done, status, used = os.wait4(self.pid, options)
        if not done:
            return None
        self.peak = max(0, used.ru_maxrss * _PEAK_UNIT - self._inherited)
        self._close()
        return _exit_text(os.waitstatus_to_exitcode(status))

    def _close(self) -> None:
        for fd in self.pipes:
            with contextlib.suppress(OSError):
                os.close(fd)


def _memory_of(pid: int) -> int:
    """Bytes of no file that a process has in memory, where the system tells; else 0."""
    try:
        resident, of_files = Path(f"/proc/{pid}/statm").read_text().split()[1:3]
        return (int(resident) - int(of_files)) * _PAGE
    except (OSError, ValueError):
        return 0


def _exit_text(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    if code == _OUT_OF_MEMORY:
        return OUT_OF_MEMORY
    return f"exit code {code}"


def _live(life: Life, own: tuple[int, int], keep_out: list[int], parent: int) -> None:
    """The life of a worker: it ends here, whatever happens."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for fd in keep_out:
            os.close(fd)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        sys.stderr = _own_errors(nothing)
        die_with(parent)
        gc.freeze()  # what the parent made is not looked at again, so its pages stay shared
        from pitviper.base.deep_stack import run_deep

        run_deep(lambda: life(*own))
        code = 0
    except MemoryError:  # a limit, not a bug
        code = _OUT_OF_MEMORY
    except BaseException:  # nothing may go up into the code of the parent
        import traceback

        sys.stderr.write(traceback.format_exc())
        sys.stderr.flush()
    finally:
        os._exit(code)


def _own_errors(nothing: int) -> TextIO:
    """Where Python goes on to write errors; a library that writes some lines before it ends the
    process is not heard: how it ended is told by the one who waits for it."""
    _errors[0] = os.dup(_errors[0])
    os.dup2(nothing, 2)
    return open(_errors[0], "w", encoding="utf-8", errors="replace", closefd=False)


_errors = [2]
"""Where errors go: a worker of a worker has the place of the latter."""


def die_with(parent: int) -> None:
    """A worker does not outlive the process it works for, however that ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def write_message(fd: int, message: bytes) -> None:
    data = memoryview(_LENGTH.pack(len(message)) + message)
    while data:
        data = data[os.write(fd, data) :]


def read_message(fd: int) -> bytes:
    (length,) = _LENGTH.unpack(_read_exactly(fd, _LENGTH.size))
    return _read_exactly(fd, length)


def _read_exactly(fd: int, length: int) -> bytes:
    parts = []
    while length:
        try:
            part = os.read(fd, min(length, 1 << 20))
        except OSError as error:
            raise Gone from error
        if not part:
            raise Gone
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def load_solver() -> str:
    """The version of the solver, whose library is loaded afterwards."""
    return version()
