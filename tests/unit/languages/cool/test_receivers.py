"""Receivers, cuts behind a return, nested quantifiers and amounts: what they mean, in own words."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.explore.explore import explore_loaded
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verification import MemberOutcome, verify_program
from pitviper.engines.symbolic.options import Options
from pitviper.results.exploration import Claim
from pitviper.results.wording import advice_for

BOTH = pytest.mark.parametrize("backend", ["symbolic", "vcg"])


def verdicts(text: str, backend: str) -> dict[str, str]:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    assert done.front.accepted, done.diagnostics
    return {name: member.verdict.value for name, member in done.members.items()}


CONSTANT_INSIDE = """
class A {
  int x;
  pure int max() ensures result > 0; { return 10; }
  predicate v() { return max() > 0 && acc(x) && x <= max(); }
  A() ensures v(); { }
}
"""


@BOTH
def test_the_receiver_of_a_predicate_is_an_object(backend: str) -> None:
    assert set(verdicts(CONSTANT_INSIDE, backend).values()) == {"verified"}


@BOTH
def test_nothing_is_closed_about_null(backend: str) -> None:
    text = "class A { predicate v() { return true; } void m(A a) ASKED { close a.v(); } }"
    assert verdicts(text.replace("ASKED", ""), backend)["A.m"] == "refuted"
    assert verdicts(text.replace("ASKED", "requires a != null;"), backend)["A.m"] == "verified"
    done = pitviper.verify(text.replace("ASKED", ""), name="it.cool")
    (finding,) = done.findings
    assert finding.message == "Closing a.v() might fail. Its receiver a might be null."
    assert "`requires a != null`" in (advice_for(finding) or "")


RETURN_AND_JOIN = """
class A {
  int x;
  int m(bool b) requires acc(x); ensures acc(x) && PROMISED;
  { if (b) { return 2; } x := x + 1; join acc(x) && x == old(x) + 1; return x; }
}
"""


@BOTH
@pytest.mark.parametrize(
    ("promised", "verdict"),
    [("x >= old(x)", "verified"), ("x > old(x)", "refuted"), ("x == old(x)", "refuted")],
)
def test_a_join_may_stand_behind_a_return(promised: str, verdict: str, backend: str) -> None:
    text = RETURN_AND_JOIN.replace("PROMISED", promised)
    assert verdicts(text, backend)["A.m"] == verdict


NESTED = """
class C { int x; }
class M {
  void m(seq<seq<C>> q)
    requires |q| > 0 && |q[0]| > 0;
    requires forall int i in 0..|q| :: forall int j in 0..|q[i]| :: q[i][j] != null;
    requires forall int i in 0..|q| :: forall int j in 0..|q[i]| ::
      forall int k in 0..|q| :: forall int l in 0..|q[k]| ::
      (i != k || j != l) ==> q[i][j] != q[k][l];
    requires forall int i in 0..|q| :: forall int j in 0..|q[i]| :: acc(q[i][j].x);
  { q[0][AT].x := 1; }
}
"""


@BOTH
@pytest.mark.parametrize(("at", "verdict"), [("0", "verified"), ("|q[0]|", "refuted")])
def test_quantifiers_inside_each_other_hold_permissions(
    at: str, verdict: str, backend: str
) -> None:
    assert verdicts(NESTED.replace("AT", at), backend)["M.m"] == verdict


@pytest.mark.parametrize(
    ("member", "told"),
    [
        ("pure int f(int n) requires n >= 0; decreases f(n); { return n; }",
         "the measure of `A.f` asks for `A.f` itself"),
        ("pure int f(int n) requires n >= 0; decreases g(n); { return n == 0 ? 0 : f(n - 1); }"
         " pure int g(int n) requires n >= 0; { return f(n); }",
         "the measure of `A.f` asks for `A.f` by `A.g`"),
        ("pure int f() requires g() > 0; { return 1; } pure int g() { return f(); }",
         "the precondition of `A.f` asks for `A.f` by `A.g`"),
        ("seq<int> s; void m() requires acc(s); { s[0] := 1; }", "a sequence keeps its elements"),
    ],
)  # fmt: skip
def test_mistakes_of_the_program_are_not_told_as_mistakes_of_ours(member: str, told: str) -> None:
    problems = pitviper.verify(f"class A {{ {member} }}", name="it.cool").problems
    assert told in [problem.message for problem in problems]
    assert not any("front end" in (problem.help or "") for problem in problems)


@pytest.mark.parametrize(
    ("member", "cure"),
    [
        ("void m(int k) requires acc(x, k); { }", "say so first, `k > 0`"),
        ("void m(int k) requires k > 0; { assert acc(x, 1/k); }", "`requires acc(this.x"),
        ("void m() requires v(); { open acc(v(), none); }", "such as `1/2`"),
        ("void m() { assert exists int i :: i * i == 10404; }", "`i == ... && ...`"),
        ("void m() requires forall A o :: acc(o.x); { }", "`forall C x :: range ==> fact`"),
    ],
)
def test_advice_is_in_words_of_the_language(member: str, cure: str) -> None:
    text = f"class A {{ int x; predicate v() {{ return acc(x); }} {member} }}"
    done = pitviper.verify(text, name="it.cool")
    told = [problem.help or "" for problem in done.problems]
    assert any(cure in text for text in told), told
    assert not any(word in text for text in told for word in (": T", "trigger", "> none"))


ON_THE_WAY = """
class Node {
  int v; Node next;
  int sum() requires acc(v) && acc(next); ensures acc(v) && acc(next);
  { int s := v; if (next != null) { int r := next.sum(); s := s + r; } return s; }
  pure int len() requires acc(v) && acc(next); decreases v;
  { return next == null ? 1 : 1 + next.len(); }
}
"""


def test_who_goes_on_to_the_next_is_told_a_predicate_for_all() -> None:
    done = pitviper.verify(ON_THE_WAY, name="it.cool")
    missing = [f for f in done.findings if f.reason == "insufficient.permission"]
    assert [finding.member for finding in missing] == ["Node.sum", "Node.len"]
    for finding in missing:
        assert "here `this` is `this.next`" in finding.notes
        assert "`predicate all() { return acc(v) && acc(next) &&" in (advice_for(finding) or "")
        assert not any("@" in note for note in finding.notes)


def test_nobody_is_told_that_an_array_is_as_long_as_it_is() -> None:
    text = """class A {
  void m(seq<int[]> s) requires |s| == 2 && s[0] != null && s[1] != null && acc(s[0].elems)
    && s[0].length > 0; ensures acc(s[0].elems); { s[1][0] := 3; } }"""
    told = [finding.message for finding in pitviper.verify(text, name="it.cool").findings]
    assert any("insufficient permission to access s[1].elems" in message for message in told)
    assert not any("s[0].length == s[0].length" in message for message in told)


PURE_OF_A_CLASS = """
interface Shape { predicate valid(); pure int area() requires valid(); }
class Square implements Shape {
  int side;
  predicate valid() { return acc(side) && side >= 0; }
  pure int area() { return side; }
  pure int getSide() requires valid(); ensures result >= 0; { return side; }
}
class Unit implements Shape {
  int w;
  predicate valid() { return acc(w); }
  pure int area() { return 1; }
}
"""


def test_a_pure_method_is_explored_with_objects_of_its_class() -> None:
    _, done = explore_loaded(load_text(PURE_OF_A_CLASS, "it.cool"), ExploreOptions(workers=0))
    assert done is not None
    assert {m.method: m.claim for m in done.methods} == {"Square.getSide": Claim.PROVED}


def test_members_that_nobody_wrote_are_not_told_as_they_begin() -> None:
    begun: list[tuple[str, int]] = []

    class Listening:
        def started(self, member: str, done: int, total: int) -> None:
            begun.append((member, total))

        def finished(self, outcome: MemberOutcome) -> None:
            assert outcome.name == "main"

    front = load_text("int[] a := new int[3]; assert a.length == 3;", "it.cool")
    assert front.program is not None
    verify_program(front.program, Options(), watch=Listening())
    assert begun == [("main", 1)]


def test_an_array_that_is_too_large_has_no_name_of_ours() -> None:
    text = "class A { int m(int[] a) requires a != null && acc(a.elems); { return a.length; } }"
    _, done = explore_loaded(load_text(text, "it.cool"), ExploreOptions(workers=0))
    assert done is not None
    told = [why for method in done.methods for why in method.open]
    assert not any("[]" in why or "#" in why for why in told), told


def test_what_is_too_deep_for_inference_is_not_told_to_be_held_twice() -> None:
    text = """class D { int x;
  predicate p1() { return acc(x); } predicate p2() { return p1(); }
  predicate p3() { return p2(); } predicate p4() { return p3(); }
  void m() requires p4(); ensures p4(); { x := 1; }
}"""
    (finding,) = pitviper.verify(text, name="it.cool").findings
    told = advice_for(finding) or ""
    assert "`D.p4` contains it inside of others, 4 deep: `--infer-depth 4`" in told
