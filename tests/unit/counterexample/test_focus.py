"""The two sides of a failed comparison are told in the order in which they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import Counterexample
from pitviper.results.heap_graph import graph_of


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (
            "method m(x: Int) requires x < 0 && x > -2 { assert x >= 0 }",
            "x >= 0 is false (-1 >= 0)",
        ),
        ("method m(x: Int) requires x == 4 { assert 3 == x }", "3 == x is false (3 == 4)"),
        ("method m(x: Int) requires x == 4 { assert x == 3 }", "x == 3 is false (4 == 3)"),
        ("method m(x: Int) { assert x != 7 }", "x != 7 is false (7 != 7)"),
        (
            "method m(x: Int) returns (r: Int) requires x == 2 ensures r > old(x) { r := 1 }",
            "r > old(x) is false (1 > 2)",
        ),
        # The names of a callee's contract are not those of the caller.
        (
            """method callee(a: Int, b: Int) requires a >= b
            method m(a: Int, b: Int) requires a == 5 && b == 1 { callee(b, a) }""",
            "a >= b is false (1 >= 5)",
        ),
        (
            """method m(a: Int, b: Int) requires a == 5 && b == 1 && a >= b { m(b, a) }""",
            "a == 5 is false (1 == 5)",
        ),
    ],
)
def test_the_order_of_the_text(program: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "sides.vpr"
    file.write_text(program, encoding="utf-8")
    (found, *_) = counterexamples(file, CounterexampleOptions()).results

    assert isinstance(found, Counterexample)
    assert found.caption.endswith(f"fails: {sentence}")


CELL = """field f: Int
field next: Ref
predicate cell(x: Ref) { acc(x.f) && acc(x.next) && (x.next != null ==> cell(x.next)) }
method needs(y: Ref) requires cell(y)
"""


@pytest.mark.parametrize(
    ("method", "frames"),
    [
        # Nothing of it is held: it is drawn all the same.
        ("method m(a: Ref) requires a != null { unfold cell(a) }", {"cell(Ref1)": "missing"}),
        ("method m(a: Ref) requires a != null { needs(a) }", {"cell(Ref1)": "missing"}),
        # In the body of what is folded, in words of the predicate.
        (
            """method m(a: Ref) requires acc(a.f) && acc(a.next)
              requires a.next != null && a.next != a { fold cell(a) }""",
            {"cell(Ref2)": "missing"},
        ),
        # A part is held, and was held: that is marked, and nothing drawn twice.
        (
            "method m(a: Ref) requires acc(cell(a), 1/2) { exhale acc(cell(a), write) }",
            {"cell(Ref1)": "1/2"},
        ),
        (
            "method m(a: Ref) requires cell(a) { exhale cell(a) unfold cell(a) }",
            {"cell(Ref1)": "write"},
        ),
    ],
)
def test_a_missing_instance_is_drawn(method: str, frames: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "missing.vpr"
    file.write_text(CELL + method, encoding="utf-8")
    (found, *_) = counterexamples(file, CounterexampleOptions()).results

    assert isinstance(found, Counterexample)
    drawn = graph_of(found).frames
    assert {frame.text: frame.amount for frame in drawn if frame.focus} == frames
    assert len({frame.text for frame in drawn}) == len(drawn)
