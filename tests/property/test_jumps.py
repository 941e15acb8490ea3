"""Ways that meet at labels: what verifies holds in every run, what holds in every run verifies."""

from __future__ import annotations

import pytest

from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.verdict import Verdict
from tests.property.jump_programs import jump_program


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("start", [0, 30, 230])
def test_verdicts_are_those_of_all_runs(start: int, backend: str) -> None:
    """Program 241 once lost one of three ways that met."""
    wrong: list[int] = []
    right = 0
    with open_verifier(VerifyOptions(backend=backend)) as verifier:
        for seed in range(start, start + 30):
            program = jump_program(seed)
            done = verifier.verify(verifier.read_text(program.text, f"jumps{seed}.vpr"))
            expected = Verdict.VERIFIED if program.is_right else Verdict.REFUTED
            if done.verdict is not expected:
                wrong.append(seed)
            right += program.is_right
    assert wrong == []
    assert 3 < right < 27
