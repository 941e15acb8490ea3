"""Shapes of triggers and of `forperm`."""

from __future__ import annotations

import pytest

from tests.unit.checking.check_texts import complaints, found, messages


@pytest.mark.parametrize(
    "trigger",
    [
        "pure(i)",
        "df(i)",
        "s[i]",
        "i in s",
        "|Seq(i)|",
        "old(pure(i))",
        "old[l](pure(i))",
        "pure(df(i))",
        "P(x, i)",
        "acc(P(x, i))",
        "Cons(i, Nil())",
        "Cons(i, Nil()).tail",
        "acc(x.f) --* P(x, i)",
        "acc(x.f) --* acc(x.f) && x.f > 0 && P(x, i)",
    ],
)
def test_valid_triggers(trigger: str) -> None:
    assert complaints(f"label l\nassert forall i: Int :: {{{trigger}}} pure(i) > 0") == []


@pytest.mark.parametrize(
    "trigger",
    [
        "i",
        "i > 0",
        "i + 1",
        "pure(i + 1)",
        "pure(-i)",
        "pure(b ? i : 1)",
        "boolean(!b)",
        "i == n",
        "old(i)",
        "1",
        "Cons(i, Nil()).isNil",
        "acc(x.f, 1/2) --* P(x, i)",
        "acc(x.f)",
        "b ==> acc(x.f)",
    ],
)
def test_invalid_triggers(trigger: str) -> None:
    problems = complaints(f"assert forall i: Int ::\n {{{trigger}}}\n pure(i) > 0")
    assert [line for line, _ in problems] == [2]
    assert problems[0][1].endswith("is not a valid Trigger")


def test_interpreted_functions_are_no_triggers() -> None:
    text = """
        domain I { function g(i: Int): Int interpretation "abs"  function h(i: Int): Int }
        method m() {
          assert forall i: Int :: { g(i) } g(i) > 0
          assert forall i: Int :: { h(g(i)) } g(i) > 0
        }
    """
    assert [line for _, line, _ in found(text)] == [4]


def test_forperm_uses_every_variable_directly() -> None:
    unused = "All quantified variables need to be used in a resource"
    indirect = "Quantified arguments can only be used directly"
    assert messages("forperm z: Ref, i: Int [z.f] :: true") == [unused]
    assert messages("forperm z: Ref, i: Int [P(z, i + 1)] :: true") == [indirect]
    assert messages("forperm i: Int [P(x, i + i)] :: true") == [indirect]
    assert messages("forperm z: Ref [z.g.f] :: true") == [indirect]
    assert messages("forperm z: Ref, i: Int [P(z, i)] :: true") == []
    assert messages("forperm i: Int [P(x.g, i)] :: true") == []
    assert messages("forperm z: Ref [acc(z.f) --* P(z, 1)] :: true") == []


def test_shapes_are_looked_at_only_in_well_typed_programs() -> None:
    assert complaints("assert forall i: Int :: {i} b\nassert nope") == [
        (2, "undeclared identifier `nope`")
    ]
