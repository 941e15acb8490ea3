"""Names: what is visible, what clashes, what is renamed."""

from __future__ import annotations

import pytest

from tests.unit.checking.check_texts import accepted, complaints, errors, found, lowered, messages


def clashes(text: str) -> list[int]:
    """The lines of errors about duplicate names, when there are no others."""
    problems = found(text)
    words = ("duplicate identifier", "ambiguous", "Duplicate identifier")
    assert all(message.startswith(words) for _, _, message in problems)
    return [line for _, line, message in problems if "uplicate" in message]


@pytest.mark.smoke
def test_no_shadowing_of_variables() -> None:
    assert clashes("method m(a: Int, a: Int)") == [1]
    assert clashes("method m(a: Int) returns (a: Int)") == [1]
    assert clashes("method m(a: Int) {\n var a: Int }") == [2]
    assert clashes("method m() { var a: Int\n if (true) {\n var a: Int } }") == [3]
    assert clashes("method m() { if (true) { var a: Int }\n var a: Int }") == [2]
    assert clashes("method m(a: Int)\n requires forall a: Int :: a > 0") == [2]
    assert clashes("method m() { assert let a == (0) in\n let a == (1) in true }") == [2]
    assert clashes("method m() { assert forall a: Int :: true\n var a: Int }") == [2]
    assert clashes("method m() { var a: Int\n quasihavocall a: Ref :: a.f }\nfield f: Int") == [2]


def uses(text: str) -> list[int]:
    """The lines of errors about names that have several meanings."""
    return [line for _, line, message in found(text) if message.startswith("ambiguous")]


def test_a_use_of_a_name_with_two_meanings_is_ambiguous() -> None:
    assert uses("method m(a: Int, a: Int)\n requires\n a > 0") == [3]
    assert uses("method m(a: Int) { var a: Int\n a := 1\n a := 1 +\n a }") == [2, 3, 4]
    assert uses("method m(a: Int) { if (true) { var a: Int }\n assert a > 0 }") == []
    assert uses("field f: Int\nfield f: Int\nmethod m(x: Ref)\n requires acc(x.f)") == [4]
    assert uses("field f: Int\nfield f: Int\nmethod m() { var x: Ref :=\n new(f) }") == [4]
    assert uses("method n(i: Int)\nmethod n(i: Int)\nmethod m() {\n n(1) }") == [4]
    assert uses("function n(): Int\nmethod n()\nmethod m() { assert\n n() == 1 }") == []
    functions = "function n(): Int\nfunction n(): Int\nmethod m() { var x: Int :=\n"
    assert uses(functions + " n() }") == [4]
    assert uses("predicate n()\nfunction n(): Int\nmethod m() { exhale\n n()\n fold n() }") == [4]
    assert uses("predicate n()\npredicate n()\nmethod m() {\n fold n() }") == [4]
    assert uses("domain D { }\ndomain D { }\nmethod m(\n d: D)") == [4]
    adt = "adt T { A(x: Int) B(x: Int) }\nadt U { C(x: Int) }\nmethod m(t: T) { assert\n t.x"
    assert uses(adt + " == 1 }") == [4]


def test_sibling_scopes_may_share_names() -> None:
    text = """
        method m(b: Bool) requires forall i: Int :: i > 0 ensures forall i: Int :: i > 0 {
          if (b) { var i: Int } else { var i: Int }
          while (b) { var i: Int }
          { assert forall i: Int :: true }
          assert (forall i: Int :: true) && (forall i: Int :: true)
          assert (let i == (0) in i == 0) && (let i == (1) in i == 1)
        }
    """
    assert found(text) == []


def test_members_share_one_name_space() -> None:
    assert clashes("field a: Int\nmethod a()") == [2]
    assert clashes("field a: Int, a: Int") == [1]
    assert clashes("domain D { function D(): Int }") == [1]
    assert clashes("domain D { axiom A { true }\n axiom A { true } }") == [2]
    assert clashes("adt T { A()\n A() }") == [2]
    assert clashes("function a(): Int\npredicate b()\nmethod a()\nmethod b()") == [3, 4]


