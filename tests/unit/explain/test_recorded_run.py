"""Members verified with a recorder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.provenance import BranchPoint
from pitviper.explain import recorded_run
from pitviper.explain.recorded_run import RecordedMember, recorded_members
from pitviper.explain.recorder import Action, node_text
from pitviper.plugins.pipeline import apply_plugins
from pitviper.solver.z3.session import Z3Session

PROGRAM = """\
field f: Int
function double(n: Int): Int { n + n }
method give(x: Ref) requires acc(x.f)
method m(x: Ref, n: Int) requires acc(x.f) ensures double(n) == n
{
  if (n > 0) { give(x) }
}
"""


def recorded(*left_out: str) -> dict[str, RecordedMember]:
    program = load_text(PROGRAM, "a.vpr").program
    assert program is not None
    members = recorded_members(apply_plugins(program), Options(), Z3Session, left_out)
    return {each.member.name: each for each in members}


def actions(roots: list[Action]) -> Iterator[Action]:
    for root in roots:
        yield root
        yield from actions(root.inner)


def drawn(roots: list[Action]) -> list[tuple[str, str]]:
    return [(each.rule, node_text(each.node)) for each in actions(roots)]


def test_a_recorder_has_the_steps_of_one_member_alone() -> None:
    done = recorded()
    assert list(done) == ["double", "give", "m"]
    recorder = done["m"].recorder
    assert [node_text(root.node) for root in recorder.roots] == ["m"]
    steps = drawn(recorder.roots)
    assert ("execute", "give(x)") in steps
    assert ("branch", "n > 0") in steps


def test_a_failed_check_has_its_finding_and_its_path() -> None:
    done = recorded()["m"]
    assert len(done.recorder.failures) == 2  # one on each side of the branch
    for failing in done.recorder.failures:
        finding = failing.failed.finding
        assert finding is not None
        assert finding.id == "postcondition.violated:assertion.false"
        assert done.told(finding) == finding
        points = [entry.provenance for entry in failing.failed.state.path]
        assert any(isinstance(point, BranchPoint) for point in points)


def test_the_same_steps_every_time() -> None:
    first, second = recorded()["m"].recorder, recorded()["m"].recorder
    assert drawn(first.roots) == drawn(second.roots)


def test_members_can_be_left_out() -> None:
    assert list(recorded("give", "m")) == ["double"]


def test_an_exception_costs_one_member(monkeypatch: pytest.MonkeyPatch) -> None:
    verify = recorded_run.verify_member

    def fails(run: recorded_run.Run, member: recorded_run.Member) -> object:
        if member.name == "give":
            raise ZeroDivisionError
        return verify(run, member)

    monkeypatch.setattr(recorded_run, "verify_member", fails)
    done = recorded()
    assert [type(each.crash) for each in done.values()] == [
        type(None),
        ZeroDivisionError,
        type(None),
    ]
    assert done["m"].recorder.failures
