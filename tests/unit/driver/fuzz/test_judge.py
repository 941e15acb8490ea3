"""Judges notice what is wrong with an answer."""

from __future__ import annotations

from random import Random

import pytest

from pitviper.base.record import replace
from pitviper.driver.front.frontend import load_text
from pitviper.driver.fuzz.judge import Judge, Judged, with_aliases_known
from pitviper.engines.vcg.rules import flow
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
TRUSTED = """function root(i: Int): Int requires i > 0 { i }
method main(i: Int)
{
  var k: Int := 0
  while (k < 2)
    invariant root(i) >= i
  {
    k := k + 1
  }
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


def test_what_rests_on_trust_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verifier that judges no invariant with functions before it establishes it, as once; and
    runs that do not come to where it fails."""
    monkeypatch.setattr(flow, "takes_for_granted", lambda *_: False)
    for runs in ("failing_run", "failing_exploration"):
        monkeypatch.setattr(Judge, runs, lambda *_: None)
    judge = Judge(Random(0))
    judged = judge.verify(TRUSTED)
    assert judged.verified_by == ("vcg",)
    kinds = [c.kind for c in judge.contradictions(judged)]
    assert kinds == [Kind.TRUSTED, Kind.DISAGREE]
    monkeypatch.undo()
    judged = judge.verify(TRUSTED)
    assert (judged.verified_by, judge.contradictions(judged)) == ((), [])


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


def test_aliases_of_a_method_are_known_in_every_way() -> None:
    text = "method main(x: Ref, n: Int, y: Ref, z: Ref)\n  requires n > 0\n{\n}\n"
    texts = with_aliases_known(text, "main")
    assert len(set(texts)) == 5
    assert all(load_text(one, "known.vpr").program is not None for one in texts)
    assert sum("x == y" in one and "y == z" in one for one in texts) == 1


def test_a_hole_in_a_program_that_packages_and_looks_at_amounts_is_no_choice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such programs may see what a package chose; this one does not look at it."""
    judge = Judge(Random(0))
    verify = judge.verify
    monkeypatch.setattr(judge, "verify", lambda text: as_if_verified(verify(text), "vcg"))
    text = WRONG.replace(
        "  assert", "  package true --* acc(x.f)\n  assert perm(x.f) == none\n  assert"
    )
    text = text.replace("x.f > 2", "n > 2").replace("n: Int", "n: Int, y: Ref")
    kinds = [c.kind for c in judge.contradictions(judge.verify(text))]
    assert kinds == [Kind.WRONG, Kind.DISAGREE]


def test_what_rests_on_a_wrong_function_is_no_disagreement() -> None:
    text = """field f: Int
function first(a: Ref): Int
  ensures result > 0
{ a.f }
function second(a: Ref): Int
{ 10 \\ first(a) }
"""
    judge = Judge(Random(0))
    judged = judge.verify(text)
    assert judged.verified_by == ()
    assert judge.contradictions(judged) == []
