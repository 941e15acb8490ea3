"""The two sides of a failed comparison are told in the order in which they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import Counterexample


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
