"""Many of a kind: methods, wands, and exhales before a counterexample, which must not cost n^3.

Usage: python bench/many.py [--only NAME] [--sizes 10 20 40] [--print N]
"""

from __future__ import annotations

import sys

from growth import Experiment, main

METHOD = """\
method step_{n}(c: Ref, i: Int) returns (r: Int)
  requires acc(c.value) && i > {n}
  ensures acc(c.value) && c.value == old(c.value) + i && r > {n}
{{
  r := i
  while (r < i + {n})
    invariant acc(c.value) && r >= i && c.value == old(c.value)
  {{
    r := r + 1
  }}
  c.value := c.value + i
}}
"""


def members(count: int) -> str:
    """Methods with a loop each."""
    return "\n".join(["field value: Int", *[METHOD.format(n=n) for n in range(count)]])


def wands(count: int) -> str:
    """Each wand gives away a location, and all of them are applied in the other order."""
    names = [f"x{n}" for n in range(count)]
    parameters = ", ".join(f"{x}: Ref" for x in ("c", *names))
    held = " && ".join(f"acc({x}.value)" for x in ("c", *names))
    steps = [f"acc(c.value) --* acc(c.value) && acc({x}.value)" for x in names]
    lines = [f"  package {wand}" for wand in steps] + [f"  apply {w}" for w in reversed(steps)]
    contract = f"  requires {held}\n  ensures {held}"
    body = "\n".join(lines)
    return f"field value: Int\nmethod give({parameters})\n{contract}\n{{\n{body}\n}}\n"


def exhales(count: int) -> str:
    """Amounts that add up to all there is, and a claim with a counterexample behind them."""
    amounts = [f"p{n}" for n in range(count)]
    parameters = ", ".join(f"{p}: Perm" for p in amounts)
    positive = " && ".join(f"{p} > none" for p in amounts)
    given = "\n".join(f"  exhale acc(n.value, {p})" for p in amounts)
    return f"""field value: Int
method portions(ns: Set[Ref], n: Ref, {parameters})
  requires forall r: Ref :: r in ns ==> acc(r.value)
  requires n in ns && {" + ".join(amounts)} == write && {positive}
{{
{given}
  assert perm(n.value) == write
}}
"""


EXPERIMENTS = (
    Experiment("members", members, {}, exponent=2.0),
    Experiment("wands", wands, {}, exponent=2.2),
    Experiment("exhales", exhales, {}, exponent=2.2, counterexample=True),
)

if __name__ == "__main__":
    sys.exit(main("many of a kind", EXPERIMENTS, (10, 20, 40)))
