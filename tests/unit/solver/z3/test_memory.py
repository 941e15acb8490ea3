"""The solver has a limit of memory: reaching it is no answer, and no crash."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pitviper.solver.session import Path
from pitviper.solver.z3.library import (
    _MEMOUT,
    MOST_MEMORY,
    OutOfMemory,
    Z3Context,
    usual_memory,
)
from pitviper.solver.z3.session import Z3Session
from pitviper.solver.z3.solver import Z3Solver
from pitviper.terms import build as b
from pitviper.terms.sort import INT

SCRIPT = """
import ctypes
from pathlib import Path
import pitviper
from pitviper.solver.z3.library import limit_solver_memory

def largest():  # in megabytes; `ru_maxrss` counts who started it
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(dict(line.split(":", 1) for line in lines)["VmHWM"].split()[0]) >> 10

ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE: pages have the size that they have
limit_solver_memory({megabytes})
pitviper.verify("method small(x: Int) {{ assert x > 0 }}")
before = largest()
done = pitviper.verify('''
domain D {{
  function g(i: Int, j: Int): Int
  axiom {{
    forall i: Int, j: Int :: {{ g(i, j) }} g(i, j) == g(i + 1, j * 2) + g(j, i - 1) * g(i * j, j)
  }}
}}
method greedy(x: Int) {{ assert g(x, x) > g(x + 1, x) }}
method small(x: Int) {{ assert x > 0 }}
''')
greedy, small = done.members.values()
print(greedy.verdict.value, greedy.crash, [u.message for u in greedy.undecided])
print(small.verdict.value)
assert largest() - before < 3 * {megabytes}, (before, largest())  # 1.3 times where it was written
"""


@pytest.mark.parametrize("megabytes", [30, 60])
def test_a_member_that_needs_too_much_is_undecided(megabytes: int) -> None:
    """And what it used is free again for the next."""
    script = SCRIPT.format(megabytes=megabytes)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    message = f"the solver needs more memory than {megabytes} MB"
    assert done.stdout == f"undecided None ['{message}']\nrefuted\n", done.stderr
    assert done.stderr == ""


def test_nothing_is_asked_of_a_context_that_had_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its scopes may be half made: Z3 has ended a process that wanted to leave one."""

    def starves(solver: Z3Solver, limit: int) -> int:
        solver._z3._errors.append(_MEMOUT)
        raise solver._z3.error()

    def leaves(solver: Z3Solver, count: int) -> None:
        raise AssertionError("a scope is left")

    monkeypatch.setattr(Z3Solver, "check", starves)
    monkeypatch.setattr(Z3Solver, "pop", leaves)
    x, y = b.constant("x", INT), b.constant("y", INT)
    with Z3Session() as session, pytest.raises(OutOfMemory):
        session.entails(Path(), b.equal(b.times(x, y), b.integer(7)))


def test_errors_after_a_lack_of_memory_are_that_lack() -> None:
    context = Z3Context({})
    for code in (_MEMOUT, 1):
        context._errors.append(code)
        assert isinstance(context.error(), OutOfMemory)
    context.close()


def test_there_is_a_limit_where_nobody_asks_for_one() -> None:
    assert 256 <= usual_memory() <= MOST_MEMORY


def test_it_is_a_lack_of_memory_like_any_other() -> None:
    assert isinstance(OutOfMemory(), MemoryError)
