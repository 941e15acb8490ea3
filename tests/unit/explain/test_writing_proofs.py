"""Only edits that no run and no caller notices count as parts of a proof."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.explain.writing import adds_to_proof
from pitviper.source.edit import Edit
from pitviper.source.span import Span

TEXT = """method m(n: Int) returns (r: Int)
  requires n > 0
{
  r := 0
  while (r < n)
    invariant r <= n
  {
    r := r + 1
  }
}
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "assert r == 0\n", True),
        ("", "fold P(x)\n", True),
        ("", "assume r == 0\n", False),
        ("", "inhale r == 0\n", False),
        ("", "exhale true\n", False),
        ("", "var t: Int := r\n", False),
        ("", "requires n > 1\n", False),
        ("r <= n", "r <= n + 1", True),
        ("n > 0", "n >= 0", False),
        ("r + 1", "r + 2", False),
        ("r < n", "r + 1 < n", False),
        ("r := 0", "", False),
        ("r := 0", "assert r == 0", False),
        ("\n  {\n    r", "", False),
    ],
)
def test_what_nobody_else_notices(old: str, new: str, expected: bool) -> None:
    program = load_text(TEXT, "m.vpr").program
    assert program is not None
    method = program.methods["m"]
    at = TEXT.index(old) if old else TEXT.index("  while")
    edit = Edit(Span(method.span.file, at, at + len(old)), new)
    assert adds_to_proof((edit,), method) is expected
    front = Span(edit.span.file, TEXT.index("  while"), TEXT.index("  while"))
    assert not adds_to_proof((edit, Edit(front, "  assume false\n")), method)


def test_a_measure_is_a_proof_of_a_loop_and_a_promise_of_a_method() -> None:
    program = load_text(TEXT, "m.vpr").program
    assert program is not None
    method = program.methods["m"]
    for place, expected in (("  {\n    r", True), ("{\n  r := 0", False)):
        at = TEXT.index(place)
        edit = Edit(Span(method.span.file, at, at), "decreases n - r\n")
        assert adds_to_proof((edit,), method) is expected
    assert not adds_to_proof((), method)
