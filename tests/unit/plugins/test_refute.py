from __future__ import annotations

import pytest

from pitviper.plugins.refute import PLUGIN
from pitviper.results.finding import Finding
from tests.unit.plugins.encoded_texts import (
    ELSEWHERE,
    complaints_about,
    encode,
    failed_check,
    method_lines,
    told,
)

TEXT = """
method m(x: Int)
{
  refute x > 0
  while (x > 1) { refute x > 2 }
}
method n(x: Int)
{
  refute
    x > 3
}
"""


@pytest.mark.smoke
def test_a_refute_asserts_on_a_path_of_its_own() -> None:
    encoded = encode("method m(x: Int) { refute x > 0 }")

    assert method_lines(encoded, "m") == [
        "method m(x: Int)",
        "{",
        "{",
        "if (aside) {",
        "assert x > 0",
        "inhale false",
        "}",
        "}",
        "}",
    ]
    assert complaints_about(encoded) == []


def test_a_refute_without_finding_fails() -> None:
    encoded = encode(TEXT)

    assert told(encoded) == [
        ("refute.failed:refutation.true", 4, "m"),
        ("refute.failed:refutation.true", 5, "m"),
        ("refute.failed:refutation.true", 10, "n"),
    ]
    assert encoded.translate(())[0].message == (
        "Refute holds in all cases or could not be reached"
        " (e.g. see Silicon `numberOfErrorsToReport`). Assertion x > 0 definitely holds."
    )


def test_a_finding_about_the_assertion_is_what_was_wanted() -> None:
    encoded = encode(TEXT)
    hoped = [failed_check("m", (PLUGIN, "1")), failed_check("m", (PLUGIN, "1"))]

    assert told(encoded, *hoped) == [
        ("refute.failed:refutation.true", 4, "m"),
        ("refute.failed:refutation.true", 10, "n"),
    ]


def test_other_findings_stay_in_front() -> None:
    encoded = encode(TEXT)
    other = Finding("assert.failed", "assertion.false", ELSEWHERE, "m", "text")

    assert encoded.translate((other,))[0] == other


def test_members_that_were_not_verified_have_no_failed_refutes() -> None:
    encoded = encode(TEXT)
    told_about = encoded.translate((), frozenset({"n"}))

    assert [finding.member for finding in told_about] == ["n"]
