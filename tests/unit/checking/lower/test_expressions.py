"""Expressions in the typed program: sugar is gone, impure formulas have their own nodes."""

from __future__ import annotations

from typing import get_args

import pytest

from pitviper.checking.lower import expressions
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.syntax import tree
from tests.unit.checking.check_texts import (
    accepted,
    asserted,
    errors,
    formula,
    found,
    messages,
    method,
    warnings,
)


@pytest.mark.smoke
def test_chained_comparisons_are_conjunctions() -> None:
    assert asserted("0 <= n < 10 > n") == "0 <= n && n < 10 && 10 > n"
    assert asserted("n in s in Set(s)") == "(n in s) && (s in Set(s))"
    assert messages("x < n < 3") == ["`x` is a `Ref`: `<` needs numbers"]
    assert messages("n < x < 3") == ["`x` is a `Ref`: `<` needs numbers"]


def test_parts_of_a_chain_start_at_their_left_operand() -> None:
    chain = formula("0 <= n < 10")
    assert isinstance(chain, x.And)
    assert [part.span.text for part in chain.operands] == ["0 <= n", "n < 10"]


def test_membership_depends_on_the_collection() -> None:
    assert isinstance(formula("n in s"), x.SeqContains)
    assert isinstance(formula("x in t"), x.SetContains)
    assert isinstance(formula("n in Map(1 := 2)"), x.MapContains)
    count = formula("(n in Multiset(1)) == 2")
    assert isinstance(count, x.Equal) and isinstance(count.left, x.MultisetCount)


def test_equivalence_is_equality() -> None:
    assert isinstance(formula("b <==> n > 0"), x.Equal)


def test_slices_take_then_drop() -> None:
    for source, node in (("s[1..2]", x.SeqDrop), ("s[1..]", x.SeqDrop), ("s[..2]", x.SeqTake)):
        equation = formula(f"{source} == s")
        assert isinstance(equation, x.Equal) and isinstance(equation.left, node)
    both = formula("s[1..2] == s")
    assert isinstance(both, x.Equal) and isinstance(both.left, x.SeqDrop)
    assert isinstance(both.left.sequence, x.SeqTake)


# ---------------------------------------------------------------- purity


def test_connectives_are_separating_only_around_permissions() -> None:
    assert isinstance(formula("b && n > 0 && b"), x.And)
    star = formula("b && acc(x.f) && (acc(y.f) && x.f > 0) && (b && n > 0)")
    assert isinstance(star, a.Star)
    assert [type(part) for part in star.conjuncts] == [
        x.Var, a.Access, a.Access, x.Compare, x.And,
    ]  # fmt: skip
    assert isinstance(formula("b ==> acc(x.f)"), a.Guarded)
    assert isinstance(formula("b ==> b"), x.Implies)
    assert isinstance(formula("b ? acc(x.f) : b"), a.Choice)
    assert isinstance(formula("[acc(x.f), b]"), a.InhaleExhale)
    assert isinstance(formula("[b, b]"), x.InhaleExhaleExpr)
    assert isinstance(formula("let v == (x) in acc(v.f)"), a.Binding)
    assert isinstance(formula("acc(x.f) --* b"), a.Wand)


def test_accesses_have_amounts() -> None:
    assert asserted("acc(x.f)") == "acc(x.f, write)"
    assert asserted("P(x, 1)") == "acc(P(x, 1), write)"
    assert asserted("acc(P(x, 1), 1/2)") == "acc(P(x, 1), 1 / 2)"
    assert asserted("acc(P(x, 1), n/2)") == "acc(P(x, 1), n / 2)"


def test_impure_formulas_where_types_allow_them_are_inconsistent() -> None:
    for source in (
        "let v == (acc(x.f)) in v",
        "unfolding P(x, 1) in acc(x.f)",
        "applying (acc(x.f) --* b) in acc(x.f)",
        "asserting (acc(x.f)) in acc(x.f)",
        "|Seq(acc(x.f))| == 1",
        "box(acc(x.f)) == box(true)",
    ):
        codes = [(d.code, d.span and d.span.text) for d in errors(method(f"assert {source}"))]
        assert codes == [("consistency.error", "acc(x.f)")], source


def test_a_type_error_hides_what_comes_later() -> None:
    text = method("assert let v == (acc(x.f)) in v\nassert nope\nassert forall i: Int :: {i} b")
    assert [d.code for d in errors(text)] == ["typechecker.error"]
    text = method("assert let v == (acc(x.f)) in v\nassert forall i: Int :: {i} b")
    assert [d.code for d in errors(text)] == ["typechecker.error"]


# ---------------------------------------------------------------- where what is allowed


