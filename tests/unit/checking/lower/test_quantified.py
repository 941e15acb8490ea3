"""Impure quantifiers: what they are split into."""

from __future__ import annotations

import pytest

from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.print.printer import assertion_text
from tests.unit.checking.check_texts import formula


def parts(source: str) -> list[str]:
    """The conjuncts of a quantified formula, as text without the outermost parentheses."""
    node = formula(source)
    conjuncts = node.conjuncts if isinstance(node, a.Star) else (node,)
    texts = [assertion_text(part) for part in conjuncts]
    return [text[1:-1] if text.startswith("(") else text for text in texts]


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "forall i: Ref :: acc(i.f)",
            ["forall i: Ref :: acc(i.f, write)"],
        ),
        (
            "forall i: Ref :: {i.f} i in t ==> acc(i.f) && i.f > 0",
            [
                "forall i: Ref :: { i.f } (i in t) ==> acc(i.f, write)",
                "forall i: Ref :: { i.f } (i in t) ==> i.f > 0",
            ],
        ),
        (
            "forall i: Ref :: acc(i.f) && i.f > 0",
            ["forall i: Ref :: acc(i.f, write)", "forall i: Ref :: i.f > 0"],
        ),
        (
            "forall i: Ref :: i in t ==> b ==> acc(i.f, 1/2)",
            ["forall i: Ref :: (i in t) && b ==> acc(i.f, 1 / 2)"],
        ),
        (
            "forall i: Ref :: i in t ==> (b ? acc(i.f) : i == x)",
            [
                "forall i: Ref :: (i in t) && b ==> acc(i.f, write)",
                "forall i: Ref :: (i in t) && !b ==> i == x",
            ],
        ),
        (
            "forall i: Ref :: i in t ==> P(i, 1) && (b --* acc(i.g))",
            [
                "forall i: Ref :: (i in t) ==> acc(P(i, 1), write)",
                "forall i: Ref :: (i in t) ==> b --* acc(i.g, write)",
            ],
        ),
        (
            "forall i: Ref :: i in t ==> [acc(i.f), acc(i.g)]",
            [
                "[(forall i: Ref :: (i in t) ==> acc(i.f, write)), true]",
                "[true, (forall i: Ref :: (i in t) ==> acc(i.g, write))]",
            ],
        ),
        (
            "forall i: Ref :: i in t ==> let v == (i) in acc(v.f) && v.f > 0",
            [
                "forall i: Ref :: (i in t) ==> acc(i.f, write)",
                "forall i: Ref :: (i in t) ==> (let v == (i) in v.f > 0)",
            ],
        ),
        (
            "forall i: Ref :: i in t ==> let v == (i.g) in (v != x ==> acc(v.f))",
            [
                "forall i: Ref :: (i in t) && (let v == (i.g) in v != x) && "
                "(let v == (i.g) in true) ==> acc(i.g.f, write)"
            ],
        ),
        (
            "forall i: Int :: i > 0 ==> let v == (i) in let w == (v) in P(x, w)",
            ["forall i: Int :: i > 0 ==> acc(P(x, i), write)"],
        ),
    ],
)
def test_shapes(source: str, expected: list[str]) -> None:
    assert parts(source) == expected


def test_no_condition_is_true() -> None:
    node = formula("forall i: Ref :: acc(i.f)")
    assert isinstance(node, a.QuantifiedPermission)
    assert node.condition == x.BoolLit(value=True)


def test_nested_quantifiers_become_one_with_combined_triggers() -> None:
    node = formula(
        "forall i: Int :: {pure(i)} {df(i)} i > 0 ==> "
        "forall j: Int :: {pure(j)} {df(j)} j > i ==> P(x, i + j)"
    )
    assert isinstance(node, a.QuantifiedPermission)
    assert [variable.name for variable in node.variables] == ["i", "j"]
    assert len(node.triggers) == 4
    assert [len(trigger.terms) for trigger in node.triggers] == [2, 2, 2, 2]


def test_without_triggers_on_one_side_there_are_none() -> None:
    node = formula("forall i: Int :: {pure(i)} i > 0 ==> forall j: Int :: j > i ==> P(x, i + j)")
    assert isinstance(node, a.QuantifiedPermission)
    assert node.triggers == ()


def test_all_parts_have_the_place_of_the_quantifier() -> None:
    source = "forall i: Ref :: i in t ==> acc(i.f) && (b ==> acc(i.g)) && i.f > 0"
    node = formula(source)
    assert isinstance(node, a.Star)
    assert {part.span.text for part in node.conjuncts} == {source}


def test_pure_quantifiers_stay_whole() -> None:
    assert isinstance(formula("forall i: Int :: i > 0 ==> pure(i) > 0 && b"), x.Forall)
    assert isinstance(formula("forall i: Int :: [i > 0, i > 1]"), x.Forall)


def test_triggers_may_be_resources() -> None:
    node = formula("forall i: Ref :: {i.f} {P(i, 1)} {acc(i.f) --* b} i in t ==> i == x")
    assert isinstance(node, x.Forall)
    kinds = [type(trigger.terms[0]) for trigger in node.triggers]
    assert kinds == [x.FieldRead, a.PredicateLocation, a.Wand]
