"""Every id is explained, and the programs beside it have it or have it not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pitviper
from pitviper.results.catalogue import CONSTRUCTS, FRONT, REASONS, WARNINGS, known_ids
from pitviper.results.examples import CONSTRUCT_EXAMPLES, example_of
from pitviper.results.object_examples import OBJECT_CONSTRUCTS, OBJECT_EXAMPLES
from pitviper.results.verdict import Verdict
from pitviper.results.wording import ERRORS
from pitviper.results.wording import REASONS as REASON_TEXTS


def test_every_construct_is_explained() -> None:
    assert ERRORS.keys() - CONSTRUCTS.keys() == set()


def test_every_reason_is_explained() -> None:
    assert REASON_TEXTS.keys() - REASONS.keys() == set()


ID = re.compile(
    r'"((?:[a-z]+\.)+(?:failed|false|permission|zero|negative|positive|length|contains|found'
    r"|injective|reached|unsupported|wellformed|violated|precondition|established|preserved"
    r'|error|warning|unmeasured|stale|mismatch|null|true|red))"'
)
OURS = re.compile(r"receiver\.null|contract\.not\.wellformed|(seq|array)\.(?!index).*")
"""Names of axioms and of texts, which are no ids."""


def test_every_id_that_the_package_mentions_is_explained() -> None:
    package = Path(pitviper.__file__).parent
    mentioned = {i for file in package.rglob("*.py") for i in ID.findall(file.read_text())}
    assert len(mentioned) > 30
    assert {i for i in mentioned - {*known_ids()} if not OURS.fullmatch(i)} == set()


@pytest.mark.parametrize("construct", CONSTRUCT_EXAMPLES)
def test_a_construct_and_its_cure(construct: str) -> None:
    example = CONSTRUCT_EXAMPLES[construct]
    found = [(f.error, f.reason) for f in pitviper.verify(example.bad).findings]
    assert found == [(construct, example.reason)]
    assert pitviper.verify(example.good).problems == ()


def test_every_construct_but_two_has_a_program() -> None:
    bare = {name for name in CONSTRUCTS if example_of(name) is None}
    assert bare == {"predicate.part.not.wellformed", "internal"}


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_and_its_cure(reason: str) -> None:
    entry = REASONS[reason]
    if not entry.bad:
        assert reason == "feature.unsupported"  # no construct is known to be so for ever
        return
    findings = pitviper.verify(entry.bad).findings
    assert reason in [finding.reason for finding in findings]
    assert pitviper.verify(entry.good).verdict is Verdict.VERIFIED


@pytest.mark.parametrize("problem", [name for name, entry in FRONT.items() if entry.bad])
def test_a_rejected_program_and_its_cure(problem: str) -> None:
    entry = FRONT[problem]
    assert [d.code for d in pitviper.check(entry.bad).errors] == [problem]
    assert pitviper.check(entry.good).accepted


@pytest.mark.parametrize("warning", [name for name, entry in WARNINGS.items() if entry.bad])
def test_a_warning_and_its_cure(warning: str) -> None:
    entry = WARNINGS[warning]
    assert warning in [problem.id for problem in pitviper.verify(entry.bad).problems]
    assert pitviper.verify(entry.good).problems == ()


@pytest.mark.parametrize("construct", [*OBJECT_CONSTRUCTS, *OBJECT_EXAMPLES])
def test_programs_of_the_object_language_have_it_or_have_it_not(construct: str) -> None:
    own = OBJECT_CONSTRUCTS.get(construct)
    example = OBJECT_EXAMPLES[construct] if own is None else own.example
    bad = pitviper.verify(example.bad, name="it.cool")
    found = {finding.id for member in bad.members.values() for finding in member.findings}
    assert f"{construct}:{example.reason}" in found
    good = pitviper.verify(example.good, name="it.cool")
    assert {member.verdict for member in good.members.values()} == {Verdict.VERIFIED}
