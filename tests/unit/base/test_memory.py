"""The pause of the garbage collector ends, whatever happens."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

import pitviper
from pitviper.base.memory import paused_collector


def test_nested_pauses() -> None:
    assert gc.isenabled()
    with paused_collector():
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_exception_ends_the_pause() -> None:
    with pytest.raises(KeyError), paused_collector():
        raise KeyError
    assert gc.isenabled()


FREED = """
import ctypes
from pathlib import Path
from pitviper.base.memory import give_back

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 >> 10

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
blocks = [libc.malloc(50_000) for _ in range(2000)]
for block in blocks:
    ctypes.memset(block, 1, 50_000)
last = libc.malloc(50_000)  # the heap cannot become shorter
for block in blocks:
    libc.free(block)
before = resident()
give_back()
print(before - resident())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim")
def test_what_is_free_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 50


def test_counterexamples_and_debuggers_give_back(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[None] = []
    monkeypatch.setattr("pitviper.api.calls.give_back", lambda: asked.append(None))
    pitviper.counterexample("method m(x: Int) { assert x > 0 }")
    pitviper.debug("method m(x: Int) { assert x > 0 }")
    assert len(asked) == 2
