"""Removes n symbolic amounts, one after the other, from a quantified chunk.

Usage: python bench/quantified_removal.py [--sizes 5 10 20] [--print N]

The program is that of section 6.3.2 of the thesis on visual debugging, which has five amounts.
"""

from __future__ import annotations

import sys

from growth import Experiment, main

HEADER = """\
field val: Int

method exhalingMultipleTimes(ns: Set[Ref], n1: Ref)
  requires forall r: Ref :: r in ns ==> acc(r.val)
  requires n1 in ns
  requires |ns| == 4
{"""


def removal(count: int) -> str:
    """The amounts add up to all there is; the receiver is always the same."""
    return _program(count, ["assert true"])


def removal_and_check(count: int) -> str:
    """In addition, what is left in the end: nothing of this object, all of the others."""
    others = "forall r: Ref :: r in ns && r != n1 ==> perm(r.val) == write"
    return _program(count, ["assert perm(n1.val) == none", f"assert {others}"])


def _program(count: int, end: list[str]) -> str:
    amounts = [f"p{n}" for n in range(1, count + 1)]
    statements = [f"var {amount}: Perm" for amount in amounts]
    statements.append(f"assume {' + '.join(amounts)} == write")
    statements.append(f"assume {' && '.join(f'{amount} > none' for amount in amounts)}")
    statements += [f"exhale acc(n1.val, {amount})" for amount in amounts]
    return "\n".join([HEADER, *(f"  {line}" for line in [*statements, *end]), "}", ""])


EXPERIMENTS = (
    Experiment("removal", removal, {}, exponent=2.0),
    Experiment("removal_and_check", removal_and_check, {}, exponent=2.0),
)

if __name__ == "__main__":
    sys.exit(main("n removals from a quantified chunk", EXPERIMENTS, (5, 10, 20)))
