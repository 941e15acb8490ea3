"""Which changes make no sense: loops that stand still."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.explain.cures.sense import endless_loops


@pytest.mark.parametrize(
    ("loop", "still"),
    [
        ("while (i < n) { i := i + 0 }", 1),
        ("while (i < n) { i := i }", 1),
        ("while (i < n) { i := 1 * i }", 0),
        ("while (i < n) { j := j + 1 }", 1),
        ("while (i < n) { i := i + 1 }", 0),
        ("while (i < n) { i := i + 0; i := other(i) }", 0),
        ("while (i < n) { if (j > 0) { goto done } }", 0),
        ("while (i < n) { inhale false }", 0),
        ("while (x.f < n) { j := j + 1 }", 0),
        ("while (true) { j := j + 1 }", 0),
    ],
)
def test_loops_that_stand_still(loop: str, still: int) -> None:
    text = f"""field f: Int
method other(i: Int) returns (k: Int)
method m(n: Int, x: Ref) {{
  var i: Int
  var j: Int
  {loop}
  label done
}}
"""
    program = load_text(text, "p.vpr").program
    assert program is not None
    assert endless_loops(program.methods["m"]) == still
