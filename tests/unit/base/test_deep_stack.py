"""Deep recursion, and what comes out of the thread."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import pytest

from pitviper.base import deep_stack
from pitviper.base.deep_stack import run_deep


def wait_until_nobody_is_parked() -> None:
    while deep_stack._parked:
        time.sleep(0.01)


def depth(n: int) -> int:
    return 0 if n == 0 else 1 + depth(n - 1)


@pytest.mark.smoke
def test_recursion_far_beyond_the_default_limit() -> None:
    assert run_deep(lambda: depth(50_000)) == 50_000


def test_deep_c_recursion() -> None:
    """Nested generators take C stack for each level."""

    def nested(n: int) -> object:
        def levels(n: int) -> object:
            if n:
                yield from levels(n - 1)  # type: ignore[misc]
            else:
                yield 1

        return next(levels(n))  # type: ignore[call-overload]

    assert run_deep(lambda: nested(40_000)) == 1


def test_exceptions_come_out_as_they_are() -> None:
    def fails() -> int:
        raise KeyError("why")

    with pytest.raises(KeyError, match="why"):
        run_deep(fails)


def test_a_run_inside_a_run_is_direct() -> None:
    def outer() -> bool:
        here = threading.get_ident()
        return run_deep(threading.get_ident) == here

    assert run_deep(outer)


def test_a_thread_is_used_again_and_ends_when_it_is_not() -> None:
    def current() -> threading.Thread:
        return threading.current_thread()

    first = run_deep(current)
    assert any(run_deep(current) is first for _ in range(1000))
    wait_until_nobody_is_parked()
    first.join()
    assert run_deep(current) is not first


def test_nothing_of_a_run_is_kept_by_its_thread() -> None:
    class Large:
        pass

    kept = Large()
    gone = weakref.ref(kept)

    def uses(what: Large = kept) -> None:
        assert what is not None

    run_deep(uses)
    del kept, uses
    run_deep(lambda: None)
    gc.collect()
    assert gone() is None


def test_a_process_forked_while_a_thread_is_parked_starts_its_own() -> None:
    run_deep(lambda: None)
    child = os.fork()
    if child == 0:
        os._exit(run_deep(lambda: 7))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7


def test_endless_recursion_is_an_exception_not_a_crash() -> None:
    def endless(n: int) -> int:
        return endless(n + 1) + 1

    with pytest.raises(RecursionError):
        run_deep(lambda: endless(0))


def test_runs_at_the_same_time() -> None:
    results: list[int] = []

    def one() -> None:
        results.append(run_deep(lambda: depth(5_000)))

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [5_000] * 4


def test_a_machine_that_grants_no_stack_is_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    wait_until_nobody_is_parked()
    monkeypatch.setattr(threading.Thread, "start", refused)
    with pytest.raises(MemoryError, match="no room for a stack"):
        run_deep(lambda: depth(1))


LIMITED = """
from pitviper.base.deep_stack import run_deep
from pitviper.base.memory import limit_memory
limit_memory(512 << 20)
print(run_deep(lambda: len(bytearray(240 << 20)) >> 20))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a limited address space")
def test_the_stack_leaves_a_limited_address_space_to_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True)
    assert done.stdout == "240\n", done.stderr[-500:]


def test_a_process_forked_at_a_start_has_usual_stacks() -> None:
    """Its parent may be just about to start a thread with a large one."""
    before = threading.stack_size(64 << 20)
    try:
        child = os.fork()
        if child == 0:
            os._exit(0 if threading.stack_size() == 0 else 1)
    finally:
        threading.stack_size(before)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
