"""The place of every node, as Viper reports it."""

from __future__ import annotations

import pytest

from pitviper.syntax import tree
from tests.unit.syntax.parsing import body, expr, member, stmt


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("a && b && c", "a && b && c"),
        ("(a) && (b)", "(a) && (b)"),
        ("(a) || b", "(a) || b"),
        ("(a) ==> (b)", "(a) ==> (b)"),
        ("(a) <==> b", "(a) <==> b"),
        ("(a) --* (b)", "(a) --* (b)"),
        ("(a) == (b)", "(a) == (b)"),
        ("(a) ? b : (c)", "(a) ? b : (c)"),
        ("(a) < (b)", "a) < (b)"),
        ("(a) in b", "a) in b"),
        ("(a) + (b)", "a) + (b)"),
        ("(a) * (b)", "a) * (b)"),
        ("(a).f", "a).f"),
        ("(a)[0]", "a)[0]"),
        ("(a)[0 := 1]", "a)[0 := 1]"),
        ("(a + b)", "a + b"),
        ("((a))", "a"),
        ("(a) + b == c", "(a) + b == c"),
        ("((a) + b) * c", "a) + b) * c"),
        ("!(a)", "!(a)"),
        ("-a.f", "-a.f"),
        ("(f(x): Int)", "f(x): Int"),
        (" f(a, b) ", "f(a, b)"),
        ("f (a)", "f (a)"),
        ("(forall x: Int :: (a))", "forall x: Int :: (a)"),
        ("old[l](a)", "old[l](a)"),
        ("@k() (a)", "@k() (a)"),
        ("[a, b]", "[a, b]"),
        ("|a|", "|a|"),
        ("acc(a.f, write)", "acc(a.f, write)"),
        ("Seq(a, b)", "Seq(a, b)"),
        ("unfolding P(x) in (a)", "unfolding P(x) in (a)"),
    ],
)
def test_places_of_expressions(text: str, covered: str) -> None:
    assert expr(text).span.text == covered


def test_places_of_the_parts_of_a_chain() -> None:
    chain = expr("a - b - (c)")
    assert isinstance(chain, tree.Binary)
    assert (chain.left.span.text, chain.right.span.text) == ("a - b", "c")


def test_both_cardinalities_of_a_double_bar_have_their_place() -> None:
    outer = expr("||a| - 1|")
    assert isinstance(outer, tree.Cardinality)
    assert outer.span.text == "||a| - 1|"
    assert isinstance(outer.operand, tree.Binary)
    assert outer.operand.left.span.text == "|a|"


def test_places_of_names() -> None:
    call = expr("f(x).g")
    assert isinstance(call, tree.FieldAccess)
    assert call.field.span.text == "g"
    assert isinstance(call.receiver, tree.Call)
    assert call.receiver.callee.span.text == "f"


@pytest.mark.parametrize(
    "text",
    [
        "x := (a)",
        "x.f, y := m(a)",
        "m(a)",
        "var x: Int := (1)",
        "var x: Seq[Int]",
        "assert (a)",
        "fold acc(P(x), p)",
        "package a --* b { }",
        "apply a --* (b)",
        "if (a) { } else { }",
        "while (a) invariant b { }",
        "label l invariant (a)",
        "goto l",
        "quasihavoc x.f",
        "quasihavocall x: Ref :: x.f",
        "define M(x) x",
        "{ a() }",
    ],
)
def test_a_statement_covers_its_text_without_the_semicolon(text: str) -> None:
    assert stmt(text + " ; // comment").span.text == text


def test_an_elseif_begins_at_its_keyword_and_ends_with_the_whole() -> None:
    found = stmt("if (a) { } elseif (b) { } else { c() }")
    assert isinstance(found, tree.If)
    assert isinstance(found.otherwise, tree.If)
    assert found.otherwise.span.text == "elseif (b) { } else { c() }"


def test_lines_and_columns_start_at_one_and_a_tab_is_one_column() -> None:
    first, second = body("\tassert a\n\n  assert\n    b")
    assert (first.span.start_position, first.span.end_position) == ((2, 2), (2, 10))
    assert second.span.start_position == (4, 3)
    assert isinstance(second, tree.AssertionStatement)
    assert second.assertion.span.start_position == (5, 5)


def test_a_clause_and_its_condition() -> None:
    found = member("method m()\n  ensures\n    a && b;\n{ }")
    assert isinstance(found, tree.Method)
    (clause,) = found.specs
    assert isinstance(clause, tree.Clause)
    assert clause.span.start_position == (2, 3)
    assert clause.condition.span.start_position == (3, 5)
    assert found.span.end_position == (4, 4)


def test_a_member_ends_with_its_last_token() -> None:
    assert member("method m() // comment\n").span.text == "method m()"
    assert member("predicate P() { true } // comment").span.text == "predicate P() { true }"
