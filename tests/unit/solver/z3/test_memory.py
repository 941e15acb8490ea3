"""The solver has a limit of memory: reaching it is no answer, and no crash."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pitviper.solver.z3.library import MOST_MEMORY, OutOfMemory, usual_memory

SCRIPT = """
from pathlib import Path
import pitviper
from pitviper.solver.z3.library import limit_solver_memory

limit_solver_memory({megabytes})
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
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
largest = int(status["VmHWM"].split()[0]) >> 10  # `ru_maxrss` counts who started it
assert largest < 300, largest  # without a limit it is more than 400
"""


@pytest.mark.parametrize("megabytes", [30, 60])
def test_a_member_that_needs_too_much_is_undecided(megabytes: int) -> None:
    """And what it used is free again for the next."""
    script = SCRIPT.format(megabytes=megabytes)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    message = f"the solver needs more memory than {megabytes} MB"
    assert done.stdout == f"undecided None ['{message}']\nrefuted\n", done.stderr
    assert done.stderr == ""


def test_there_is_a_limit_where_nobody_asks_for_one() -> None:
    assert 256 <= usual_memory() <= MOST_MEMORY


def test_it_is_a_lack_of_memory_like_any_other() -> None:
    assert isinstance(OutOfMemory(), MemoryError)
