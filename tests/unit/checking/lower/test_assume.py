"""`assume`: permissions become lower bounds."""

from __future__ import annotations

import pytest

from tests.unit.checking.check_texts import complaints, errors, lowered, method


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("b && n > 0", ["inhale b", "inhale n > 0"]),
        ("acc(x.f, 1/2)", ["inhale perm(x.f) >= 1 / 2"]),
        ("acc(x.f, wildcard)", ["inhale perm(x.f) > none"]),
        ("P(x, 1)", ["inhale perm(P(x, 1)) >= write"]),
        (
            "acc(x.f, p) && acc(y.f, 1/2)",
            [
                "inhale perm(x.f) >= p",
                "inhale perm(y.f) >= 1 / 2 + (x == y ? p : none)",
            ],
        ),
        (
            "acc(x.f) && acc(x.g) && acc(x.f)",
            [
                "inhale perm(x.f) >= write",
                "inhale perm(x.g) >= write",
                "inhale perm(x.f) >= write + write",
            ],
        ),
        (
            "(b ==> acc(x.f)) && (b ? acc(y.f) : acc(o.f))",
            [
                "inhale b ==> perm(x.f) >= write",
                "inhale (b ? perm(y.f) >= write + (b ? (x == y ? write : none) : none) : "
                "perm(o.f) >= write + (b ? (x == o ? write : none) : none) + "
                "(b ? (y == o ? write : none) : none))",
            ],
        ),
        (
            "P(x, 1) && P(y, n)",
            [
                "inhale perm(P(x, 1)) >= write",
                "inhale perm(P(y, n)) >= write + (x == y && 1 == n ? write : none)",
            ],
        ),
        (
            "unfolding P(x, 1) in acc(x.f) && acc(y.f)",
            [
                "inhale (unfolding acc(P(x, 1), write) in perm(x.f) >= write && "
                "perm(y.f) >= write + (x == y ? write : none))"
            ],
        ),
        (
            "(let v == (x.g) in acc(v.f)) && (let v == (y.g) in acc(v.f))",
            [
                "inhale (let v$1 == (x.g) in perm(v$1.f) >= write)",
                "inhale (let v$2 == (y.g) in perm(v$2.f) >= write + "
                "(let v$1 == (x.g) in (v$1 == v$2 ? write : none)))",
            ],
        ),
        (
            "[acc(x.f), acc(x.g)]",
            ["inhale [perm(x.f) >= write, true]"],
        ),
        ("acc(x.f) --* acc(x.g)", ["inhale acc(x.f, write) --* acc(x.g, write)"]),
    ],
)
def test_what_is_inhaled(source: str, expected: list[str]) -> None:
    assert lowered(f"assume {source}") == expected


def test_quantified_permissions_over_their_variables() -> None:
    assert lowered("assume (forall i: Ref :: i in t ==> acc(i.f, p)) && acc(x.f)") == [
        "inhale (forall i$1: Ref :: (i$1 in t) ==> perm(i$1.f) >= p)",
        "inhale perm(x.f) >= write + ((x in t) ? p : none)",
    ]


def test_other_quantified_permissions_count_under_a_quantifier() -> None:
    source = "assume (forall i: Int :: i in s ==> P(x, i + 1)) && P(y, n)"
    assert lowered(source) == [
        "inhale (forall i$1: Int :: (i$1 in s) ==> perm(P(x, i$1 + 1)) >= write)",
        "inhale perm(P(y, n)) >= write",
        "inhale (forall i$1$1: Int :: (i$1$1 in s) && x == y && i$1$1 + 1 == n ==> "
        "perm(P(y, n)) >= write + write)",
    ]


def test_wildcards_do_not_count_as_earlier_amounts() -> None:
    body = "assume (forall i: Int :: i in s ==> acc(P(x, i + 1), wildcard)) && P(y, n)"
    assert lowered(body) == [
        "inhale (forall i$1: Int :: (i$1 in s) ==> perm(P(x, i$1 + 1)) > none)",
        "inhale perm(P(y, n)) >= write",
    ]


def test_operations_in_wands_stay_forbidden() -> None:
    text = method("assume (unfolding P(x, 1) in acc(x.f)) --* b")
    assert [d.code for d in errors(text)] == ["consistency.error"]
    text = method("assume unfolding P(x, 1) in (b --* b)")
    assert [d.code for d in errors(text)] == ["consistency.error"]


def test_types_are_those_of_the_formula_as_written() -> None:
    assert complaints("assume !acc(x.f)") == [
        (1, "found an assertion about permissions, expected a value of `Bool`")
    ]
