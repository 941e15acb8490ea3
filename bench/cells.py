"""The program of Figure 11 of the paper: n cells, a call on each, one assertion about the first.

Usage: python bench/cells.py [--sizes 14 50 200] [--backend vcg] [--print N]
"""

from __future__ import annotations

import sys

from growth import Experiment, main

CELL = """\
field x: Int

predicate valid(this: Ref) { acc(this.x) }

function getX(this: Ref): Int
  requires valid(this)
{
  unfolding valid(this) in this.x
}

method init(this: Ref)
  requires acc(this.x)
  ensures valid(this) && getX(this) == 0
{
  this.x := 0
  fold valid(this)
}

method setX(this: Ref, v: Int)
  requires valid(this)
  ensures valid(this) && getX(this) == v
{
  unfold valid(this)
  this.x := v
  fold valid(this)
}
"""


def cells(count: int) -> str:
    """Cell as in Figure 9, and the client whose verification times Figure 11 shows."""
    lines = [CELL, "method client()", "{"]
    for n in range(1, count + 1):
        lines.append(f"  var c{n}: Ref")
        lines.append(f"  c{n} := new(x)")
        lines.append(f"  init(c{n})")
        lines.append(f"  setX(c{n}, {n})")
    lines += ["  assert getX(c1) == 1", "}", ""]
    return "\n".join(lines)


EXPERIMENTS = (Experiment("cells", cells, {}, exponent=2.0),)

if __name__ == "__main__":
    sys.exit(main("n cells, n calls, one assertion", EXPERIMENTS, (14, 50, 200)))
