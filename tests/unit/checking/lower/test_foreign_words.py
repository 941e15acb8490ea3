"""Words of other languages that read as names: one error each, at the word, with a cure."""

from __future__ import annotations

import pytest

from tests.unit.checking.check_texts import errors


@pytest.mark.parametrize(
    ("statement", "word", "help_"),
    [
        ("assert n equals n", "equals", "`==`"),
        ("assert n foo n", "foo", "write an operator here"),
        ("while (n < 3) { break }", "break", "`goto done` here, and `label done` after"),
        ("int v := 3\n  v := v + 1", "int", "`var v: Int := 3`"),
        ("bool v\n  v := true", "bool", "`var v: Bool`"),
        ("return n", "return", "`r := n`"),
        ("return(n)", "return", "`r := n`"),
        ("r := n\n  ++r", "++r", "`r := r + 1`"),
        ("assert abs(n - 1) >= 0", "abs", "`((n - 1) >= 0 ? (n - 1) : -(n - 1))`"),
        ("assert max(n, 3) >= 3", "max", "`(n > 3 ? n : 3)`"),
        ("assert acc(x.f, w)", "w", "`w: Perm`"),
        ("assert acc(x.f, x.f)", "x.f", "all of it is `acc(x.f)`"),
        ("assert n.f == 3", "n", "declare `n: Ref` in line 3"),
        ("n.f := 3", "n", "declare `n: Ref` in line 3"),
        ("unfold acc(x.f)", "acc(x.f)", "only predicates are unfolded"),
        ("unfold P()", "P()", "`P(x: Ref)`, here are 0; write `P(x)`"),
        ("late := 1\n  var late: Int", "late", "declared only in line 5: move"),
        ("assert true < false", "true", "`(true ? 1 : 0) < (false ? 1 : 0)`"),
        ("assert forall i: Int :: { i > 0 } g(i) > 0", "{ i > 0 }", "write `{ g(i) }`"),
        ("assert forall i: Int, j: Int :: {g(i)} g(i) > g(j)", "j: Int", "`{ g(i), g(j) }`"),
        ("assert acc(x.f) || x == null", "acc(x.f)", "`x != null ==> acc(x.f)`"),
        ("var b: Bool := acc(x.f)", "acc(x.f)", "in a body, `perm(x.f) > none`"),
        ("assert n > 1 || P(x)", "P(x)", "`!(n > 1) ==> P(x)`"),
        (
            "assert forall i: Int, j: Int :: {g(i)} g(i) > j",
            "j: Int",
            "a term of the body with `j`",
        ),
    ],
)
def test_one_error_at_the_word(statement: str, word: str, help_: str) -> None:
    (found,) = errors(
        "field f: Int function g(i: Int): Int\n"
        "predicate P(x: Ref) { acc(x.f) }\n"
        "method m(x: Ref, n: Int) returns (r: Int) {\n"
        f"  {statement}\n"
        "}"
    )
    assert found.span is not None and found.span.text == word
    assert found.help is not None and help_ in found.help


def test_every_use_of_a_missing_result_is_an_error_with_the_same_cure() -> None:
    found = errors(
        "method a() ensures z > 0 && z < 9 { z := 1 assert z == 1 }\n"
        "method b() ensures z > 0 { z := 1 }"
    )
    assert [each.span.line for each in found if each.span is not None] == [1, 1, 1, 1, 2, 2]
    assert {each.message for each in found} == {"undeclared identifier `z`"}
    (help_,) = {each.help for each in found}
    assert help_ is not None and "`returns (z: Int)`" in help_


def test_every_use_of_a_variable_that_is_declared_twice_is_an_error() -> None:
    text = "method m() {\n var z: Int\n var z: Int\n z := 1\n assert z == 1\n}"
    found = errors(text)
    assert [each.span.line for each in found if each.span is not None] == [3, 4, 5]
    assert [each.message for each in found[1:]] == ["ambiguous identifier `z`"] * 2


def test_what_stands_behind_a_label_with_such_a_name_is_not_overlooked() -> None:
    assert [each.message for each in errors("method m() {\n  label is a\n}")] != []
    assert [each.message for each in errors("method m() {\n  label bool c\n}")] != []


def test_axioms_read_no_fields() -> None:
    (found,) = errors(
        "field v: Bool\ndomain D { function g(x: Ref): Bool\n"
        "  axiom { forall x: Ref :: g(x) == x.v } }"
    )
    assert found.help is not None
    assert "`function value(x: Ref): Bool requires acc(x.v) { x.v }`" in found.help


def test_two_calls_in_an_expression_have_names_of_their_own() -> None:
    text = "method g(i: Int) returns (r: Int)\nmethod m() { var z: Int := g(1) + g(2) }"
    assert [each.help for each in errors(text)] == [
        "call the method in a statement of its own, `var value: Int := g(1)`, and use `value`",
        "call the method in a statement of its own, `var value2: Int := g(2)`, and use `value2`",
    ]
