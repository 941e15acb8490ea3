"""Verdicts of members."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitviper.results.finding import Finding
from pitviper.results.verdict import Crash, MemberOutcome, Undecided, Verdict
from pitviper.source.span import NO_SPAN

FINDING = Finding("assert.failed", "assertion.false", NO_SPAN, "m", "MSG")
OPEN = Undecided(NO_SPAN, "hard")
PLAIN = MemberOutcome("m", "method")


@pytest.mark.smoke
def test_only_a_member_without_any_trouble_is_verified() -> None:
    assert PLAIN.verdict is Verdict.VERIFIED
    assert replace(PLAIN, undecided=(OPEN,)).verdict is Verdict.UNDECIDED
    assert replace(PLAIN, crash=Crash("bug", "trace")).verdict is Verdict.UNDECIDED
    assert replace(PLAIN, findings=(FINDING,), undecided=(OPEN,)).verdict is Verdict.REFUTED
    assert replace(PLAIN, omitted=1).verdict is Verdict.REFUTED


def test_findings_that_are_left_out_are_counted() -> None:
    many = replace(PLAIN, findings=(FINDING,) * 5)
    assert many.with_at_most(None) is many
    assert many.with_at_most(5) is many
    few = many.with_at_most(2)
    assert (len(few.findings), few.omitted) == (2, 3)
    fewer = few.with_at_most(1)
    assert (len(fewer.findings), fewer.omitted) == (1, 4)
