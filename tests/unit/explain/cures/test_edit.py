"""What is said where both advice and a cure are known."""

from __future__ import annotations

from pathlib import Path

from pitviper.explain.cures.choice import chosen
from pitviper.explain.cures.edit import Candidate
from pitviper.results.finding import Finding
from pitviper.source.edit import Cure, Edit
from pitviper.source.span import SourceFile, Span

PLACE = Span(SourceFile(Path("m.vpr"), "method m() { }"), 0, 0)
STRONG = Candidate((Edit(PLACE, "fold list(x)"),), "`fold list(x)` here")
WEAK = Candidate((Edit(PLACE, "requires n > 0"),), "ask for it", weak=True)


def advised(advice: str, *, general: bool = False, cures: tuple[Cure, ...] = ()) -> Finding:
    """A finding with advice."""
    return Finding(
        "assert.failed",
        "assertion.false",
        PLACE,
        "m",
        "Assert might fail.",
        advice=advice,
        cures=cures,
        general=general,
        cause="`n` is 0" if general else None,
    )


def test_a_cure_replaces_general_advice() -> None:
    finding = advised("mend the body", general=True)
    said, cause = chosen(finding, WEAK, "`m` verifies", verified=True)
    assert (said, cause) == ("ask for it; with that, `m` verifies", "`n` is 0")


def test_advice_that_knows_the_cause_stays_where_the_cure_is_weak() -> None:
    said, _ = chosen(advised("`x` and `y` are one object"), WEAK, "`m` verifies", verified=True)
    assert said == "`x` and `y` are one object"


def test_advice_that_names_the_edit_says_that_it_was_seen() -> None:
    said, _ = chosen(advised("write `requires n > 0`"), WEAK, "`m` verifies", verified=True)
    assert said == "write `requires n > 0`; with `requires n > 0`, `m` verifies"


def test_a_strong_cure_is_better_than_any_advice() -> None:
    said, _ = chosen(advised("`x` and `y` are one object"), STRONG, "`m` verifies", verified=True)
    assert said == "`fold list(x)` here; with that, `m` verifies"


def test_that_a_claim_holds_where_it_is_asked_for_is_no_news() -> None:
    claim = Candidate((Edit(PLACE, "requires n > 0"),), "ask for it", weak=True, assumes=True)
    said, _ = chosen(advised("write `requires n > 0`"), claim, "`m` verifies", verified=True)
    assert said == "write `requires n > 0`"
    said, _ = chosen(advised("assert less", general=True), claim, "`m` verifies", verified=True)
    assert said == "ask for it"


def test_a_statement_that_goes_is_known_by_its_place() -> None:
    edits = (Edit(PLACE, ""),)
    leave = Candidate(edits, "leave `fold list(x)` out", weak=True)
    finding = advised("`list(x)` is closed already", cures=(Cure("Leave it out", edits),))
    said, _ = chosen(finding, leave, "`m` verifies", verified=True)
    assert said == "`list(x)` is closed already; with that, `m` verifies"
