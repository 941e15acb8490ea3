"""A certificate says for each member which judges speak for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.verify.certification import asked_again, certify_file
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.certificate import Certification, MemberCertificate
from pitviper.results.verdict import Verdict
from pitviper.solver.proofs import Proved
from pitviper.solver.session import ASSERT
from pitviper.solver.session import Path as Facts
from pitviper.terms.build import constant, greater, integer
from pitviper.terms.sort import INT
from pitviper.views.json.certificate import certificate_objects
from pitviper.views.terminal.certificate import certificate_line, closing_line

PROGRAM = """field f: Int
predicate cell(x: Ref) { acc(x.f) && x.f > 0 }
function content(x: Ref): Int requires cell(x) ensures result > 0 { unfolding cell(x) in x.f }
method right(x: Ref, n: Int) requires acc(x.f) && n > 0 ensures cell(x)
{ x.f := n  fold cell(x) }
method wrong(x: Ref, n: Int) requires acc(x.f) ensures acc(x.f) && x.f > 0
{ x.f := n }
method abstract(x: Ref)
"""


def certified(tmp_path: Path, text: str, **options: object) -> Certification:
    path = tmp_path / "program.vpr"
    path.write_text(text)
    return certify_file(path, VerifyOptions(**options))  # type: ignore[arg-type]


def by_name(done: Certification) -> dict[str, MemberCertificate]:
    return {member.name: member for member in done.members}


def test_what_all_judges_accept_is_certified_and_nothing_else(tmp_path: Path) -> None:
    done = certified(tmp_path, PROGRAM)
    assert {m.name for m in done.members if m.certified} == {
        "cell",
        "content",
        "right",
        "abstract",
    }
    assert done.refuted


def test_the_certificate_says_which_judges_speak_for_a_member(tmp_path: Path) -> None:
    right = by_name(certified(tmp_path, PROGRAM))["right"]
    assert (right.symbolic, right.vcg) == (Verdict.VERIFIED, Verdict.VERIFIED)
    assert right.queries.asked > 0
    assert right.queries.missed == 0
    assert right.runs.count > 0
    assert right.runs.failing == ()
    assert right.reasons == ()


def test_what_is_refuted_has_a_reason_from_each_engine(tmp_path: Path) -> None:
    wrong = by_name(certified(tmp_path, PROGRAM))["wrong"]
    assert wrong.reasons == (
        "symbolic: postcondition.violated:assertion.false in line 6",
        "vcg: postcondition.violated:assertion.false in line 6",
    )
    assert wrong.runs.why_none == "not verified by all"


def test_only_selected_members_are_looked_at(tmp_path: Path) -> None:
    assert set(by_name(certified(tmp_path, PROGRAM, select=("right",)))) == {"cell", "right"}


def test_a_member_that_assumes_an_assertion_is_not_certified(tmp_path: Path) -> None:
    text = 'method m(n: Int) { @verified_under("true") assert n > 0 }'
    done = certified(tmp_path, text)
    assert [member.certified for member in done.members] == [False]
    assert done.members[0].reasons == ("an assertion in it is assumed",)


def test_a_rejected_program_has_no_certificate(tmp_path: Path) -> None:
    done = certified(tmp_path, "method m() { x := 1 }")
    assert done.members == ()
    assert done.rejected
    assert done.refuted


def test_a_question_that_nobody_proves_again_is_missed() -> None:
    goal = greater(constant("x", INT), integer(0))
    queries = asked_again([Proved(Facts(), goal, ASSERT, "q")])
    assert (queries.z3, queries.cvc5, queries.missed) == (0, 0, 1)


@pytest.mark.parametrize("name", ["right", "wrong", "cell"])
def test_views_show_what_holds(name: str, tmp_path: Path) -> None:
    done = certified(tmp_path, PROGRAM)
    line = certificate_line(by_name(done)[name])
    assert ("not certified" in line) == (name == "wrong")
    shown = {one["member"]: one for one in certificate_objects(done) if "member" in one}
    assert shown[name]["certified"] is (name != "wrong")
    assert closing_line([done]).startswith("4 of 5 members certified, 0 of 1 files whole")


def test_nothing_is_certified_where_axioms_contradict_each_other(tmp_path: Path) -> None:
    """Both engines verify it, and no question or run says what is wrong."""
    text = """domain D { function g(n: Int): Int
  axiom more { forall n: Int :: { g(n) } g(n) > n }
  axiom zero { forall n: Int :: { g(n) } g(n) == 0 } }
method m(n: Int) { if (n > 3) { assert g(n) == 5 } }
"""
    (done,) = certified(tmp_path, text).members
    assert (done.symbolic, done.vcg) == (Verdict.VERIFIED, Verdict.VERIFIED)
    assert not done.certified
    assert done.reasons == (
        "the axioms `more` in line 2 and `zero` in line 3 contradict each other",
    )
    assert done.runs.why_none == "its certificate fails anyway"
