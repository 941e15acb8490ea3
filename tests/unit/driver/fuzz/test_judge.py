"""Judges notice what is wrong with an answer."""

from __future__ import annotations

from random import Random

from pitviper.base.record import replace
from pitviper.driver.fuzz.judge import Judge, Judged
from pitviper.program.member import Program
from pitviper.results.fuzzing import Kind
from pitviper.results.verdict import Crash

WRONG = """field f: Int
method main(x: Ref, n: Int)
  requires acc(x.f)
{
  x.f := n
  assert x.f > 2
}
"""
RIGHT = WRONG.replace("x.f > 2", "x.f == n")


def as_if_verified(judged: Judged, engine: str) -> Judged:
    """What would be judged if the engine had a hole."""
    outcomes = {
        name: replace(outcome, findings=()) for name, outcome in judged.outcomes[engine].items()
    }
    return replace(judged, outcomes={**judged.outcomes, engine: outcomes})


def program_of(judged: Judged) -> Program:
    assert judged.program is not None
    return judged.program


def test_a_wrong_program_that_is_refuted_is_no_contradiction() -> None:
    judge = Judge(Random(0))
    assert judge.contradictions(judge.verify(WRONG)) == []


def test_a_right_program_is_verified_and_no_run_of_it_fails() -> None:
    judge = Judge(Random(0))
    judged = judge.verify(RIGHT)
    assert judged.verified_by == ("symbolic", "vcg")
    assert judge.contradictions(judged) == []
    assert judge.oracles["verifiers against the interpreter"] == 1
    assert judge.denied_queries(judged) == []


def test_an_engine_with_a_hole_is_found() -> None:
    judge = Judge(Random(0))
    kinds = [c.kind for c in judge.contradictions(as_if_verified(judge.verify(WRONG), "vcg"))]
    assert kinds == [Kind.WRONG, Kind.DISAGREE]


def test_two_engines_with_the_same_hole_are_found_by_a_run() -> None:
    judge = Judge(Random(0))
    judged = as_if_verified(as_if_verified(judge.verify(WRONG), "vcg"), "symbolic")
    assert [c.kind for c in judge.contradictions(judged)] == [Kind.WRONG]


def test_interpreter_and_exploration_find_the_failing_run_each_for_itself() -> None:
    judge = Judge(Random(0))
    program = program_of(judge.verify(WRONG))
    for found in (judge.failing_run(program, "main"), judge.failing_exploration(program, "main")):
        assert found is not None
        assert found.span.line == 6


def test_a_crash_is_told() -> None:
    judge = Judge(Random(0))
    judged = judge.verify(RIGHT)
    outcome = replace(judged.outcomes["vcg"]["main"], crash=Crash("KeyError: 'x'", ""))
    judged = replace(judged, outcomes={**judged.outcomes, "vcg": {"main": outcome}})
    assert [c.kind for c in judge.contradictions(judged)] == [Kind.CRASH]


def test_a_counterexample_to_what_is_proved_is_untrue() -> None:
    judge = Judge(Random(0))
    judged = judge.verify(WRONG)
    assert judge.untrue_counterexamples(judged) == []
    found = judge.untrue_counterexamples(as_if_verified(judged, "vcg"))
    assert [c.kind for c in found] == [Kind.UNTRUE]


def test_a_rejected_program_says_where() -> None:
    judge = Judge(Random(0))
    judged = judge.verify(WRONG.replace("x.f := n", "x.f := k"))
    assert judged.program is None
    assert judged.lines == {5}
