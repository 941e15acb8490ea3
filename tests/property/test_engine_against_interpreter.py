"""What runs into a failure is never verified: the engine against the reference interpreter.

The two share nothing but the typed program. A concrete run that fails, from inputs that satisfy the
precondition, is a proof that the program is wrong; an engine that verifies it is unsound.
"""

from __future__ import annotations

from functools import lru_cache

from hypothesis import HealthCheck, given, settings, target

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.options import EngineOptions, SymbolicOptions, VcgOptions
from pitviper.driver.verify.verification import verify_program
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import Calls, Loops, Options
from pitviper.engines.concrete.outcome import Failed
from pitviper.program.member import Program
from pitviper.results.verdict import Verdict
from tests.property.strategies_programs import MAIN, SOME_TAPES, Case, cases

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
MODES = [Options(loops=loops, calls=calls) for loops in Loops for calls in Calls]


def program_of(text: str) -> Program:
    front_end = load_text(text, "test.vpr")
    assert front_end.program is not None, (text, front_end.diagnostics)
    return front_end.program


@lru_cache(maxsize=64)
def refuted(text: str, engine: EngineOptions) -> bool:
    program = program_of(text)
    found = run_deep(lambda: verify_program(program, engine))
    return found.verdict is not Verdict.VERIFIED


def failure(case: Case) -> Failed | None:
    """A failing run of the main method, with the case's decisions or some of our own."""
    program = program_of(case.text)
    for tape in (case.tape, *SOME_TAPES):
        for options in MODES:
            outcome = run_member(program, MAIN, case.inputs, tape, options).outcome
            if isinstance(outcome, Failed) and not outcome.assuming:
                return outcome
    return None


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(cases())
def test_what_fails_concretely_is_not_verified(case: Case) -> None:
    failed = failure(case)
    target(1.0 if failed else 0.0)
    if failed is not None:
        assert refuted(case.text, SymbolicOptions()), (case.text, case.inputs, failed)


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(cases())
def test_the_second_verifier_verifies_no_such_program_either(case: Case) -> None:
    failed = failure(case)
    target(1.0 if failed else 0.0)
    if failed is not None:
        assert refuted(case.text, VcgOptions()), (case.text, case.inputs, failed)


@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(cases())
def test_merging_states_changes_no_verdict_on_failing_programs(case: Case) -> None:
    if failure(case) is not None:
        assert refuted(case.text, SymbolicOptions(join=False)), case.text
