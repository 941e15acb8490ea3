"""Quantified permissions: what runs into a failure is never verified."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from pitviper.driver.verify.options import SymbolicOptions, VcgOptions
from tests.property.strategies_programs import Case
from tests.property.strategies_quantified import quantified_cases
from tests.property.test_engine_against_interpreter import failure, refuted

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)


@settings(max_examples=80, deadline=None, suppress_health_check=SLOW)
@given(quantified_cases())
def test_what_fails_concretely_is_not_verified(case: Case) -> None:
    failed = failure(case)
    if failed is not None:
        assert refuted(case.text, SymbolicOptions()), (case.text, case.inputs, failed)
        assert refuted(case.text, VcgOptions()), (case.text, case.inputs, failed)
