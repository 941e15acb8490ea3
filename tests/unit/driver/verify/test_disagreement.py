"""Two verifiers about one member."""

from __future__ import annotations

import pytest

from pitviper.base.record import replace
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.disagreement import agreed
from pitviper.driver.verify.options import Both
from pitviper.driver.verify.verification import Groups, verify_program
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program.member import Method
from pitviper.results.finding import Finding
from pitviper.results.verdict import Crash, MemberAnswer, MemberOutcome, Undecided, Verdict
from pitviper.source.span import NO_SPAN


def method() -> Method:
    front = load_text("method m(x: Int) {\n  assert x > 0\n}\n", "one.vpr")
    assert front.program is not None
    return front.program.methods["m"]


def both_about(text: str) -> dict[str, MemberOutcome]:
    front = load_text(text, "one.vpr")
    assert front.program is not None
    return {m.name: m for m in verify_program(front.program, Both()).members}


def finding(error: str = "assert.failed", reason: str = "assertion.false") -> Finding:
    return Finding(error, reason, method().span, "m", f"{error} says the message")


def test_what_both_say() -> None:
    both = agreed(
        method(), MemberAnswer((finding(),), seconds=1.0), MemberAnswer((finding(),), seconds=2.0)
    )
    assert (both.crash, len(both.findings), both.seconds) == (None, 1, 3.0)
    assert agreed(method(), MemberAnswer(), MemberAnswer()).crash is None


def test_parts_of_an_assertion_that_fail_are_all_told() -> None:
    span = method().span
    parts = (replace(finding(), offending=span), replace(finding(), offending=NO_SPAN))
    both = agreed(method(), MemberAnswer(parts), MemberAnswer(parts))
    assert (both.crash, both.findings) == (None, parts)


def test_one_proves_what_the_other_does_not() -> None:
    both = agreed(method(), MemberAnswer(), MemberAnswer((finding(),)))
    assert both.crash is not None
    assert both.crash.said == "the verifiers disagree: symbolic proves m, vcg does not"
    assert "assert.failed says the message" in both.crash.trace
    assert "assert x > 0" in both.crash.trace
    assert [f.id for f in both.findings] == ["assert.failed:assertion.false"]


def test_different_reasons() -> None:
    both = agreed(method(), MemberAnswer((finding(),)), MemberAnswer((finding("exhale.failed"),)))
    assert both.crash is not None
    assert "both refute m, but for different reasons" in both.crash.said
    assert len(both.findings) == 2


def test_reasons_may_differ_behind_inferred_statements_but_verdicts_may_not() -> None:
    one, other = MemberAnswer((finding(),)), MemberAnswer((finding("exhale.failed"),))
    both = agreed(method(), one, other, inferring=True)
    assert (both.crash, both.findings) == (None, one.findings)
    assert agreed(method(), MemberAnswer(), other, inferring=True).crash is not None
    assert agreed(method(), one, MemberAnswer(), inferring=True).crash is not None


def test_who_gives_up_contradicts_nobody_and_proves_nothing() -> None:
    open_ = MemberAnswer(undecided=(Undecided(method().span, "limit"),))
    both = agreed(method(), MemberAnswer(), open_)
    assert both.crash is None
    assert both.undecided == open_.undecided


def test_an_unknown_construct_is_no_contradiction() -> None:
    unknown = MemberAnswer((finding(reason="feature.unsupported"),))
    both = agreed(method(), MemberAnswer(), unknown)
    assert both.crash is None
    assert [f.reason for f in both.findings] == ["feature.unsupported"]


def test_a_bug_in_one_of_them_is_told_as_such() -> None:
    both = agreed(method(), MemberAnswer(crash=Crash("said", "trace")), MemberAnswer((finding(),)))
    assert both.crash == Crash("said", "trace")


REFUTED = "function bad(i: Int): Int ensures result > i { 0 }\n"
USER = "method user(i: Int) { assert bad(i) > i }\n"


@pytest.mark.parametrize("text", [REFUTED + USER, USER + REFUTED])
def test_a_difference_behind_what_is_refuted_is_no_mistake_of_ours(text: str) -> None:
    """One believes what the function says, the other does not: see NOTE(unproved)."""
    found = both_about(text)
    assert {name: outcome.verdict for name, outcome in found.items()} == {
        "bad": Verdict.REFUTED,
        "user": Verdict.UNDECIDED,
    }
    assert found["user"].crash is None
    assert "rests on `bad`, which is not verified" in found["user"].undecided[0].message


def test_what_both_say_behind_what_is_refuted_is_told() -> None:
    user = "method user(i: Int) { assert bad(i) > i\n assert i > 3 }\n"
    found = both_about(REFUTED + user)["user"]
    assert (found.crash, found.verdict) == (None, Verdict.REFUTED)
    assert [finding.span.line for finding in found.findings] == [3]


def differing(text: str, name: str) -> MemberOutcome:
    """What is said about a member on which the verifiers differ."""
    front = load_text(text, "one.vpr")
    assert front.program is not None
    encoded = apply_plugins(front.program, PluginOptions())
    groups = Groups(front.program, encoded)
    members = {**front.program.functions, **front.program.methods}
    for member in members.values():
        answer = agreed(member, MemberAnswer(), MemberAnswer((finding(reason="odd"),)))
        if member.name != name:
            clause = member.postconditions[0].span
            error = "not.wellformed" if "contract" in member.name else "postcondition.violated"
            answer = MemberAnswer((replace(finding(error, "odd"), span=clause),))
        groups.add(member.name, answer)
    return {outcome.name: outcome for outcome in groups.outcomes()}[name]


def test_a_refuted_body_of_a_method_excuses_nothing() -> None:
    both = "method user() { other() }\nmethod other() ensures true { }\n"
    assert differing(both, "user").crash is not None
    assert differing(both.replace("other", "contract"), "user").crash is None
