"""Formulas that hold in no state are known by their text, and others are not taken for such."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.program.never import never_holds


def precondition(text: str) -> bool:
    program = f"field f: Int method m(s: Seq[Int], t: Set[Ref], n: Int) requires {text}"
    loaded = load_text(program)
    assert loaded.program is not None
    return any(never_holds(clause) for clause in loaded.program.methods["m"].preconditions)


@pytest.mark.parametrize(
    "text",
    [
        "forall i: Int :: 0 <= i && i < |s| && s[i] > 0",
        "n > 0 && (forall i: Int :: i in s && i > n)",
        "forall r: Ref :: r in t && acc(r.f)",
        "forall r: Ref :: acc(r.f, wildcard)",
    ],
)
def test_says_something_of_all(text: str) -> None:
    assert precondition(text)


@pytest.mark.parametrize(
    "text",
    [
        "forall i: Int :: 0 <= i && i < |s| ==> s[i] > 0",
        "forall r: Ref :: r in t ==> acc(r.f)",
        "forall i: Int, j: Int :: i < j || j <= i",
        "forall i: Int, j: Int :: i - j < n ==> i < j + n",
        "n > 0 ==> (forall i: Int :: i > n)",
        "forall r: Ref :: acc(r.f, none)",
    ],
)
def test_may_hold(text: str) -> None:
    assert not precondition(text)
