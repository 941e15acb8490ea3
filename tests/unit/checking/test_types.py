"""Types with holes: unification and substitution."""

from __future__ import annotations

import pytest

from pitviper.checking.types import (
    ERROR,
    NOTHING,
    Hole,
    apply,
    has_holes,
    holes_of,
    merge,
    unify,
)
from pitviper.program.types import (
    BOOL,
    INT,
    REF,
    AdtType,
    DomainType,
    MapType,
    MultisetType,
    SeqType,
    SetType,
    Type,
    TypeVar,
    instantiate,
)

A, B = Hole("A?1"), Hole("B?2")


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (INT, INT, {}),
        (A, INT, {"A?1": INT}),
        (REF, A, {"A?1": REF}),
        (SeqType(A), SeqType(INT), {"A?1": INT}),
        (MapType(A, B), MapType(INT, REF), {"A?1": INT, "B?2": REF}),
        (DomainType("D", (A,)), DomainType("D", (SetType(BOOL),)), {"A?1": SetType(BOOL)}),
        (AdtType("L", (A,)), AdtType("L", (A,)), {}),
        (ERROR, INT, {}),
        (SeqType(ERROR), SeqType(INT), {}),
    ],
)
def test_unify_finds_the_holes(left: Type, right: Type, expected: dict[str, Type]) -> None:
    assert unify(left, right, NOTHING) == expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (INT, BOOL),
        (SeqType(A), SetType(A)),
        (SetType(INT), MultisetType(INT)),
        (DomainType("D", (A,)), DomainType("E", (A,))),
        (DomainType("D"), AdtType("D")),
        (TypeVar("T"), TypeVar("U")),
        (TypeVar("T"), INT),
        (A, SeqType(A)),
        (MapType(A, A), MapType(INT, BOOL)),
    ],
)
def test_types_that_no_substitution_makes_equal(left: Type, right: Type) -> None:
    assert unify(left, right, NOTHING) is None


def test_a_hole_that_is_known_is_compared() -> None:
    assert unify(A, INT, {"A?1": INT}) == {"A?1": INT}
    assert unify(A, BOOL, {"A?1": INT}) is None


def test_the_hole_of_a_domain_stays_the_representative() -> None:
    """Its default is better than that of a hole that belongs to an operator."""
    of_domain = Hole("T?3", "D", "T")
    assert unify(A, of_domain, NOTHING) == {"A?1": of_domain}
    assert unify(of_domain, A, NOTHING) == {"A?1": of_domain}


def test_apply_follows_chains() -> None:
    assert apply(SeqType(A), {"A?1": SetType(B), "B?2": INT}) == SeqType(SetType(INT))


def test_instantiate_replaces_once() -> None:
    """Inside its own domain a parameter may be instantiated with itself."""
    t = DomainType("D", (TypeVar("T"), TypeVar("U")))
    assert instantiate(t, {"T": TypeVar("U"), "U": TypeVar("T")}) == DomainType(
        "D", (TypeVar("U"), TypeVar("T"))
    )


def test_merge_joins_or_contradicts() -> None:
    assert merge({"A?1": INT}, {"B?2": REF}) == {"A?1": INT, "B?2": REF}
    assert merge({"A?1": SeqType(B)}, {"A?1": SeqType(INT)}) == {"A?1": SeqType(B), "B?2": INT}
    assert merge({"A?1": INT}, {"A?1": REF}) is None
    assert merge({"A?1": SeqType(B)}, {"B?2": SeqType(A)}) is None


def test_holes_of_lists_all() -> None:
    assert holes_of(MapType(A, SeqType(B))) == ["A?1", "B?2"]
    assert not has_holes(SeqType(TypeVar("T")))
