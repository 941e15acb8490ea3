"""How much memory a process of ours may use, where the system has such limits."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ctypes


def limit_memory(size: int) -> None:
    """At most so many bytes of address space from now on; a lower limit stays."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def limit_growth(size: int) -> None:
    """At most so many bytes of address space more than now, where the system tells; else in all."""
    limit_memory(size + _mapped())


def _mapped() -> int:
    """Bytes of address space in use: stacks and libraries that are never touched count, too."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def address_space() -> int | None:
    """Bytes that this process may use at most; None where there is no limit."""
    try:
        import resource
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


@contextmanager
def paused_collector() -> Iterator[None]:
    """No collection inside; nested uses are fine, the outermost one ends the pause."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


PAUSE = 1.0
"""Seconds between two times at which memory is given back: each takes some milliseconds."""

KEPT = 64 << 20
"""Bytes that are free and stay in a heap: what comes next would have to get them again, which took
a third of the time of a small program. A context of Z3 is two tables of 8.5 MB each, written at
once, and a system that has got them back hands them out page by page."""

HEAPS = 2
"""One for the thread that asks, one for those that work: they do so one after the other."""

_LARGEST = 32 << 20
"""Bytes of the largest piece that comes from a heap; larger ones go back when they are free. More
is not possible."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Options of `mallopt`."""

_NUMBERS, _FREE = 10, 8
"""How many numbers `mallinfo2` tells, and which of them is what is free."""

_given_back = [float("-inf")]
"""When memory was given back for the last time."""


def keep_freed() -> None:
    """What is freed from now on stays with this process, up to a bound, where that can be said.

    By itself the library gives back the top of a heap of 17 MB: that is one context of Z3, each
    time. Whoever has said what it should do, by the environment, knows better.
    """
    if "MALLOC_TRIM_THRESHOLD_" in os.environ or "MALLOC_MMAP_THRESHOLD_" in os.environ:
        return
    import ctypes

    option = getattr(ctypes.CDLL(None), "mallopt", None)
    if option is not None:
        option(_MMAP_THRESHOLD, _LARGEST)
        option(_TRIM_THRESHOLD, KEPT)


def give_back() -> None:
    """Returns memory that is free to the system, where it can be told to, and not too often.

    What a solver has freed is otherwise kept for the next one, in as many heaps as there were
    threads at the same time: a process that asks again and again seems to grow. A thread that
    begins while another one is about to end makes a new heap, so there are few from now on.
    """
    now = time.monotonic()
    if now - _given_back[0] < PAUSE:
        return
    import ctypes  # takes time to load, and commands that end soon need it not

    library = ctypes.CDLL(None)
    trim = getattr(library, "malloc_trim", None)
    if trim is not None:
        have_few_heaps()
        if _free_bytes(library) > HEAPS * KEPT:
            trim(0)
    _given_back[0] = now


@cache
def have_few_heaps() -> None:
    """Threads share heaps from now on, where they can be told to: each one reserves 64 MB."""
    import ctypes

    option = getattr(ctypes.CDLL(None), "mallopt", None)
    if option is not None and "MALLOC_ARENA_MAX" not in os.environ:
        option(_ARENA_MAX, HEAPS)


def _free_bytes(library: ctypes.CDLL) -> int:
    """How much is free in all heaps; endless where the library cannot tell."""
    import ctypes

    class Told(ctypes.Structure):
        _fields_ = (("numbers", ctypes.c_size_t * _NUMBERS),)

    tell = getattr(library, "mallinfo2", None)
    if tell is None:
        return sys.maxsize
    tell.restype = Told
    return int(tell().numbers[_FREE])
