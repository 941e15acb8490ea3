"""What is shown is the state of the member, on a path on which its check fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import (
    Absence,
    Counterexample,
    NoCounterexample,
    Result,
    Standing,
)
from pitviper.source.reading import Decoded
from pitviper.source.span import SourceFile

PROGRAM = Path(__file__).parents[3] / "programs" / "counterexamples" / "right_state.vpr"
TWO_WAYS_CHECK = 49


def ask(member: str, *where: str, at: int | None = None, instances: int = 1) -> tuple[Result, ...]:
    options = CounterexampleOptions(instances=instances, where=where, at=at, select=(member,))
    return counterexamples(PROGRAM, options).results


def program(text: str) -> Decoded:
    return Decoded(SourceFile(Path("a.vpr"), text))


def the_one(results: tuple[Result, ...]) -> Counterexample:
    (found,) = results
    assert isinstance(found, Counterexample)
    assert found.standing is not Standing.CANDIDATE
    return found


def values(found: Counterexample) -> dict[str, str]:
    return {v.name: v.value.text for v in found.variables}


@pytest.mark.parametrize(
    ("member", "variables"),
    [
        ("folding", {"x": "Ref1", "v": "0"}),
        ("calling", {"y": "Ref1", "w": "3", "res": "0", "q": "3"}),
        ("uses", {"y": "Ref1", "n": "0"}),
        ("again", {"x": "1", "y": "0"}),
    ],
)
def test_variables_of_the_member(member: str, variables: dict[str, str]) -> None:
    found = the_one(ask(member))
    assert values(found) == variables
    assert found.standing is Standing.REPLAYED


def test_sides_of_a_check_in_a_predicate() -> None:
    assert "this.f > 0 is false (0 > 0)" in the_one(ask("folding")).caption


def test_names_of_a_contract_are_explained() -> None:
    assert the_one(ask("uses")).caption.endswith("list(l) (l is Ref1)")


def test_constraints_speak_about_the_member() -> None:
    found = the_one(ask("calling", "w == 70 && y.f == 3"))
    assert values(found)["q"] == "70"
    assert values(the_one(ask("again", "y == -7")))["y"] == "-7"


def test_names_of_a_contract_are_no_variables_of_the_member() -> None:
    with pytest.raises(UsageError, match="undeclared identifier"):
        ask("calling", "k > 3 && a != null && l != null")


def test_constraints_on_predicates_and_functions() -> None:
    text = "field f: Int\npredicate p(s: Ref) { s.f > 0 }\nfunction g(n: Int): Int { 1 / n }\n"
    for where, member in (("s != null", "p"), ("n < 1", "g")):
        options = CounterexampleOptions(where=(where,))
        found = the_one(counterexamples(program(text), options).results)
        assert found.member == member


def test_constraints_on_generated_members() -> None:
    text = """function fac(n: Int): Int decreases n { n == 0 ? 1 : n * fac(n - 1) }
method m(n: Int) { var i: Int := 0 while (i < n) decreases i { i := i + 1 } }
"""
    options = CounterexampleOptions(where=("n < -1",))
    found = counterexamples(program(text), options).results
    shown = [r for r in found if isinstance(r, Counterexample)]
    assert {r.member for r in shown} == {"fac", "m"}
    assert all(int(values(r)["n"]) < -1 for r in shown)


def test_a_variable_without_a_value_yet() -> None:
    text = "method m(x: Int) {\n assert x > 0\n var y: Int := x\n assert y > 9\n}"
    options = CounterexampleOptions(where=("y == 4",))
    found = the_one(counterexamples(program(text), options).results)
    assert found.span.line == 4


def test_every_path_of_a_check() -> None:
    for b in ("true", "false"):
        found = the_one(ask("two_ways", f"b == {b}"))
        assert values(found)["b"] == b


def test_every_path_to_a_line() -> None:
    for b in ("true", "false"):
        found = the_one(ask("two_ways", f"b == {b}", at=TWO_WAYS_CHECK))
        assert values(found)["b"] == b
    several = ask("two_ways", at=TWO_WAYS_CHECK, instances=3)
    shown = [r for r in several if isinstance(r, Counterexample)]
    assert [r.number for r in shown] == [1, 2, 3]
    assert {values(r)["b"] for r in shown} == {"true", "false"}


def test_a_constraint_is_not_blamed_on_the_program() -> None:
    (found,) = ask("two_ways", "c == 4")
    assert isinstance(found, NoCounterexample)
    assert found.absence is Absence.EXCLUDED
    assert [reason.text for reason in found.because] == ["c == 4"]


def test_a_contradiction_of_the_program_is_not_blamed_on_the_constraint() -> None:
    text = """domain D { function wake(i: Int): Bool function holds(i: Int): Bool
  axiom always { forall i: Int :: { wake(i) } holds(i) } }
method m(n: Int) { assert holds(n) }
"""
    options = CounterexampleOptions(where=("n == 3",))
    (found,) = counterexamples(program(text), options).results
    assert isinstance(found, NoCounterexample)
    assert found.absence is Absence.SPURIOUS
    assert not [reason for reason in found.because if "n == 3" in reason.text]
