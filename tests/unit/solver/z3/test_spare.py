"""Contexts in store: as good as new ones, made elsewhere, taken along into new processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from pitviper.solver.session import Path
from pitviper.solver.z3 import spare
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.sort import INT

PATIENCE = 60.0


def wait_for_one() -> None:
    end = time.monotonic() + PATIENCE
    while not spare._store.ready:
        assert time.monotonic() < end, "nobody has made a context"
        time.sleep(0.001)


def proves_something() -> bool:
    """A question that needs the solver."""
    x, y, z = (b.constant(name, INT) for name in "xyz")
    with Z3Session() as session:
        path = Path().assume_all([b.less(x, y), b.less(y, z)])
        answer = session.entails(path, b.less(x, z))
        assert session.statistics().without_solver == 0
        return answer.proved


def test_a_context_in_store_is_taken_once() -> None:
    spare.prepare_contexts(several=False)
    wait_for_one()
    (stored,) = spare._store.ready
    assert spare.take_context() is stored
    other = spare.take_context()
    assert other is not stored
    for context in (stored, other):
        context.close()


def test_the_next_one_is_made_where_several_are_needed() -> None:
    spare.prepare_contexts(several=True)
    wait_for_one()
    first = spare.take_context()
    first.close()
    wait_for_one()
    assert spare._store.ready[0] is not first


def test_questions_are_answered_with_and_without_a_store() -> None:
    spare.prepare_contexts(several=False)
    wait_for_one()
    assert proves_something()
    assert proves_something()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system that can fork")
def test_a_new_process_has_the_store_and_can_have_further_ones_made() -> None:
    program = f"""
import os, sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from test_spare import proves_something, spare, wait_for_one
spare.prepare_contexts(several=True)
wait_for_one()
child = os.fork()
if child == 0:
    assert spare._store.ready
    assert proves_something() and not spare._store.ready
    spare.prepare_contexts(several=True)
    wait_for_one()
    os._exit(0 if proves_something() else 1)
_, status = os.waitpid(child, 0)
assert proves_something()
sys.exit(os.waitstatus_to_exitcode(status))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr


def test_nothing_is_made_where_memory_is_limited() -> None:
    program = """
from pitviper.solver.z3.library import limit_solver_memory
from pitviper.solver.z3 import spare
limit_solver_memory(300)
spare.prepare_contexts(several=True)
assert not spare._store.asked and not spare._store.ready
spare.take_context().close()
assert not spare._store.asked and not spare._store.ready
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr


AT_THE_END = """
import time
from pitviper.solver.z3 import spare

made = spare._new_context

def slow():
    time.sleep(0.3)
    context = made()
    print("made", flush=True)
    return context

spare._new_context = slow
spare.prepare_contexts(several=False)
while not spare._store.making.locked():
    time.sleep(0.001)
"""


def test_a_process_does_not_end_in_the_middle_of_making_one() -> None:
    run = [sys.executable, "-c", AT_THE_END]
    done = subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "made\n", "")
