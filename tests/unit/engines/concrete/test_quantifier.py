"""Quantifiers: which values are looked at, and when the answer is exact."""

from __future__ import annotations

import pytest

from tests.unit.engines.concrete.running import (
    CANNOT,
    FALSE,
    INFEASIBLE,
    PASSED,
    TRUE,
    check,
    values,
)


@pytest.mark.parametrize(
    "expression",
    [
        "forall k: Int :: 0 <= k && k < i ==> k * k <= 4",
        "forall k: Int :: 0 <= k ==> (k < i ==> k * k <= 4)",
        "forall k: Int :: k in Set(1, 2) ==> k > 0",
        "forall k: Int :: k in Seq(1, 2) ==> k in Set(1, 2, 3)",
        "forall k: Int :: (k in Multiset(1, 2)) > 0 ==> k > 0",
        "forall k: Int :: k in Map(1 := 2) ==> Map(1 := 2)[k] == 2",
        "forall k: Int :: k == i + 1 ==> k == 4",
        "forall k: Int, l: Int :: 0 <= k && k < l && l < 4 ==> k * l <= 6",
        "forall k: Int, l: Int :: 0 <= k && k < 4 && l == k + 1 ==> l > 0",
        "forall k: Int, s: Seq[Int] :: s in Seq(Seq(1, 2), Seq(3)) && k in s ==> k < 4",
        "forall k: Int :: 5 <= k && k < 5 ==> false",
        "forall k: Int :: i < 0 && 0 <= k ==> false",
        "forall c: Bool :: c || !c",
        "forall r: Ref :: r in Set(x, y) ==> r != null",
        "exists k: Int :: 0 <= k && k < i && k * k == 4",
        "exists k: Int :: k * k == 4",
        "exists r: Ref :: r != x && r != y && r != null",
        "!(exists k: Int :: 0 <= k && k < i && k == 7)",
        "!(forall k: Int :: k < 100)",
        "forall r: Ref, s: Ref :: r == s || r != s",
        "!(forall r: Ref, s: Ref :: r == s)",
        "!(forall r: Ref :: r == x || r == y || r == null)",
    ],
)
def test_quantifiers_that_hold(expression: str) -> None:
    assert values(expression) == TRUE


@pytest.mark.parametrize(
    "expression",
    [
        "forall k: Int :: k * k >= 0",
        "forall k: Int :: 0 <= k ==> k * k >= 0",
        "forall s: Seq[Int] :: |s| >= 0",
        "exists k: Int :: k > 100 && k < k",
        "forall q: Perm :: none < q ==> q > none",
    ],
)
def test_infinitely_many_values_cannot_be_gone_through(expression: str) -> None:
    assert check(f"assert {expression}") == CANNOT


def test_a_counterexample_is_exact_even_if_the_rest_is_not() -> None:
    assert check("assert forall k: Int :: k >= 0") == FALSE
    assert check("assert forall k: Int :: k > 5 ==> k > 6") == FALSE


def test_the_body_must_be_defined_for_all_values() -> None:
    assert check("assert forall r: Ref :: r.f > 0") == "assert.failed:insufficient.permission"
    late = "assert forall k: Int :: Seq(1)[k] > 0 && 0 <= k && k < 1 ==> true"
    assert check(late) == "assert.failed:seq.index.length"
    early = "assert forall k: Int :: 0 <= k && k < 1 && Seq(1)[k] > 0 ==> true"
    assert check(early) == PASSED


def test_a_reference_decided_on_the_way_is_looked_at_too() -> None:
    statements = "var z: Ref\nassume z != x && z != y && z != null\nassert forall r: Ref :: r != z"
    assert check(statements) == FALSE


def test_assumed_quantifiers_decide() -> None:
    start = "inhale acc(x.f) && acc(y.f)\n"
    assumed = "assume forall r: Ref :: r in Set(x, y) ==> r.f == 7\n"
    assert check(start + assumed + "assert x.f == 7 && y.f == 7") == PASSED
    assert check("assume forall k: Int :: k >= 0\nassert false") == INFEASIBLE
    assert check("assume forall k: Int :: k * k >= 0\nassert false") == CANNOT


def test_forperm_goes_through_what_is_held() -> None:
    start = "inhale acc(x.f) && acc(y.f, 1/2) && acc(x.g)\nx.f := 1\n"
    assert check(start + "assert forperm r: Ref [r.f] :: r == x || r == y") == PASSED
    assert check(start + "assert forperm r: Ref [r.f] :: r == x") == FALSE
    assert check(start + "exhale acc(y.f, 1/2)\nassert forperm r: Ref [r.f] :: r.f == 1") == PASSED


def test_permissions_to_values_of_a_range() -> None:
    slots = "var s: Seq[Ref] := Seq(x, y)\n"
    every = "forall k: Int :: 0 <= k && k < |s| ==> acc(s[k].f)"
    assert check(slots + f"inhale {every}\nx.f := 1\ny.f := 2\nexhale {every}") == PASSED
    assert check(slots + f"inhale acc(x.f)\nexhale {every}") == (
        "exhale.failed:insufficient.permission"
    )
    assert (
        check(f"var s: Seq[Ref] := Seq(x, x)\ninhale {every}") == "inhale.failed:qp.not.injective"
    )


def test_permissions_to_members() -> None:
    every = "forall r: Ref :: r in Set(x, y) ==> acc(r.f, 1/2)"
    assert check(f"inhale {every}\nassert perm(x.f) == 1/2 && perm(x.g) == none") == PASSED
    assert check(f"inhale {every}\ninhale {every}\nx.f := 1") == PASSED
    negative = "inhale forall r: Ref :: r in Set(x) ==> acc(r.f, -(1/2))"
    assert check(negative) == "inhale.failed:negative.permission"


def test_permissions_to_all_objects() -> None:
    assert check("inhale forall r: Ref :: r != null ==> acc(r.f)") == CANNOT
    assert check("inhale acc(x.f)\nexhale forall r: Ref :: acc(r.f)") == (
        "exhale.failed:insufficient.permission"
    )
    assert check("inhale acc(x.f)\nexhale forall r: Ref :: r == x ==> acc(r.f)") == PASSED
