"""Functions: preconditions, bodies, postconditions, abstract ones."""

from __future__ import annotations

from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import ZEROES, Inputs, Options
from pitviper.engines.concrete.outcome import CannotRun, Failed, OutOfSteps
from tests.unit.engines.concrete.running import (
    FALSE,
    GIVEN,
    PASSED,
    A,
    body,
    program_of,
    run,
    tape,
    verdict,
)

GET = "function get(c: Ref): Int requires acc(c.f) { c.f }\n"
ABSTRACT = "function some(c: Ref, n: Int): Int requires acc(c.f, wildcard) ensures result > n\n"
FACTORIAL = """
function fac(n: Int): Int requires n >= 0 ensures result >= 1 { n == 0 ? 1 : n * fac(n - 1) }
"""


def check(statements: str, declarations: str, options: Options | None = None) -> str:
    return verdict(run(declarations + body(statements), GIVEN, options=options))


def test_the_precondition_is_checked_not_consumed() -> None:
    assert check("inhale acc(x.f)\nx.f := 2\nassert get(x) == 2\nx.f := 3", GET) == PASSED
    assert check("var k: Int := get(x)", GET) == "application.precondition:insufficient.permission"
    assert check("assert fac(j) == 1", FACTORIAL) == "application.precondition:assertion.false"


def test_only_zero_or_not_counts_of_amounts() -> None:
    exact = Options(respect_function_pre_perm_amounts=True)
    little = "inhale acc(x.f, 1/9)\nassert get(x) == x.f"
    assert check(little, GET) == PASSED
    assert check(little, GET, exact) == "application.precondition:insufficient.permission"
    twice = "function two(c: Ref): Int requires acc(c.f) && acc(c.f) { c.f }\n"
    assert check("inhale acc(x.f)\nassert two(x) == x.f", twice) == PASSED


def test_recursion() -> None:
    assert check("assert fac(5) == 120", FACTORIAL) == PASSED
    deep = run(FACTORIAL + body("assert fac(100) == 1"), {"i": 0})
    assert isinstance(deep, OutOfSteps)


def test_a_function_that_depends_on_itself_has_no_value() -> None:
    circular = run("function f1(n: Int): Int { f1(n) + 1 }\n" + body("assert f1(0) == 0"))
    assert isinstance(circular, CannotRun)
    assert circular.reason == "f1 depends on its own value"


def test_a_wrong_postcondition_is_the_function_s_fault() -> None:
    text = "function half(n: Int): Int ensures result < n { n \\ 2 }\n"
    outcome = run(text + body("assert half(5) == 2\nassert half(0) == 0"))
    assert isinstance(outcome, Failed)
    assert (outcome.id, outcome.finding.member) == (
        "postcondition.violated:assertion.false",
        "half",
    )


def test_the_body_sees_only_what_the_precondition_mentions() -> None:
    text = "function peek(c: Ref): Int requires acc(c.f) { c.f + c.g }\n"
    outcome = run(text + body("inhale acc(x.f) && acc(x.g)\nassert peek(x) == 0"))
    assert isinstance(outcome, Failed)
    assert outcome.id == "function.not.wellformed:insufficient.permission"
    assert outcome.finding.span.line == 5


def test_abstract_functions_are_functions() -> None:
    same = "inhale acc(x.f)\nx.f := 1\nvar k: Int := some(x, i)\n"
    assert check(same + "assert k > i && some(x, i) == k", ABSTRACT) == PASSED
    assert check(same + "x.f := 2\nx.f := 1\nassert some(x, i) == k", ABSTRACT) == PASSED
    changed = run(
        ABSTRACT + body(same + "x.f := 2\nassert some(x, i) == k"),
        {"x": A, "i": 3},
        decisions=tape(0, 1),
    )
    assert verdict(changed) == FALSE


def test_abstract_functions_of_predicates_look_at_their_contents() -> None:
    text = (
        "predicate cell(c: Ref) { acc(c.f) }\n"
        "function view(c: Ref): Int requires acc(cell(c), wildcard)\n"
    )
    same = (
        "inhale cell(x)\nvar k: Int := view(x)\nunfold cell(x)\nx.f := x.f + 1\nx.f := x.f - 1\n"
        "fold cell(x)\nassert view(x) == k"
    )
    assert check(same, text) == PASSED


def test_contents_of_abstract_predicates_that_turn_out_to_be_one() -> None:
    text = "predicate token(c: Ref)\nfunction view(c: Ref): Int requires acc(token(c), wildcard)\n"
    halves = (
        "inhale acc(token(x), 1/2)\nvar k: Int := view(x)\ninhale acc(token(x), 1/2)\n"
        "assert view(x) == k"
    )
    assert check(halves, text) == PASSED


def test_failures_name_what_they_assume() -> None:
    outcome = run(ABSTRACT + FACTORIAL + body("assert false"))
    assert isinstance(outcome, Failed)
    assert outcome.assuming == ("some", "fac")


def test_running_a_function_alone() -> None:
    bad = "function bad(n: Int): Int ensures result > 0 { n }\n"
    program = program_of(bad + FACTORIAL + GET)
    outcome = run_member(program, "bad", Inputs({"n": 0}), ZEROES).outcome
    assert verdict(outcome) == "postcondition.violated:assertion.false"
    assert verdict(run_member(program, "bad", Inputs({"n": 1}), ZEROES).outcome) == PASSED
    assert verdict(run_member(program, "fac", Inputs({"n": 4}), ZEROES).outcome) == PASSED
    assert verdict(run_member(program, "get", Inputs(), ZEROES).outcome) == PASSED


def test_postconditions_must_be_defined() -> None:
    text = "function odd(s: Seq[Int]): Int ensures s[0] == result\n"
    outcome = run_member(program_of(text), "odd", Inputs({"s": ()}), ZEROES).outcome
    assert verdict(outcome) == "not.wellformed:seq.index.length"


def test_the_sides_of_an_inhale_exhale_precondition() -> None:
    text = "function big(n: Int): Int requires [n > 17, true] ensures result > 17 { n }\n"
    assert check("assert big(3) > 17", text) == "Infeasible"
    assert check("assert big(20) == 20", text) == PASSED
