"""Who is warned that a lemma proves something by calling itself without end."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.plugins.termination.unmeasured import CODE
from pitviper.source.diagnostic import Severity

F = "function f(n: Int): Int\n"


def helps(method: str) -> list[str]:
    """What the warnings about a method tell to do; each is a warning, and the program is one."""
    front = load_text(F + method)
    assert front.program is not None
    found = [d for d in front.diagnostics if d.code == CODE]
    assert all(d.severity is Severity.WARNING for d in found)
    return [d.help or "" for d in found]


def test_a_lemma_about_itself_is_told_to_call_something_smaller() -> None:
    (said,) = helps("method l(n: Int) ensures f(n) > 0 { l(n) }")
    assert "something smaller" in said


def test_a_lemma_without_a_smallest_case_is_told_its_measure() -> None:
    (said,) = helps("method l(n: Int, m: Int) ensures f(n) > m { l(n - 1, m) }")
    assert "`decreases n`" in said


def test_a_lemma_about_something_larger_is_told() -> None:
    assert helps("method l(n: Int, m: Int) ensures f(n) > m { if (n > 0) { l(n + m, m) } }")


@pytest.mark.parametrize(
    "method",
    [
        "method l(n: Int) ensures f(n) > 0 { if (n > 0) { l(n - 1) } }",
        "method l(n: Int) ensures f(n) > 0 decreases n { l(n) }",
        "method l(n: Int) { l(n) }",
        "method l(n: Int) returns (r: Int) ensures r == f(n) { r := l(n) }",
        "field v: Int method l(x: Ref) requires acc(x.v) ensures acc(x.v) { l(x) }",
        "method l(n: Int) ensures f(n) > 0 { while (true) { } l(n) }",
        "method l(n: Int) ensures f(n) > 0 { assert true } method k(n: Int) { l(n) }",
    ],
)
def test_others_are_not_told(method: str) -> None:
    assert helps(method) == []
