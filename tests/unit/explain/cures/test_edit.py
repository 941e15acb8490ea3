"""What is said where both advice and a cure are known."""

from __future__ import annotations

from pathlib import Path

from pitviper.explain.cures.choice import chosen
from pitviper.explain.cures.edit import Candidate
from pitviper.source.edit import Edit
from pitviper.source.span import SourceFile, Span

PLACE = Span(SourceFile(Path("m.vpr"), "method m() { }"), 0, 0)
STRONG = Candidate((Edit(PLACE, "fold list(x)"),), "`fold list(x)` here")
WEAK = Candidate((Edit(PLACE, "requires n > 0"),), "ask for it", weak=True)


def test_a_cure_replaces_a_stock_phrase() -> None:
    said, _ = chosen("mend the body, or promise less", WEAK, "`m` verifies", verified=True)
    assert said == "ask for it; with that, `m` verifies"


def test_advice_that_knows_the_cause_stays_where_the_cure_is_weak() -> None:
    said, _ = chosen("`x` and `y` are one object", WEAK, "`m` verifies", verified=True)
    assert said == "`x` and `y` are one object"


def test_advice_that_names_the_edit_says_that_it_was_seen() -> None:
    said, _ = chosen("write `requires n > 0`", WEAK, "`m` verifies", verified=True)
    assert said == "write `requires n > 0`; with `requires n > 0`, `m` verifies"


def test_a_strong_cure_is_better_than_any_advice() -> None:
    said, _ = chosen("`x` and `y` are one object", STRONG, "`m` verifies", verified=True)
    assert said == "`fold list(x)` here; with that, `m` verifies"


def test_that_a_claim_holds_where_it_is_asked_for_is_no_news() -> None:
    claim = Candidate((Edit(PLACE, "requires n > 0"),), "ask for it", weak=True, assumes=True)
    said, _ = chosen("write `requires n > 0`", claim, "`m` verifies", verified=True)
    assert said == "write `requires n > 0`"
    said, _ = chosen("assert less", claim, "`m` verifies", verified=True)
    assert said == "ask for it"
