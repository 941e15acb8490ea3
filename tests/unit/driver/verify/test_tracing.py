"""A member verified with a recorder."""

from __future__ import annotations

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.tracing import Traced, trace_member
from pitviper.results.trace import TraceStep

PROGRAM = """\
field f: Int
function double(n: Int): Int { n + n }
method give(x: Ref) requires acc(x.f)
method m(x: Ref, n: Int) requires acc(x.f) ensures double(n) == n
{
  if (n > 0) { give(x) }
}
"""


def traced(name: str) -> Traced:
    program = load_text(PROGRAM, "a.vpr").program
    assert program is not None
    return trace_member(program, name)


def all_steps(steps: tuple[TraceStep, ...]) -> list[TraceStep]:
    return [each for step in steps for each in (step, *all_steps(step.steps))]


def test_a_trace_has_the_steps_of_the_member_alone() -> None:
    done = traced("m")
    steps = all_steps(done.steps)
    assert [f.id for f in done.findings] == ["postcondition.violated:assertion.false"]
    assert [s.text for s in done.steps] == ["m"]
    assert "give(x)" in [s.text for s in steps if s.rule == "execute"]
    assert any(s.rule == "branch" and s.text == "n > 0" for s in steps)
    failure = next(s for s in steps if s.rule == "failure")
    assert failure.before is not None
    texts = [a.description for a in done.state(failure.before).assumptions]
    assert any(text.startswith("branch condition: ") for text in texts)


def test_the_same_trace_every_time() -> None:
    program = load_text(PROGRAM, "a.vpr").program
    assert program is not None
    assert trace_member(program, "m").steps == trace_member(program, "m").steps


def test_a_member_that_is_not_there() -> None:
    with pytest.raises(UsageError):
        traced("nobody")
