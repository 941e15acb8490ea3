"""A contradiction is made small, and wrong lines are taken out."""

from __future__ import annotations

from pitviper.driver.fuzz.repair import without_lines
from pitviper.driver.fuzz.shrink import shrunk

TEXT = "a\nif (c) {\nb\nwanted\n} else {\nd\n}\ne\n"


def test_only_what_is_needed_is_left() -> None:
    assert shrunk(TEXT, lambda text: "a" in text.split("\n")) == "a\n"


def test_blocks_stay_whole() -> None:
    def holds(text: str) -> bool:
        return "wanted" in text and text.count("{") == text.count("}")

    assert shrunk(TEXT, holds) == "if (c) {\nwanted\n} else {\n}\n"


def test_a_limit_of_attempts_is_kept() -> None:
    asked = []
    shrunk(TEXT, lambda text: bool(asked.append(text)), attempts=3)
    assert len(asked) <= 3


def test_wrong_lines_are_taken_out_and_conditions_replaced() -> None:
    text = "method m()\n{\nassert x\nif (y) {\nz := 1\n}\nwhile (q)\n{\n}\n}"
    assert without_lines(text, frozenset((1, 3, 4, 7))) == (
        "method m()\n{\nif (b) {\nz := 1\n}\nwhile (b)\n{\n}\n}"
    )
