"""Paths share their older part; answers are never taken for truth values."""

from __future__ import annotations

import pytest

from pitviper.solver.session import PROVED, Answer, FactKind, Path
from pitviper.terms.build import FALSE, TRUE, conjoin, constant
from pitviper.terms.sort import BOOL

p, q, r = (constant(name, BOOL) for name in "pqr")


def test_facts_in_order() -> None:
    path = Path().assume(p).branch(q, "why").assume(r, FactKind.DEFINITION)
    assert [entry.fact for entry in path] == [p, q, r]
    kinds = [entry.kind for entry in path]
    assert kinds == [FactKind.PLAIN, FactKind.BRANCH, FactKind.DEFINITION]
    assert [entry.provenance for entry in path] == [None, "why", None]
    assert path.length == 3
    assert path.conditions() == [q]


def test_siblings_share() -> None:
    trunk = Path().assume(p)
    left, right = trunk.branch(q), trunk.branch(r)
    assert left.older is trunk is right.older
    assert [entry.fact for entry in left.assume(r).since(trunk)] == [q, r]
    assert trunk.since(trunk) == []


def test_true_is_no_fact_but_a_branch_is_always_marked() -> None:
    empty = Path()
    assert empty.assume(TRUE) is empty
    assert empty.assume(FALSE).length == 1
    assert empty.branch(TRUE).length == 1


def test_conjuncts_are_facts_of_their_own() -> None:
    path = Path().assume(conjoin(p, q), provenance="both")
    assert [(entry.fact, entry.provenance) for entry in path] == [(p, "both"), (q, "both")]


def test_since_needs_an_older_part() -> None:
    one, other = Path().assume(p), Path().assume(p)
    with pytest.raises(ValueError, match="older part"):
        one.assume(q).since(other)
    with pytest.raises(ValueError, match="older part"):
        one.since(one.assume(q))
    assert one.since(Path()) == [one]


def test_long_paths_need_no_recursion() -> None:
    path = Path()
    for _ in range(50_000):
        path = path.assume(p)
    assert sum(1 for _ in path) == 50_000


def test_an_answer_is_no_truth_value() -> None:
    with pytest.raises(TypeError, match="proves"):
        bool(PROVED)
    assert PROVED.proved and Answer(proved=False) != PROVED
