"""Every id is explained, and the programs beside it have it or have it not."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.results.catalogue import CONSTRUCTS, FRONT, REASONS
from pitviper.results.verdict import Verdict
from pitviper.results.wording import ERRORS
from pitviper.results.wording import REASONS as REASON_TEXTS

RARE = {"quasihavocall.not.injective", "labelled.state.not.reached", "feature.unsupported"}
"""Reasons that no beginner meets."""


def test_every_construct_is_explained() -> None:
    assert ERRORS.keys() - CONSTRUCTS.keys() - {"predicate.part.not.wellformed"} == set()


def test_every_reason_is_explained() -> None:
    assert REASON_TEXTS.keys() - REASONS.keys() <= RARE


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_and_its_cure(reason: str) -> None:
    entry = REASONS[reason]
    findings = pitviper.verify(entry.bad).findings
    assert reason in [finding.reason for finding in findings]
    assert pitviper.verify(entry.good).verdict is Verdict.VERIFIED


@pytest.mark.parametrize("problem", FRONT)
def test_a_rejected_program_and_its_cure(problem: str) -> None:
    entry = FRONT[problem]
    assert [d.code for d in pitviper.check(entry.bad).errors] == [problem]
    assert pitviper.check(entry.good).accepted
