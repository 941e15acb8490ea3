"""Runs a function on a stack deep enough for every program that the parser accepts.

The parser limits nesting to 1000 levels, and each level costs several frames in each stage. The
default limit of 1000 frames and the 8 MB stack of the main thread are too small for that.

NOTE(parked). A verification is several such runs, one behind the other, and making a thread with a
large stack takes as long as reading a small program. So a thread that has nothing to do waits a
moment for the next run before it ends.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from _queue import Empty, SimpleQueue  # `queue` takes time to load for what it has beside these
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pitviper.base.memory import address_space, have_few_heaps

T = TypeVar("T")

STACK_SIZES = tuple(megabytes * 1024 * 1024 for megabytes in (512, 256, 64))
"""Tried in this order: a machine with limited address space refuses the larger ones."""

RECURSION_LIMIT = 100_000
"""Frames; 512 MB are then 5 KB of C stack for each, which no frame of ours needs."""

IDLE = 0.1
"""Seconds that a thread waits for another function: NOTE(parked)."""

_starting = threading.Lock()
_inside = threading.local()
_parked: list[_Thread] = []
"""Threads that wait; each is taken out by whoever gives it a run, or by itself when it ends."""
_abandoned: list[object] = []
"""Runs that nobody waits for any more."""


def is_work_left_behind() -> bool:
    """Whether a function may still be at work that was late: such a process must end at once."""
    return bool(_abandoned)


PATIENCE = 2.0
"""Seconds that a function may take to end once it was told to."""


class Late(Exception):
    """A function has not ended in its time; its thread is left alone with it."""


def run_deep(
    function: Callable[[], T],
    stop: Callable[[], None] | None = None,
    until: float | None = None,
) -> T:
    """The result of `function()`, or its exception; a call from inside such a run is direct.

    An interrupt (Ctrl-C) reaches the thread that waits here: it then calls `stop`, which makes
    the function end soon, so that no work goes on behind the back of the caller. At the time
    `until` (of `time.monotonic`), which a direct call does not look at, the wait is over: Late.
    MemoryError where the machine grants no stack.
    """
    if getattr(_inside, "deep", False):
        return function()
    run = _Run(function)
    try:
        _parked.pop().inbox.put(run)
    except IndexError:
        _start(run)
    try:
        left = None if until is None else max(0.0, until - time.monotonic())
        if not run.finished.wait(left):
            _abandoned.append(run)
            raise Late
    except Late:
        raise
    except BaseException:
        if stop is not None:
            stop()
            run.finished.wait(PATIENCE)
        raise
    return run.outcome()


class _Thread:
    """A thread that takes one run after the other."""

    def __init__(self, first: _Run[Any]) -> None:
        self.inbox: SimpleQueue[_Run[Any]] = SimpleQueue()
        self.inbox.put(first)

    def __call__(self) -> None:
        _inside.deep = True
        while self._takes_one():
            pass

    def _takes_one(self) -> bool:
        """Whether there was a run. Nothing of it is kept while the next one is waited for."""
        try:
            run = self.inbox.get(timeout=IDLE)
        except Empty:
            try:
                _parked.remove(self)
            except ValueError:  # somebody has just taken it
                run = self.inbox.get()
            else:
                return False
        run.go()
        _parked.append(self)
        run.finished.set()
        return True


class _Run(Generic[T]):
    """One function on its way through the thread."""

    def __init__(self, function: Callable[[], T]) -> None:
        self.finished = threading.Event()
        self._function = function
        self._result: list[T] = []
        self._error: BaseException | None = None

    def go(self) -> None:
        try:
            self._result.append(self._function())
        except BaseException as error:  # carried over to the caller's thread by outcome()
            self._error = error

    def outcome(self) -> T:
        if self._error is not None:
            raise self._error
        return self._result[0]


def _start(run: _Run[T]) -> None:
    """Start the thread with the largest stack that the machine grants.

    The limit stays raised: it belongs to the interpreter, and another deep run may be under way.
    So does the one for digits of numbers: literals are limited, what is computed from them may be
    longer, and has limits of its own.
    """
    with _starting:
        sys.set_int_max_str_digits(0)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
        before = threading.stack_size()
        try:
            _start_with(run, _fitting(STACK_SIZES))
        finally:
            threading.stack_size(before)


def _forked() -> None:
    """In a new process, which may be made by a run while its own thread is being started: usual
    threads would have its large stack, and nobody would end the start. No thread waits there."""
    global _starting
    _starting = threading.Lock()
    _parked.clear()
    threading.stack_size(0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _fitting(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Those that leave three quarters of a limited address space to everything else."""
    room = address_space()
    if room is None:
        return sizes
    have_few_heaps()
    return tuple([size for size in sizes if size <= room // 4]) or sizes[-1:]


def _start_with(run: _Run[T], sizes: tuple[int, ...]) -> None:
    threading.stack_size(sizes[0])
    try:
        threading.Thread(target=_Thread(run), name="pitviper-deep", daemon=True).start()
    except RuntimeError as error:  # "can't start new thread"
        if len(sizes) == 1:
            raise MemoryError("out of memory: there is no room for a stack") from error
        _start_with(run, sizes[1:])
