"""Every failing program of the public suite is shown consistently by the debugger."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.suite.debugger_consistency import inconsistencies
from tests.suite.location import SUITE, needs_suite

_FAILS = re.compile(r"(?:Expected|Unexpected|Missing)Output\([a-z.]+:[a-z.]+")
SAMPLES = 12
"""Every so many programs are looked at on every run."""


def failing_programs() -> list[Path]:
    programs = sorted((SUITE / "silver").rglob("*.vpr"))
    return [p for p in programs if _FAILS.search(p.read_text(encoding="utf-8", errors="replace"))]


def complaints(programs: list[Path]) -> dict[str, list[str]]:
    found = {str(p.relative_to(SUITE / "silver")): inconsistencies(p) for p in programs}
    return {name: wrong for name, wrong in found.items() if wrong}


@needs_suite
def test_the_debugger_is_consistent_on_a_sample() -> None:
    chosen = failing_programs()[::SAMPLES]
    assert len(chosen) > 20
    assert complaints(chosen) == {}


@needs_suite
@pytest.mark.slow
def test_the_debugger_is_consistent_on_every_failing_program() -> None:
    assert complaints(failing_programs()) == {}
