"""Values: order and text do not depend on hashes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitviper.engines.shared.values import (
    NULL,
    Constructed,
    Ref,
    Token,
    Value,
    elements_of,
    finite_map,
    multiset_of,
    references_in,
    size_of,
    value_text,
)
from pitviper.program.types import DomainType

KIND = DomainType("D")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (-3, "-3"),
        (Fraction(1, 2), "1/2"),
        (NULL, "null"),
        (Ref(4), "object4"),
        ((1, 2), "Seq(1, 2)"),
        (frozenset({3, 1, 2}), "Set(1, 2, 3)"),
        (multiset_of([2, 1, 2]), "Multiset(1, 2, 2)"),
        (finite_map({2: True, 1: False}), "Map(1 := false, 2 := true)"),
        (Token(KIND, 7), "D#7"),
        (Constructed("Cons", (1, Constructed("Nil", ()))), "Cons(1, Nil())"),
    ],
)
def test_text(value: Value, text: str) -> None:
    assert value_text(value) == text


def test_elements_come_in_order() -> None:
    nested = frozenset({(2, 1), (1,), (1, 3)})
    assert elements_of(nested) == [(1,), (1, 3), (2, 1)]
    assert elements_of((3, 1, 3)) == [3, 1]
    assert elements_of(frozenset({Ref(2), NULL})) == [NULL, Ref(2)]
    maps = frozenset({finite_map({1: 2}), finite_map({})})
    assert [size_of(m) for m in elements_of(maps)] == [0, 1]


def test_references_are_found_at_any_depth() -> None:
    value = (finite_map({1: frozenset({Ref(5)})}), finite_map({2: frozenset({Ref(6)})}))
    assert references_in(value) == [Ref(5), Ref(6)]
    assert references_in(Constructed("C", (Ref(1), 2))) == [Ref(1)]
