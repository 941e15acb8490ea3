"""The method of section 6.1 of the paper: n independent conditionals, which must not be 2^n paths.

Usage: python bench/conditionals.py [--only NAME] [--sizes 10 20 30] [--print N]
"""

from __future__ import annotations

import sys

from growth import Experiment, main

BUDGETS = {10: 1.0, 30: 10.0}


def empty(count: int) -> str:
    """As in the paper: nothing happens in the branches."""
    return _method(count, "", "", "", "")


def local(count: int) -> str:
    """Each conditional assigns a local variable; the last assignment is asserted."""
    return _method(count, "  var y: Int := 1", "y := {n}", "y := {n} + 1", f"  assert y >= {count}")


def many_locals(count: int) -> str:
    """Each conditional assigns a variable of its own, all of which are asserted at the end."""
    variables = "\n".join(f"  var y{n}: Int" for n in range(1, count + 1))
    goal = " && ".join(f"y{n} >= {n}" for n in range(1, count + 1))
    return _method(count, variables, "y{n} := {n}", "y{n} := {n} + 1", f"  assert {goal}")


def heap(count: int) -> str:
    """Each conditional writes to the same location."""
    then = "c.value := {n}"
    return _method(count, "", then, "c.value := {n} + 1", f"  assert c.value >= {count}")


def update(count: int) -> str:
    """Each conditional changes the value of the same location, depending on what it was."""
    return _method(
        count, "", "c.value := c.value + 1", "c.value := c.value + 2", "  assert acc(c.value)"
    )


def one_sided(count: int) -> str:
    """Only one branch writes."""
    return _method(count, "", "c.value := {n}", "", "  assert acc(c.value)")


def total(count: int) -> str:
    """A sum over all conditionals is bounded at the end: the proof itself has many cases."""
    after = f"  assert {count} <= y && y <= 2 * {count}"
    return _method(count, "  var y: Int := 0", "y := y + 1", "y := y + 2", after)


def call(count: int) -> str:
    """Both branches call a method that changes the location."""
    return _method(count, "", "set(c, {n})", "set(c, {n} + 1)", f"  assert c.value >= {count}")


def shapes(count: int) -> str:
    """After each conditional the heap holds other chunks, depending on the way taken."""
    before = "\n".join(f"  var d{n}: Ref" for n in range(1, count + 1))
    return _method(count, before, "d{n} := new(value)", "", "  assert acc(c.value)")


def quantified(count: int) -> str:
    """Each conditional writes to an element of a set of objects."""
    then = "e.value := {n}"
    return _method(count, QUANTIFIED, then, "e.value := {n} + 1", f"  assert e.value >= {count}")


SET = """\
method set(c: Ref, v: Int)
  requires acc(c.value)
  ensures acc(c.value) && c.value == v
{
  c.value := v
}
"""

QUANTIFIED = """\
  var s: Set[Ref]
  var e: Ref
  inhale e in s && forall r: Ref :: r in s ==> acc(r.value)"""


def _method(count: int, before: str, then: str, otherwise: str, after: str) -> str:
    parameters = ", ".join(f"x{n}: Int" for n in range(1, count + 1))
    permission = "  requires acc(c.value)\n  ensures acc(c.value)"
    header = ["field value: Int", "", SET] if "set(" in then else ["field value: Int", ""]
    lines = [*header, f"method m(c: Ref, {parameters})", permission, "{", before]
    for n in range(1, count + 1):
        branches = then.format(n=n), otherwise.format(n=n)
        lines.append(f"  if (x{n} == 0) {{ {branches[0]} }} else {{ {branches[1]} }}")
    return "\n".join([*lines, after, "}", ""])


EXPERIMENTS = (
    Experiment("empty", empty, BUDGETS),
    Experiment("local", local, BUDGETS),
    Experiment("many_locals", many_locals, BUDGETS),
    Experiment("heap", heap, BUDGETS),
    Experiment("update", update, BUDGETS),
    Experiment("one_sided", one_sided, BUDGETS),
    Experiment("call", call, BUDGETS),
    Experiment("quantified", quantified, BUDGETS),
    Experiment("total", total, BUDGETS),
    Experiment("shapes", shapes, {}),
)

if __name__ == "__main__":
    sys.exit(main("n independent conditionals", EXPERIMENTS, (10, 20, 30)))