def test_a_local_like_a_member_is_reported_at_the_later_one() -> None:
    assert clashes("field a: Int\nmethod m(a: Int)") == [2]
    assert clashes("method m(a: Int)\nfield a: Int") == [2]
    assert clashes("method m() { var a: Int }\nmethod n() { var a: Int }\nfield a: Int") == [3]
    assert clashes("function a(): Int\nmethod m() { assert forall a: Int :: a > 0 }") == [2]
    assert clashes("domain D { axiom { forall a: Int :: a > 0 }\n function a(): Int }") == [2]


def test_arguments_of_constructors_clash_with_members_and_each_other() -> None:
    assert clashes("adt T { A(v: Int)\n B(v: Int) }") == [2]
    assert clashes("adt T { A(v: Int) }\nfield v: Int") == [2]
    assert clashes("field v: Int\nadt T { A(v: Int) }") == [2]
    assert clashes("adt T { A(v: Int) }\nadt U { B(v: Int) }\nmethod m(v: Int)") == []


def test_a_discriminator_reserves_its_name() -> None:
    text = "adt T {\n A()\n B() }\nfield isA: Int\nadt U { C(isB: Int) }"
    assert [line for _, line, _ in found(text)] == [2, 3]


def test_labels_clash_with_variables_only() -> None:
    assert clashes("method m(a: Int) {\n label a }") == [2]
    assert clashes("method m() { label a\n var a: Int }") == [2]
    assert clashes("method m() { label m }") == [1]
    assert clashes("method m() { if (true) { label a } else { var a: Int } }") == []


def test_parameters_of_domain_functions_clash_only_with_each_other() -> None:
    assert found("field a: Int\ndomain D { function g(a: Int, Int, b: Int): Int }") == []
    assert [line for _, line, _ in found("domain D { function g(a: Int, a: Int): Int }")] == [1]


def test_variables_are_visible_from_their_declaration_to_the_end_of_the_block() -> None:
    assert complaints("v := 1\nvar v: Int") == [
        (1, "undeclared identifier `v`, expected parameter or local variable")
    ]
    assert complaints("if (b) { var v: Int } else { k := v }\nk := v") == [
        (1, "undeclared identifier `v`"),
        (2, "undeclared identifier `v`"),
    ]
    assert complaints("var v: Int := v + 1") == []
    assert messages("(let v == (0) in true) && v == 0") == ["undeclared identifier `v`"]
    assert messages("let v == (v) in true") == ["undeclared identifier `v`"]
    text = "method m()\n requires v > 0\n ensures v > 0 { var v: Int }"
    assert [line for _, line, _ in found(text)] == [2, 3]


def test_invariants_do_not_see_the_locals_of_the_body() -> None:
    assert complaints("while (b)\n invariant v\n { var v: Bool }") == [
        (2, "undeclared identifier `v`")
    ]


def test_the_second_local_of_a_name_is_renamed() -> None:
    body = "if (b) { var v: Int; v := 1 } else { var v: Bool; v := true }"
    assert [line.strip() for line in lowered(body)] == [
        "if (b) {",
        "var v: Int",
        "v := 1",
        "} else {",
        "var v$1: Bool",
        "v$1 := true",
        "}",
    ]


def test_new_names_are_not_those_of_others() -> None:
    body = "{ var v: Int }\n{ var v: Int }\n{ var v$1: Int }"
    declared = [line.strip() for line in lowered(body) if "var" in line]
    assert declared == ["var v: Int", "var v$2: Int", "var v$1: Int"]
    text = "field v$1: Int\nmethod m() { { var v: Int } { var v: Int } }"
    assert "v$2" in repr(accepted(text).methods["m"].body)


def test_misspelt_names_get_a_suggestion() -> None:
    text = "field value: Int\nmethod m(left: Ref) { var r: Int := lefft.value\n r := left.valeu }"
    assert [d.help for d in errors(text)] == ["did you mean `left`?", "did you mean `value`?"]


def test_names_of_another_kind_are_explained() -> None:
    text = "field f: Int\nfunction g(): Int\nmethod m() { var r: Int := g\n r := f\n r := r() }"
    assert [d.help for d in errors(text)] == [
        "did you mean to call it: `g()`?",
        "`f` is a field: write `e.f`",
        "`r` is a variable, which cannot be called",
    ]
