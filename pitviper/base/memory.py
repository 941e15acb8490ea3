"""How much memory a process of ours may use, where the system has such limits."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager


def limit_memory(size: int) -> None:
    """At most so many bytes of address space from now on; a lower limit stays."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


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
"""Seconds between two times at which memory is given back: each takes some milliseconds, and what
comes next has to get its memory again, a third of the time of a small program."""

HEAPS = 2
"""One for the thread that asks, one for those that work: they do so one after the other."""

_ARENA_MAX = -8
"""The option of `mallopt`."""

_given_back = [float("-inf")]
"""When memory was given back for the last time."""


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
    option, trim = getattr(library, "mallopt", None), getattr(library, "malloc_trim", None)
    if trim is not None and option is not None:
        if _given_back[0] < 0 and "MALLOC_ARENA_MAX" not in os.environ:
            option(_ARENA_MAX, HEAPS)
        trim(0)
    _given_back[0] = now
