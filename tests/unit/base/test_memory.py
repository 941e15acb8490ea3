"""The pause of the garbage collector ends, whatever happens."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import pytest

import pitviper
from pitviper.base import memory
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
import ctypes, os
from pathlib import Path
from pitviper.base.memory import give_back

def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
blocks = [libc.malloc(50_000) for _ in range(4000)]
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
    assert int(done.stdout) > 50  # of 190 MB


HEAPS = """
import ctypes, threading
from pitviper.base.memory import give_back

libc = ctypes.CDLL(None)
libc.fdopen.restype, libc.malloc_info.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p]
give_back()
met = threading.Barrier(7)

def work():
    libc.malloc(50_000)
    met.wait()

for _ in range(6):
    threading.Thread(target=work).start()
met.wait()
libc.malloc_info(0, libc.fdopen(1, b"w"))
libc.fflush(None)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mallopt")
@pytest.mark.parametrize(("chosen", "most"), [({}, 2), ({"MALLOC_ARENA_MAX": "5"}, 5)])
def test_threads_share_few_heaps(chosen: dict[str, str], most: int) -> None:
    """A user who has chosen their number is not overruled."""
    own = {k: v for k, v in os.environ.items() if k != "MALLOC_ARENA_MAX"}
    done = subprocess.run(
        [sys.executable, "-c", HEAPS], capture_output=True, text=True, check=True, env=own | chosen
    )
    assert done.stdout.count("<heap nr=") == most


def test_every_question_gives_back(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[None] = []
    monkeypatch.setattr("pitviper.api.calls.give_back", lambda: asked.append(None))
    program = "method m(x: Int) { assert x > 0 }"
    for question in (pitviper.counterexample, pitviper.debug, pitviper.verify, pitviper.explore):
        question(program)
    assert len(asked) == 4


def test_it_is_not_given_back_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small questions come quicker than the system takes it."""
    now = [100.0]
    monkeypatch.setattr("pitviper.base.memory.time.monotonic", lambda: now[0])
    monkeypatch.setattr(memory, "_given_back", [50.0])
    memory.give_back()
    assert memory._given_back == [100.0]
    now[0] += memory.PAUSE / 2
    memory.give_back()
    assert memory._given_back == [100.0]


KEPT = """
import ctypes, resource
import pitviper

ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE: pages have the size that they have

PROGRAM = '''
field f: Int field g: Ref
predicate list(x: Ref) { acc(x.f) && acc(x.g) && (x.g != null ==> list(x.g)) }
function sum(x: Ref): Int requires list(x)
{ unfolding list(x) in x.f + (x.g == null ? 0 : sum(x.g)) }
method m1(x: Ref, n: Int) requires list(x) && n > 0
{ unfold list(x) x.f := n; fold list(x) assert sum(x) > 1 }
method m2(x: Ref, n: Int) requires list(x) && n > 0
{ unfold list(x) x.f := n; fold list(x) assert sum(x) > 2 }
'''

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        pitviper.verify(PROGRAM)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

for _ in range(3):  # until heaps are as large as they become
    faults()
print(faults())
"""


def _faults(**environment: str) -> int:
    """Pages that the system handed out for ten verifications, by the `mallopt` of the caller."""
    own = {k: v for k, v in os.environ.items() if not k.startswith("MALLOC_")}
    done = subprocess.run(
        [sys.executable, "-c", KEPT],
        capture_output=True,
        text=True,
        check=True,
        env=own | environment,
    )
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="mallopt")
def test_memory_of_a_context_stays_for_the_next() -> None:
    """A context of Z3 writes 17 MB, 4,000 pages, which the system would hand out one by one.

    How many of them come anyway depends on the machine, so it is compared with a process that was
    told by its environment to give everything back: 84 pages beside 333,050 where it was written.
    """
    assert 4 * _faults() < _faults(MALLOC_TRIM_THRESHOLD_="131072")


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim")
def test_little_that_is_free_stays() -> None:
    little = FREED.replace("range(4000)", "range(500)")
    done = subprocess.run(
        [sys.executable, "-c", little], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 12  # of 24 MB
