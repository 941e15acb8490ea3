"""Recursive functions in counterexamples: small inputs are found, and hopeless searches end."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import Counterexample, NoCounterexample, Result, Standing
from pitviper.solver.limits import ASSERT
from pitviper.solver.model import Model
from pitviper.solver.session import Answer
from pitviper.solver.session import Path as Facts
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.term import Term

FUNCTIONS = """function sum(n: Int): Int requires n >= 0 { n == 0 ? 0 : n + sum(n - 1) }
function fib(n: Int): Int requires n >= 0 { n < 2 ? n : fib(n - 1) + fib(n - 2) }
function even(n: Int): Bool requires n >= 0 { n == 0 ? true : odd(n - 1) }
function odd(n: Int): Bool requires n >= 0 { n == 0 ? false : even(n - 1) }
function count(s: Seq[Int], v: Int): Int
{ |s| == 0 ? 0 : (s[0] == v ? 1 : 0) + count(s[1..], v) }
"""


def answer(member: str, folder: Path) -> Result:
    path = folder / "program.vpr"
    path.write_text(FUNCTIONS + member)
    (result,) = counterexamples(path, CounterexampleOptions(select=("m",))).results
    return result


@pytest.mark.parametrize(
    "member",
    [
        "method m(n: Int) requires n >= 0 { assert sum(n) == n * n }",
        "method m(n: Int) requires n >= 0 { assert fib(n) != 55 }",
        "method m(n: Int) requires n >= 0 { assert even(3 * n) }",
        "method m(n: Int) requires n >= 20 { assert sum(n) != 325 }",
        "method m() { assert sum(100) == 5051 }",
        "method m(s: Seq[Int], v: Int) { assert count(s, v) < 4 }",
    ],
)
def test_an_input_is_found_where_values_follow_from_bodies(member: str, tmp_path: Path) -> None:
    found = answer(member, tmp_path)
    assert isinstance(found, Counterexample)
    assert found.standing in (Standing.CHECKED, Standing.REPLAYED)


def test_a_claim_that_needs_induction_costs_few_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    member = "method m(n: Int) requires n >= 0 { assert fib(n) >= 0 }"
    models = 0
    examine = Z3Session.examine

    def counted(
        self: Z3Session, path: Facts, goal: Term, limit: int = ASSERT
    ) -> tuple[Answer, Model | None]:
        nonlocal models
        models += 1
        return examine(self, path, goal, limit)

    monkeypatch.setattr(Z3Session, "examine", counted)
    assert isinstance(answer(member, tmp_path), NoCounterexample)
    assert 0 < models <= 200, "larger scopes that say nothing new were tried"
