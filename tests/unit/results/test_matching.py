"""Outputs against annotations: each rule of the public suite's matcher."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.results.annotations import Fault, Matched, Output, match_outputs, read_annotations


def match(annotations: str, *outputs: Output) -> Matched:
    """The annotations stand before line 10 of a program."""
    lines = [line.strip() for line in annotations.strip().split("\n") if line.strip()]
    text = "\n" * (9 - len(lines)) + "\n".join([*lines, "x"])
    return match_outputs(outputs, read_annotations(text, Path("a.vpr")))


def faults(matched: Matched) -> list[Fault]:
    return [mismatch.fault for mismatch in matched.mismatches]


ASSERT = Output("assert.failed:assertion.false", 10)
PARSER = Output("parser.error", 10)


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("annotation", "output"),
    [
        ("parser.error", PARSER),
        ("assert.failed:assertion.false", ASSERT),
        ("assert.failed", ASSERT),
    ],
)
def test_expected_outputs_match(annotation: str, output: Output) -> None:
    assert match(f"//:: ExpectedOutput({annotation})", output) == Matched(())


@pytest.mark.parametrize(
    ("annotation", "output"),
    [
        ("parser.error:reason", PARSER),  # a one-part id has no reason to match
        ("assert.failed:division.by.zero", ASSERT),
        ("exhale.failed:assertion.false", ASSERT),
        ("parser.error", Output("parser.error", 11)),
        ("parser.error", Output("parser.error", None)),
    ],
)
def test_other_ids_reasons_and_lines_do_not_match(annotation: str, output: Output) -> None:
    matched = match(f"//:: ExpectedOutput({annotation})", output)
    assert faults(matched) == [Fault.ADDITIONAL, Fault.ABSENT]


def test_several_outputs_may_match_one_annotation() -> None:
    matched = match("//:: ExpectedOutput(assert.failed:assertion.false)", ASSERT, ASSERT)
    assert faults(matched) == []


def test_a_missing_output_excuses_an_expected_one_that_does_not_come() -> None:
    matched = match("""
        //:: ExpectedOutput(assert.failed:assertion.false)
        //:: MissingOutput(assert.failed:assertion.false, /silver/issue/1/)
    """)
    assert faults(matched) == []
    assert [str(a.issue) for a in matched.known] == ["/silver/issue/1/"]


def test_a_missing_output_that_comes_is_a_mismatch_although_it_is_expected() -> None:
    matched = match(
        """
        //:: ExpectedOutput(assert.failed:assertion.false)
        //:: MissingOutput(assert.failed:assertion.false, /silver/issue/1/)
    """,
        ASSERT,
    )
    assert faults(matched) == [Fault.PRESENT]


def test_an_unexpected_output_must_come() -> None:
    annotation = "//:: UnexpectedOutput(assert.failed:assertion.false, /pitviper/issue/1/)"
    assert faults(match(annotation)) == [Fault.KNOWN_ABSENT]
    matched = match(annotation, ASSERT)
    assert faults(matched) == []
    assert len(matched.known) == 1


def test_excuses_of_other_verifiers_do_not_count() -> None:
    matched = match(
        """
        //:: UnexpectedOutput(assert.failed:assertion.false, /silicon/issue/1/)
        //:: MissingOutput(exhale.failed:assertion.false, /carbon/issue/1/)
        //:: ExpectedOutput(exhale.failed:assertion.false)
    """,
        ASSERT,
    )
    assert faults(matched) == [Fault.ADDITIONAL, Fault.ABSENT]
    assert matched.known == ()


def test_ignore_others_covers_its_line_only() -> None:
    assert faults(match("//:: IgnoreOthers", ASSERT, PARSER)) == []
    assert faults(match("//:: IgnoreOthers", Output("parser.error", 9))) == [Fault.ADDITIONAL]


def test_unreadable_annotations_are_mismatches() -> None:
    matched = match("//:: Expected(parser.error)")
    assert faults(matched) == [Fault.UNREADABLE]
    assert matched.mismatches[0].line == 9
