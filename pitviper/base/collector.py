"""The cyclic garbage collector, paused while a tree is built or modules are loaded.

Trees have no cycles, and each of the collector's passes over a growing tree finds nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
