"""Members one after the other: bugs of ours, the end of the time, and who owns a finding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify import member_verifier
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.verify.verification import Verification, verify_program
from pitviper.engines.shared.members import Member, MemberResult
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.verifier import Run, verify_member
from pitviper.explain.advice import advised
from pitviper.plugins.options import PluginOptions
from pitviper.program.member import Program
from pitviper.results.verdict import MemberOutcome, Undecided, Verdict

THREE = """
method second() { assert false }
function first(n: Int): Int { n }
method third() { refute false }
"""


def program(text: str) -> Program:
    found = load_text(text, "a.vpr").program
    assert found is not None
    return found


def verdicts(done: Verification) -> dict[str, str]:
    return {member.name: member.verdict.value for member in done.members}


class Told:
    """A watch that keeps what it is told."""

    def __init__(self) -> None:
        self.starts: list[tuple[str, int, int]] = []
        self.outcomes: list[MemberOutcome] = []

    def started(self, member: str, done: int, total: int) -> None:
        self.starts.append((member, done, total))

    def finished(self, outcome: MemberOutcome) -> None:
        self.outcomes.append(outcome)


@pytest.mark.smoke
def test_members_are_told_and_listed_in_source_order() -> None:
    told = Told()
    done = verify_program(program(THREE), Options(), watch=told)
    assert verdicts(done) == {"second": "refuted", "first": "verified", "third": "verified"}
    assert [outcome.name for outcome in told.outcomes] == ["second", "first", "third"]
    assert told.starts == [("first", 0, 3), ("second", 1, 3), ("third", 2, 3)]
    assert [outcome.kind for outcome in done.members] == ["method", "function", "method"]
    assert done.verdict is Verdict.REFUTED
    assert [finding.id for finding in done.findings] == ["assert.failed:assertion.false"]


def fail_in(monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException) -> None:
    def fails(run: Run, member: Member) -> MemberResult:
        if member.name == name:
            raise error
        return verify_member(run, member)

    monkeypatch.setattr(member_verifier, "verify_member", fails)


@pytest.mark.parametrize("error", [ZeroDivisionError("our bug"), RecursionError()])
def test_a_bug_of_ours_costs_one_member(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    fail_in(monkeypatch, "first", error)
    done = verify_program(program(THREE), Options())
    assert verdicts(done) == {"second": "refuted", "first": "undecided", "third": "verified"}
    crash = done.members[1].crash
    assert crash is not None
    assert type(error).__name__ in crash.said
    assert "Traceback" in crash.trace


def test_a_lack_of_memory_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_in(monkeypatch, "first", MemoryError())
    done = verify_program(program(THREE), Options())
    assert verdicts(done) == {"second": "refuted", "first": "undecided", "third": "verified"}
    assert done.members[1].crash is None
    assert [u.message for u in done.members[1].undecided] == ["there is not enough memory"]


def test_what_is_no_bug_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_in(monkeypatch, "second", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        verify_program(program(THREE), Options())


def test_a_program_with_a_crash_is_not_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_in(monkeypatch, "m", ValueError())
    assert verify_program(program("method m() { }"), Options()).verdict is Verdict.UNDECIDED


def test_after_the_end_of_the_time_members_are_undecided() -> None:
    class StopsAfterFirst(Told):
        def started(self, member: str, done: int, total: int) -> None:
            if done == 1:
                sessions.stop("enough")

    sessions = Sessions()
    done = verify_program(program(THREE), Options(), sessions=sessions, watch=StopsAfterFirst())
    assert verdicts(done) == {"second": "undecided", "first": "verified", "third": "undecided"}
    assert [point.message for point in done.members[0].undecided] == ["enough"]
    assert done.members[0].crash is None


def test_a_failure_that_the_end_of_the_time_causes_is_no_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sessions = Sessions()

    def interrupted(run: Run, member: Member) -> MemberResult:
        sessions.stop("enough")
        raise RuntimeError("the solver was interrupted")

    monkeypatch.setattr(member_verifier, "verify_member", interrupted)
    done = verify_program(program("method m() { }"), Options(), sessions=sessions)
    assert done.members[0].crash is None
    assert done.verdict is Verdict.UNDECIDED


def test_proofs_of_termination_count_for_their_function() -> None:
    text = """
    import <decreases/int.vpr>
    function down(n: Int): Int
      requires n >= 0
      decreases n
    { n == 0 ? 0 : down(n) }
    """
    done = verify_program(program(text), Options())
    assert verdicts(done) == {"down": "refuted"}
    assert [finding.id for finding in done.findings] == ["termination.failed:tuple.false"]
    without = verify_program(program(text), Options(), PluginOptions(termination=False))
    assert without.verdict is Verdict.VERIFIED


def test_a_plugin_may_reject_a_program() -> None:
    """The checker rejects such a program; one that is built by a tool may get here."""
    found = replace(program("method m(n: Int) decreases n { m(n) }"), domains={})
    done = verify_program(found, Options())
    assert done.verdict is Verdict.REJECTED
    assert [d.code for d in done.rejected] == ["consistency.error"]
    assert done.members == ()


REFUTES = """
method m(n: Int) {
  refute n > 0
  refute n == n
}
"""


def test_a_refute_fails_by_the_absence_of_a_finding() -> None:
    done = verify_program(program(REFUTES), Options())
    assert [(f.id, f.span.line) for f in done.findings] == [("refute.failed:refutation.true", 4)]


def test_nothing_is_concluded_from_the_absence_of_a_finding_if_something_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gives_up(run: Run, member: Member) -> MemberResult:
        open_question = Undecided(member.span, "too hard")
        return MemberResult(member.name, (), (open_question,), ())

    monkeypatch.setattr(member_verifier, "verify_member", gives_up)
    done = verify_program(program(REFUTES), Options())
    assert done.findings == ()
    assert done.verdict is Verdict.UNDECIDED


def test_warnings_have_a_place() -> None:
    done = verify_program(program("method m(n: Int)\n requires n > 0 && n < 0\n{ }"), Options())
    (warning,) = done.members[0].warnings
    assert warning.code == "verifier.warning"
    assert warning.span is not None
    assert warning.span.line == 2
    assert "unsatisfiable" in warning.message
    assert done.verdict is Verdict.VERIFIED


def test_a_bug_in_advice_about_a_warning_costs_the_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(warnings: object, name: object, program: object) -> None:
        raise KeyError("no such rule")

    monkeypatch.setattr(advised, "advised_warnings", wrong)
    text = "method m(n: Int)\n requires n > 0 && n < 0\n{ } method k() { }"
    done = verify_program(program(text), Options())
    found = {member.name: member for member in done.members}
    assert [warning.code for warning in found["m"].warnings] == ["verifier.warning"]
    crash = found["m"].crash
    assert crash is not None and crash.said == "KeyError: 'no such rule'"
    assert found["k"].crash is None


def test_a_bug_in_advice_costs_the_advice_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(findings: object, program: object) -> None:
        raise KeyError("no such rule")

    monkeypatch.setattr(advised, "advised_all", wrong)
    done = verify_program(program(THREE), Options())
    found = {member.name: member for member in done.members}
    assert verdicts(done) == {"second": "refuted", "first": "verified", "third": "verified"}
    assert len(found["second"].findings) == 1
    crash = found["second"].crash
    assert crash is not None and crash.said == "KeyError: 'no such rule'"
    assert found["first"].crash is None and found["third"].crash is None
