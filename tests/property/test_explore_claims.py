"""Exploration against both verifiers and the interpreter, on random programs."""

from __future__ import annotations

import pytest

from pitviper.base.deep_stack import run_deep
from tests.property.exploration_claims import (
    SOME,
    Claims,
    compare,
    program_of,
    repaired,
    unlike_endings,
)
from tests.property.exploration_programs import random_program


@pytest.mark.parametrize("part", [1, 2])
def test_runs_end_alike_in_the_interpreter(part: int) -> None:
    compared = 0
    for seed in range(10 * part, 10 * part + 10):
        program = program_of(random_program(seed, pure=True))
        if program is not None:
            runs, unlike = run_deep(lambda program=program: unlike_endings(program))
            compared += runs
            assert not unlike, (seed, unlike)
    assert compared > 5


@pytest.mark.parametrize("seed", [3, 8, 15, 26])
def test_what_a_verifier_proves_does_not_fail(seed: int) -> None:
    text = run_deep(lambda: repaired(random_program(seed)))
    found: Claims = run_deep(lambda: compare(text, SOME))

    assert found.verified
    assert not found.contradictions


@pytest.mark.parametrize("seed", [2, 5])
def test_wrong_programs_are_not_proved(seed: int) -> None:
    found: Claims = run_deep(lambda: compare(random_program(seed), SOME))

    assert found.failed
    assert not found.contradictions
