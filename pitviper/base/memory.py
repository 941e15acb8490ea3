"""How much memory a process of ours may use, where the system has such limits."""

from __future__ import annotations

import gc
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


def give_back() -> None:
    """Returns memory that is free to the system, where it can be told to.

    What a solver has freed is otherwise kept for the next one, in as many heaps as there were
    threads: a process that asks again and again seems to grow.
    """
    import ctypes  # takes time to load, and commands that end soon need it not

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
