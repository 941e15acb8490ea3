"""Termination measures and the library domains that they need."""

from __future__ import annotations

import pytest

from pitviper.program import expr as x
from pitviper.program import stmt as s
from tests.unit.checking.check_texts import accepted, found


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("measure", "domain"),
    [
        ("n", "IntWellFoundedOrder"),
        ("b", "BoolWellFoundedOrder"),
        ("r", "RefWellFoundedOrder"),
        ("1/2", "PermWellFoundedOrder"),
        ("Seq(n)", "SeqWellFoundedOrder"),
        ("Set(n)", "SetWellFoundedOrder"),
        ("Multiset(n)", "MultiSetWellFoundedOrder"),
        ("P(r)", "PredicateInstancesWellFoundedOrder"),
    ],
)
def test_orders_are_added_by_type(measure: str, domain: str) -> None:
    text = f"predicate P(r: Ref)\nmethod m(n: Int, b: Bool, r: Ref) decreases {measure}"
    domains = accepted(text).domains
    assert domain in domains
    assert "WellFoundedOrder" in domains


def test_other_types_get_the_declaration() -> None:
    domains = accepted("domain D {}\nmethod m(d: D) decreases d").domains
    assert list(domains) == ["D", "WellFoundedOrder"]


def test_without_measures_nothing_is_added() -> None:
    text = "method m() decreases\nmethod n() decreases _\nmethod o() decreases *"
    assert accepted(text).domains == {}


def test_orders_of_the_program_stay() -> None:
    text = """
        domain WellFoundedOrder[T] {
          function decreasing(a: T, b: T): Bool
          function bounded(a: T): Bool
        }
        domain IntWellFoundedOrder { axiom { forall i: Int :: { bounded(i) } bounded(i) } }
        method m(n: Int, b: Bool) decreases n, b
    """
    domains = accepted(text).domains
    assert len(domains["IntWellFoundedOrder"].axioms) == 1
    assert domains["WellFoundedOrder"].type_params == ("T",)
    assert "BoolWellFoundedOrder" in domains


def test_orders_that_do_not_fit_the_program_are_left_out() -> None:
    text = """
        domain WellFoundedOrder { function decreasing(a: Int): Bool }
        method m(n: Int) decreases n
    """
    assert [code for code, _, _ in found(text)] == ["consistency.error"]


def test_imported_orders_are_not_added_again() -> None:
    text = "import <decreases/all.vpr>\nmethod m(n: Int) decreases n"
    assert "IntWellFoundedOrder" in accepted(text).domains


# ---------------------------------------------------------------- clauses


def test_kinds_of_clauses() -> None:
    text = """
        function g(n: Int): Int
          decreases n, 7/2 if n > 0
          decreases _ if n < 0
          decreases *
    """
    first, second, third = accepted(text).functions["g"].decreases
    assert isinstance(first, s.DecreasesTuple)
    assert [str(measure.type) for measure in first.measures] == ["Int", "Perm"]
    assert first.condition is not None
    assert isinstance(second, s.DecreasesWildcard)
    assert isinstance(third, s.DecreasesStar)


def test_predicates_in_measures_are_instances() -> None:
    text = """
        predicate P(r: Ref) { acc(r.f) }
        field f: Int
        function g(r: Ref): Int requires P(r) decreases P(r), acc(P(r)), unfolding P(r) in r.f
    """
    (clause,) = accepted(text).functions["g"].decreases
    assert isinstance(clause, s.DecreasesTuple)
    kinds = [type(measure) for measure in clause.measures]
    assert kinds == [x.PredicateInstance, x.PredicateInstance, x.Unfolding]


def test_wrong_clauses() -> None:
    text = """
        method m(n: Int) decreases
          m(n)
        method o(n: Int) decreases n if
          n
    """
    assert [(code, line) for code, line, _ in found(text)] == [
        ("typechecker.error", 3),
        ("typechecker.error", 5),
    ]


def test_impure_measures_are_inconsistent() -> None:
    text = "field f: Int\nmethod m(r: Ref) decreases acc(r.f)"
    assert [code for code, _, _ in found(text)] == ["consistency.error"]
