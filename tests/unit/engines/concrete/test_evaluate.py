"""Values of expressions, and where they have none."""

from __future__ import annotations

import pytest

from tests.unit.engines.concrete.running import CANNOT, FALSE, PASSED, TRUE, check, values


@pytest.mark.parametrize(
    "expression",
    [
        "i + j == 1 && i - j == 5 && i * j == -6 && -i == -3",
        "i \\ 2 == 1 && i % 2 == 1",
        "j \\ 2 == -1 && j % 2 == 0",
        "(-7) \\ 2 == -4 && (-7) % 2 == 1",
        "(-7) \\ (-2) == 4 && (-7) % (-2) == 1",
        "7 \\ (-2) == -3 && 7 % (-2) == 1",
        "1/2 + 1/4 == 3/4 && 1/2 * 1/2 == 1/4 && 2 * (1/2) == write && 1/2 - 1/2 == none",
        "(1/2) / 2 == 1/4 && -(1/2) < none && 1/3 < 1/2",
        "b && !(!b) && (b || j > i) && (!b ==> 1 \\ 0 == 0) && (b ? i : 1 \\ 0) == 3",
        "!b || i == 3 || 1 \\ 0 == 0",
        "x != y && x != null && (x == y <==> i == j)",
        "let k == (i + 1) in k * k == 16",
    ],
)
def test_numbers_and_logic(expression: str) -> None:
    assert values(expression) == TRUE


@pytest.mark.parametrize(
    "expression",
    [
        "|Seq(1, 2)| == 2 && Seq(1, 2)[1] == 2 && Seq(1, 2) ++ Seq(3) == Seq(1, 2, 3)",
        "[1..4) == Seq(1, 2, 3) && [4..1) == Seq[Int]()",
        "Seq(1, 2, 3)[1..] == Seq(2, 3) && Seq(1, 2, 3)[..2] == Seq(1, 2)",
        "Seq(1, 2)[j..] == Seq(1, 2) && Seq(1, 2)[5..] == Seq[Int]() && Seq(1)[..j] == Seq[Int]()",
        "Seq(1, 2)[0 := i] == Seq(3, 2) && 2 in Seq(1, 2) && !(3 in Seq(1, 2))",
        "Set(1, 2, 1) == Set(2, 1) && |Set(1, 2, 1)| == 2 && 1 in Set(1)",
        "Set(1) union Set(2) == Set(1, 2) && Set(1, 2) intersection Set(2, 3) == Set(2)",
        "Set(1, 2) setminus Set(2) == Set(1) && (Set(1) subset Set(1, 2))",
        "(1 in Multiset(1, 1, 2)) == 2 && |Multiset(1, 1, 2)| == 3",
        "Multiset(1) union Multiset(1) == Multiset(1, 1)",
        "Multiset(1, 1, 2) intersection Multiset(1, 3) == Multiset(1)",
        "Multiset(1, 1, 2) setminus Multiset(1, 2, 2) == Multiset(1)",
        "(Multiset(1) subset Multiset(1, 2)) && !(Multiset(1, 1) subset Multiset(1, 2))",
        "Map(1 := 2, 3 := 4)[3] == 4 && |Map(1 := 2)| == 1 && 1 in Map(1 := 2)",
        "Map(1 := 2)[1 := 5] == Map(1 := 5) && Map(1 := 2, 1 := 3) == Map(1 := 3)",
        "domain(Map(1 := 2)) == Set(1) && range(Map(1 := 2, 3 := 2)) == Set(2)",
    ],
)
def test_collections(expression: str) -> None:
    assert values(expression) == TRUE


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("1 \\ (i - 3) == 0", "division.by.zero"),
        ("1 % (i - 3) == 0", "division.by.zero"),
        ("(1/2) / (i - 3) == none", "division.by.zero"),
        ("Seq(1)[j] == 0", "seq.index.negative"),
        ("Seq(1)[i] == 0", "seq.index.length"),
        ("Seq(1)[i := 2] == Seq(1)", "seq.index.length"),
        ("Map(1 := 2)[i] == 0", "map.key.contains"),
        ("x.f == 0", "insufficient.permission"),
        ("null.f == 0", "insufficient.permission"),
        ("old[l](x.f) == 0", "labelled.state.not.reached"),
    ],
)
def test_expressions_without_value(expression: str, reason: str) -> None:
    label = "\nif (!b) { label l }" if "[l]" in expression else ""
    assert check(f"{label}\nassert {expression}") == f"assert.failed:{reason}"


def test_old_is_about_the_heap_not_the_variables() -> None:
    assert (
        check(
            "var k: Int := 1\n"
            "inhale acc(x.f)\nx.f := k\nlabel l\nx.f := 2\nk := 7\n"
            "assert old[l](x.f) == 1 && old[l](x.f + k) == 8 && x.f == 2"
        )
        == PASSED
    )


def test_a_label_is_the_last_time_it_was_passed() -> None:
    statements = (
        "var n: Int := 0\ninhale acc(x.f)\nx.f := 0\n"
        "while (n < 3) invariant acc(x.f) && x.f == n && n <= 3\n"
        "{ label l\nx.f := x.f + 1\nn := n + 1\nassert old[l](x.f) == n - 1 }"
    )
    assert check(statements) == PASSED
    after = statements + "\nassert old[l](x.f) == 2"
    assert check(after) == "assert.failed:labelled.state.not.reached"


def test_reading_needs_only_some_permission_writing_needs_all() -> None:
    assert check("inhale acc(x.f, 1/3)\nvar k: Int := x.f") == PASSED
    assert check("inhale acc(x.f, 1/3)\nx.f := 1") == "assignment.failed:insufficient.permission"
    assert check("x.f := 1") == "assignment.failed:insufficient.permission"


def test_epsilon_cannot_be_run() -> None:
    assert check("assert epsilon == none") == CANNOT


def test_an_unspecified_value_is_decided_once() -> None:
    assert check("var k: Int\nassert k == k\nvar l: Int := k\nassert k == l && k == 0") == PASSED
    assert check("var k: Int\nvar l: Int\nassert k == l") == PASSED  # both are 0
    assert check("var k: Int\nvar l: Int\nassume k != l\nassert k == l") == FALSE
