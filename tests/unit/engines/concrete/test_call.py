"""Method calls, by contract and inlined; contracts of methods."""

from __future__ import annotations

from pitviper.engines.concrete.options import ZEROES
from pitviper.engines.concrete.outcome import Failed, Passed
from tests.unit.engines.concrete.running import (
    FALSE,
    GIVEN,
    INLINE,
    PASSED,
    A,
    body,
    run,
    tape,
    verdict,
)

INCREMENT = """
method increment(c: Ref) returns (k: Int)
  requires acc(c.f) && c.f >= 0
  ensures acc(c.f) && c.f > old(c.f) && k == c.f
{ c.f := c.f + 1
  k := c.f }
"""


def check(statements: str, declarations: str = INCREMENT, **how: object) -> str:
    return verdict(run(declarations + body(statements), GIVEN, **how))  # type: ignore[arg-type]


def test_a_call_does_whatever_the_contract_allows() -> None:
    call = "inhale acc(x.f)\nx.f := 1\nvar k: Int\nk := increment(x)\n"
    assert check(call + "assert x.f > 1 && k == x.f") == PASSED
    assert check(call + "assert x.f == 2", decisions=tape(0)) == PASSED
    assert check(call + "assert x.f == 2", decisions=tape(3)) == FALSE


def test_an_inlined_call_does_what_the_body_does() -> None:
    call = "inhale acc(x.f)\nx.f := 1\nvar k: Int\nk := increment(x)\n"
    assert check(call + "assert x.f == 2 && k == 2", options=INLINE, decisions=tape(3)) == PASSED
    wrong = INCREMENT.replace("+ 1", "- 1")
    outcome = run(wrong + body(call), {"x": A}, options=INLINE)
    assert isinstance(outcome, Failed)
    assert outcome.finding.member == "increment"
    assert outcome.id == "postcondition.violated:assertion.false"


def test_the_precondition_is_exhaled() -> None:
    call = "var k: Int\nk := increment(x)\n"
    assert check(call) == "call.precondition:insufficient.permission"
    negative = "inhale acc(x.f)\nx.f := -1\n" + call
    assert check(negative) == "call.precondition:assertion.false"
    assert check("var k: Int\nk := increment(Seq(x)[i])") == "call.failed:seq.index.length"


def test_what_the_callee_does_not_get_is_framed() -> None:
    text = "method other(c: Ref) requires acc(c.f, 1/2) ensures acc(c.f, 1/2)\n"
    framed = (
        "inhale acc(x.f) && acc(y.f)\nx.f := 1\ny.f := 2\nother(x)\nassert x.f == 1 && y.f == 2"
    )
    assert check(framed, text) == PASSED
    lost = framed.replace("other(x)", "take(x)")
    assert check(lost, "method take(c: Ref) requires acc(c.f) ensures acc(c.f)\n") == FALSE


def test_results_are_arbitrary() -> None:
    text = "method some() returns (k: Int, r: Ref)\n  ensures k >= 5\n"
    call = "var k: Int\nvar r: Ref\nk, r := some()\n"
    assert check(call + "assert k >= 5", text) == PASSED
    assert check(call + "assert r == null", text) == PASSED
    assert check(call + "assert r == null", text, decisions=tape(1)) == FALSE


def test_pre_and_postcondition_of_the_method_itself() -> None:
    text = "method m(c: Ref) requires acc(c.f) ensures acc(c.f) && c.f == old(c.f) + 1 {{ {} }}"
    assert verdict(run(text.format("c.f := c.f + 1"), {"c": A})) == PASSED
    assert verdict(run(text.format(""), {"c": A})) == "postcondition.violated:assertion.false"
    assert verdict(run(text.format("exhale acc(c.f)"), {"c": A})) == (
        "postcondition.violated:insufficient.permission"
    )


def test_contracts_must_stand_on_their_own() -> None:
    unframed = "method m(c: Ref) requires acc(c.f) ensures c.f == 0 { c.f := 0 }"
    assert verdict(run(unframed, {"c": A})) == "not.wellformed:insufficient.permission"
    before = "method m(c: Ref) requires c.f == 0 && acc(c.f) { }"
    assert verdict(run(before, {"c": A})) == "not.wellformed:insufficient.permission"
    abstract = "method m(c: Ref) requires acc(c.f) ensures c.f == 0\n"
    assert verdict(run(abstract, {"c": A})) == "not.wellformed:insufficient.permission"


def test_what_one_run_cannot_judge_is_said() -> None:
    text = (
        "method m(n: Int) decreases n\n"
        "{ refute n == 1\nvar k: Int := n\nwhile (k > 0) decreases k { k := k - 1 } }"
    )
    assert run(text, {"n": 2}, decisions=ZEROES) == Passed(("decreases", "refute"))