def test_perm_in_contracts_stands_in_pairs() -> None:
    ban = (
        "preconditions, postconditions and invariants may only contain `perm` and `forperm` "
        "expressions inside of an inhale-exhale"
    )
    text = """
        field f: Int
        method m(x: Ref)
          requires perm(x.f) > none
          requires [perm(x.f) > none, forperm y: Ref [y.f] :: true]
          ensures forperm y: Ref [y.f] :: true
        {
          assert perm(x.f) > none
          while (perm(x.f) > none)
            invariant b() ==> perm(x.f) > none
          {}
          label l invariant perm(x.f) > none
        }
        function b(): Bool
    """
    assert [(line, message) for _, line, message in found(text)] == [(4, ban), (6, ban), (10, ban)]


def test_perm_in_functions() -> None:
    text = """
        field f: Int
        function g(x: Ref): Int
          requires perm(x.f) > none
          ensures [perm(x.f) == none, true]
          ensures [forperm y: Ref [y.f] :: true, true]
    """
    assert [line for _, line, _ in found(text)] == [4, 5, 6]


def test_perm_in_forperm_bodies() -> None:
    assert len(messages("forperm z: Ref [z.f] :: perm(z.f) > none")) == 1
    assert len(messages("forperm z: Ref [z.f] :: forperm w: Ref [w.f] :: true")) == 1
    assert messages("forperm z: Ref [z.f] :: z.f > 0") == []


def test_wands_are_banned_in_function_preconditions_and_predicates() -> None:
    text = """
        field f: Int
        function g(x: Ref): Int requires
          true --* acc(x.f) --* true
        predicate Q(x: Ref) {
          acc(x.f) && (true --* acc(x.f))
        }
        function h(x: Ref): Int requires
          applying (true --* acc(x.f)) in true
    """
    assert [line for _, line, _ in found(text)] == [4, 6, 9]


def test_result_belongs_to_postconditions_and_bodies() -> None:
    text = """
        function g(): Int
          requires result > 0
          decreases result
          ensures result > 0
        predicate Q() { result > 0 }
    """
    assert [line for _, line, _ in found(text)] == [3, 4, 6]


def test_axioms_use_functions_without_preconditions() -> None:
    text = """
        domain A { axiom {
          g() && h() } }
        function g(): Bool requires true
        function h(): Bool decreases
    """
    assert [line for _, line, _ in found(text)] == [3]


def test_postconditions_of_functions_are_pure() -> None:
    text = "field f: Int\nfunction g(x: Ref): Int\n ensures acc(x.f)"
    assert [line for _, line, _ in found(text)] == [3]


# ---------------------------------------------------------------- resources


def test_what_can_be_unfolded() -> None:
    assert messages("unfolding Abstract(x) in b") == ["abstract predicates cannot be unfolded"]
    assert messages("unfolding fun(x) in b") == ["expected predicate access `fun`"]
    assert messages("unfolding nope(x) in b") == ["undeclared call `nope`, expected predicate"]
    assert messages("applying (b) in b") == ["expected magic wand"]


def test_resources_of_perm() -> None:
    assert asserted("perm(x.f) == none") == "perm(x.f) == none"
    assert asserted("perm(P(x, 1)) == none") == "perm(P(x, 1)) == none"
    assert asserted("perm(b --* b) == none") == "perm(b --* b) == none"


def test_old_keeps_the_type() -> None:
    assert asserted("old(1/2) == 1/2") == "old(1 / 2) == 1 / 2"
    assert asserted("old(7/2) == n") == "old(7 \\ 2) == n"
    assert asserted("old(Seq()) == s") == "old(Seq[Int]()) == s"


# ---------------------------------------------------------------- annotations


def test_reveal_and_weight() -> None:
    revealed = formula("@reveal() pure(1) == 1")
    assert isinstance(revealed, x.Equal) and isinstance(revealed.left, x.FunctionApp)
    assert revealed.left.reveal
    weighted = formula('@weight("3") forall i: Int :: i > 0')
    assert isinstance(weighted, x.Forall) and weighted.weight == 3
    permission = formula('@weight("4") forall i: Ref :: i in t ==> acc(i.f)')
    assert isinstance(permission, a.QuantifiedPermission) and permission.weight == 4
    ignored = formula('@nonsense("1") (b)')
    assert isinstance(ignored, x.Var)


def test_a_bad_weight_is_ignored_with_a_warning() -> None:
    text = method('assert @weight("heavy") forall i: Int :: pure(i) > 0')
    assert len(warnings(text)) == 1
    assert accepted(text)


def test_every_class_of_expressions_is_lowered() -> None:
    assert set(expressions._RULES) == set(get_args(tree.Expr))
