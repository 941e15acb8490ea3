"""Changes of a text."""

from __future__ import annotations

from pathlib import Path

from pitviper.source.edit import Cure, Edit, edited
from pitviper.source.span import SourceFile, Span


def at(text: str, start: int, end: int) -> Span:
    return Span(SourceFile(Path("m.vpr"), text), start, end)


def test_edits_are_applied_from_the_end_on() -> None:
    edits = (Edit(at("abc", 0, 1), "x"), Edit(at("abc", 2, 3), "yy"))
    assert edited("abc", edits) == "xbyy"


def test_two_insertions_at_one_place_stay_in_order() -> None:
    assert edited("ab", (Edit(at("ab", 1, 1), "1"), Edit(at("ab", 1, 1), "2"))) == "a12b"


def test_an_action_says_what_is_done_and_not_why() -> None:
    why = "after the loop of line 6 only its invariants and `i >= n` are known"
    assert Cure(f"{why}: add `invariant i <= n`", ()).action == "Add `invariant i <= n`"
    assert Cure("`fold list(x)` at the end", ()).action == "Write `fold list(x)` at the end"
    assert Cure("Add `requires x: y` to m", ()).action == "Add `requires x: y` to m"
    keep = "keep it, `var t: Int := a` before `a := b`, and read `t`"
    assert Cure(f"{why}: {keep}", ()).action == "K" + keep[1:]
