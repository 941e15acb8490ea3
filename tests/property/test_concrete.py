"""The interpreter is deterministic, honest, and independent of how a program is printed."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from pitviper.driver.front.frontend import load_text
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import Calls, Loops, Options, Tape
from pitviper.engines.concrete.outcome import Failed, NeedsChoice, Outcome, Passed, RunResult
from pitviper.program.member import Program
from pitviper.program.print.printer import program_text
from tests.property.strategies_programs import MAIN, Case, cases

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
MODES = [Options(loops=loops, calls=calls) for loops in Loops for calls in Calls]


def program_of(text: str) -> Program:
    front_end = load_text(text, "test.vpr")
    assert front_end.program is not None, (text, front_end.diagnostics)
    return front_end.program


def ids(outcome: Outcome) -> tuple[str, str]:
    """What may not depend on the layout of a program."""
    return type(outcome).__name__, outcome.id if isinstance(outcome, Failed) else ""


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(cases())
def test_same_tape_same_outcome(case: Case) -> None:
    program = program_of(case.text)
    for options in MODES:
        first = run_member(program, MAIN, case.inputs, case.tape, options)
        assert run_member(program, MAIN, case.inputs, case.tape, options) == first


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(cases())
def test_the_printed_program_runs_alike(case: Case) -> None:
    program = program_of(case.text)
    printed = program_of(program_text(program))
    first = run_member(program, MAIN, case.inputs, case.tape)
    again = run_member(printed, MAIN, case.inputs, case.tape)
    assert ids(again.outcome) == ids(first.outcome)
    assert (again.choices, again.steps) == (first.choices, first.steps)


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(cases())
def test_the_numbers_read_are_all_that_matters(case: Case) -> None:
    """A run is played again from the decisions that it logged, and needs all of them."""
    program = program_of(case.text)
    first = run_member(program, MAIN, case.inputs, case.tape)
    numbers = _numbers(first)
    replayed = run_member(program, MAIN, case.inputs, Tape(numbers))
    assert replayed.choices == first.choices
    assert ids(replayed.outcome) == ids(first.outcome)
    if numbers and isinstance(first.outcome, Passed):
        shorter = run_member(program, MAIN, case.inputs, Tape(numbers[:-1]))
        assert isinstance(shorter.outcome, NeedsChoice)


def _numbers(result: RunResult) -> tuple[int, ...]:
    return tuple(choice.number for choice in result.choices)
