"""A text that is checked several times has the worst colour of all that is said about it."""

from __future__ import annotations

from pathlib import Path

from pitviper.results.wizard import Colour, ColouredPlace, moment_of, worst_places
from pitviper.source.span import SourceFile, Span

FILE = SourceFile(Path("a.vpr"), "invariant n >= 0 assert n > 1")
CLAIM, OTHER = Span(FILE, 10, 16), Span(FILE, 24, 29)


def place(span: Span, error: str, colour: Colour) -> ColouredPlace:
    return ColouredPlace(span, "m", error, colour)


def test_the_worst_of_a_text_is_shown() -> None:
    before = place(CLAIM, "invariant.not.established", Colour.GREEN)
    behind = place(CLAIM, "invariant.not.preserved", Colour.UNREACHED)
    open_ = place(CLAIM, "invariant.not.preserved", Colour.YELLOW)
    alone = place(OTHER, "assert.failed", Colour.GREEN)
    assert worst_places((before, behind, alone)) == (behind, alone)
    assert worst_places((open_, before, alone)) == (open_, alone)
    assert worst_places((before, alone)) == (before, alone)


def test_invariants_say_when_they_are_checked() -> None:
    claims = [place(CLAIM, f"invariant.not.{word}", Colour.RED) for word in
              ("established", "preserved")]  # fmt: skip
    moments = [moment_of(claim) for claim in claims]
    assert moments == ["before the first iteration", "after an iteration"]
    assert moment_of(place(OTHER, "assert.failed", Colour.RED)) == ""
