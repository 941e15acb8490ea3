"""Macros: what their uses expand to."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.checking.macros.replace import expand_macros
from pitviper.source.span import SourceFile
from pitviper.syntax import tree
from pitviper.syntax.parse.parser import parse_file
from pitviper.syntax.walk import descendants
from tests.unit.checking.macros.macro_texts import check, expand, warnings

# ---------------------------------------------------------------- what stays as it is


def test_without_macros_the_members_are_the_same_objects() -> None:
    source = SourceFile(Path("test.vpr"), "field f: Int\nmethod m() { m() }")
    members = parse_file(source).tree.members
    assert expand_macros(members).members is members


def test_members_without_uses_are_the_same_objects() -> None:
    text = """
        define A 1
        domain D[T] { function g(x: T): Int  axiom { forall x: T :: { g(x) } g(x) > 0 } }
        method m(x: Ref) returns (y: Int)
          requires acc(x.f) && let z == (1) in z > 0
        {
          var a: Int := 2
          if (a > 0) { m2(a) } elseif (a < 0) { label l } else { goto l }
          while (true) invariant old[l](a) == 1 { x := new(f) }
        }
    """
    parsed = parse_file(SourceFile(Path("test.vpr"), text))
    expanded = expand_macros(parsed.tree.members)
    assert len(expanded.members) == 2
    assert expanded.members[0] is parsed.tree.members[1]
    assert expanded.members[1] is parsed.tree.members[2]


def test_names_that_are_no_macros_stay() -> None:
    check(
        "define A 1  method m() { x := A + B + f(C) }",
        "method m() { x := 1 + B + f(C) }",
    )


# ---------------------------------------------------------------- expressions


@pytest.mark.smoke
def test_expression_macro_with_parameters() -> None:
    check(
        """
        define inside(s, i) 0 <= i && i < |s|
        method m(s: Seq[Int], k: Int) requires inside(s, k + 1) { assert s[k + 1] == 0 }
        """,
        """
        method m(s: Seq[Int], k: Int) requires 0 <= k + 1 && k + 1 < |s| { assert s[k + 1] == 0 }
        """,
    )


def test_arguments_are_not_pasted_as_text() -> None:
    check(
        "define twice(x) 2 * x  function f(a: Int): Int { twice(a + 1) }",
        "function f(a: Int): Int { 2 * (a + 1) }",
    )


def test_macros_in_bodies_of_macros_and_in_arguments() -> None:
    check(
        """
        define A(x) B(x) && B(C)
        define B(x) x > C
        define C 7
        function f(a: Int): Bool { A(C - a) }
        """,
        "function f(a: Int): Bool { (7 - a > 7) && (7 > 7) }",
    )


def test_a_use_inside_its_own_argument_is_no_recursion() -> None:
    check(
        "define next(x) x + 1  function f(a: Int): Int { next(next(next(a))) }",
        "function f(a: Int): Int { a + 1 + 1 + 1 }",
    )


def test_macros_in_all_members_and_everywhere_in_them() -> None:
    check(
        """
        define ONE 1
        define AND(a, b) a && b
        predicate P(x: Ref) { AND(acc(x.f), x.f == ONE) }
        domain D { function g(i: Int): Int  axiom { g(ONE) == ONE } }
        function f(x: Int): Int requires x > ONE ensures result >= ONE decreases x - ONE if x > ONE
        method m(x: Ref) returns (r: Int)
        {
          var s: Seq[Int] := Seq(ONE, 2)[ONE := ONE][ONE..ONE]
          while (r > ONE) invariant r > ONE { r := r - ONE }
          label l invariant r == ONE
          r := old[l](x.f + ONE)
          if (r == ONE) { m2(ONE) } elseif (r > ONE) { m2(2) } else { refute r < ONE }
          quasihavoc r == ONE ==> x.f
          inhale forall i: Int :: { g(i + ONE) } i > ONE ==> [i == ONE, true]
        }
        """,
        """
        predicate P(x: Ref) { acc(x.f) && x.f == 1 }
        domain D { function g(i: Int): Int  axiom { g(1) == 1 } }
        function f(x: Int): Int requires x > 1 ensures result >= 1 decreases x - 1 if x > 1
        method m(x: Ref) returns (r: Int)
        {
          var s: Seq[Int] := Seq(1, 2)[1 := 1][1..1]
          while (r > 1) invariant r > 1 { r := r - 1 }
          label l invariant r == 1
          r := old[l](x.f + 1)
          if (r == 1) { m2(1) } elseif (r > 1) { m2(2) } else { refute r < 1 }
          quasihavoc r == 1 ==> x.f
          inhale forall i: Int :: { g(i + 1) } i > 1 ==> [i == 1, true]
        }
        """,
    )


def test_free_variables_of_a_body_are_those_of_the_use() -> None:
    check(
        "define POSITIVE x > 0  method m(x: Int) requires POSITIVE",
        "method m(x: Int) requires x > 0",
    )


def test_locations_in_acc_and_perm() -> None:
    check(
        """
        define cell(r) r.f
        define P() Q(1)
        method m(x: Ref)
          requires acc(cell(x), 1/2) && acc(P())
        { assert perm(cell(x)) == perm(P()) && perm(W()) == none }
        define W() true --* true
        """,
        """
        method m(x: Ref)
          requires acc(x.f, 1/2) && acc(Q(1))
        { assert perm(x.f) == perm(Q(1)) && perm(true --* true) == none }
        """,
    )


def test_resources_of_fold_unfolding_package_and_apply() -> None:
    check(
        """
        define P(r) Q(r)
        define W acc(x.f) --* P(x)
        method m(x: Ref)
        {
          fold P(x)
          unfold acc(P(x), write)
          package W { fold P(x) }
          apply W
          assert unfolding P(x) in x.f == 1
          assert applying (W) in true
        }
        """,
        """
        method m(x: Ref)
        {
          fold Q(x)
          unfold acc(Q(x), write)
          package acc(x.f) --* Q(x) { fold Q(x) }
          apply acc(x.f) --* Q(x)
          assert unfolding Q(x) in x.f == 1
          assert applying (acc(x.f) --* Q(x)) in true
        }
        """,
    )


# ---------------------------------------------------------------- statements


@pytest.mark.smoke
def test_statements_are_spliced_without_a_scope() -> None:
    check(
        """
        define push(s, v) { s := Seq(v) ++ s }
        define start { var n: Int := 0  push(t, n) }
        method m() { var t: Seq[Int]  start  n := n + 1 }
        """,
        """
        method m() {
          var t: Seq[Int]
          var n: Int := 0
          t := Seq(n) ++ t
          n := n + 1
        }
        """,
    )


def test_an_empty_statement_macro_leaves_nothing() -> None:
    check(
        "define nothing() {}  method m() { nothing() }",
        "method m() { }",
    )


def test_blocks_inside_a_statement_macro() -> None:
    check(
        """
        define loop(c) { while (c) invariant c { { step(c) } } if (c) { step(1) } else { n() } }
        define step(x) { exhale x == x }
        method m(b: Bool) { loop(b) }
        """,
        """
        method m(b: Bool) {
          while (b) invariant b { { exhale b == b } }
          if (b) { exhale 1 == 1 } else { n() }
        }
        """,
    )


def test_a_macro_that_is_a_call_can_be_a_statement() -> None:
    check(
        "define M n(1)  define N(x) M  method m() { M  N(2) }",
        "method m() { n(1)  n(1) }",
    )


def test_a_parameter_can_stand_for_a_statement() -> None:
    check(
        """
        define twice(s) { s  s }
        define step { x := x + 1 }
        method m(x: Int) { twice(step)  twice(n(x)) }
        """,
        "method m(x: Int) { x := x + 1  x := x + 1  n(x)  n(x) }",
    )


def test_targets_of_assignments() -> None:
    check(
        """
        define cell(r) r.f
        define result_ y
        define set(a, b) { a := b }
        method m(x: Ref) returns (y: Int) {
          cell(x) := 1
          result_ := 2
          result_, cell(x) := n()
          set(cell(x), 3)
        }
        """,
        """
        method m(x: Ref) returns (y: Int) {
          x.f := 1
          y := 2
          y, x.f := n()
          x.f := 3
        }
        """,
    )


def test_annotations_of_a_use_hold_for_its_statements() -> None:
    check(
        'define two { a := 1  @k("x") b := 2 }  method m() { @k("y") two }',
        'method m() { @k("y") a := 1  @k("y") @k("x") b := 2 }',
    )


# ---------------------------------------------------------------- local macros


def test_local_macros_are_visible_in_the_whole_method() -> None:
    check(
        """
        method m(x: Int)
          requires LOCAL
        {
          use
          while (x > 0) { define LOCAL x > 1  define use { assert LOCAL } }
        }
        method n(LOCAL: Bool) requires LOCAL
        """,
        """
        method m(x: Int)
          requires x > 1
        {
          assert x > 1
          while (x > 0) { }
        }
        method n(LOCAL: Bool) requires LOCAL
        """,
    )


def test_a_local_macro_hides_what_has_its_name() -> None:
    text = """
        define A 1
        predicate P(x: Ref)
        method m() { define A 2
          define P(x) x == A
          assert P(3) }
        method n() { assert A == 1 && P(null) }
    """
    check(
        text,
        """
        predicate P(x: Ref)
        method m() { assert 3 == 2 }
        method n() { assert 1 == 1 && P(null) }
        """,
    )
    assert warnings(text) == [
        (4, "inside this method, macro `A` hides the declaration of that name"),
        (5, "inside this method, macro `P` hides the declaration of that name"),
    ]


# ---------------------------------------------------------------- names as macros


def test_a_macro_that_is_a_name_can_be_any_identifier() -> None:
    check(
        """
        define callee g
        define part f
        define place l
        define List D
        method m(x: Ref, y: List, z: Seq[List], w: List[Int])
        {
          label place
          goto place
          x.part := callee(x, old[place](x.part))
          x := new(part, h)
          assert #callee(x) == #callee(x)
        }
        """,
        """
        method m(x: Ref, y: D, z: Seq[D], w: D[Int])
        {
          label l
          goto l
          x.f := g(x, old[l](x.f))
          x := new(f, h)
          assert #g(x) == #g(x)
        }
        """,
    )


def test_a_field_may_be_named_like_another_macro() -> None:
    check(
        "define f acc(x.f)  field f: Int  method m(x: Ref) requires f { label f }",
        "field f: Int  method m(x: Ref) requires acc(x.f) { label f }",
    )


def test_types_with_arguments() -> None:
    check(
        """
        define Lists List[List]
        define all(T, p) forall i: T :: p(i)
        function f(x: Lists): Bool { all(D, g) && all(Lists, g) }
        """,
        """
        function f(x: List[List]): Bool {
          (forall i: D :: g(i)) && (forall i$0: List[List] :: g(i$0))
        }
        """,
    )


def test_parameters_as_identifiers() -> None:
    check(
        """
        define apply_to(h, x) h(x)
        define jump(target) { goto target  label target }
        define field_of(r, name) r.name
        define indirect(t) { jump(t) }
        method m(r: Ref) {
          jump(somewhere)
          indirect(elsewhere)
          assert apply_to(g, 1) && apply_to(twice, 2) && field_of(r, val) == 1
        }
        define twice(x) x == x
        """,
        """
        method m(r: Ref) {
          goto somewhere
          label somewhere
          goto elsewhere
          label elsewhere
          assert g(1) && 2 == 2 && r.val == 1
        }
        """,
    )


# ---------------------------------------------------------------- places


def test_expressions_have_the_place_of_the_use_and_statements_their_own() -> None:
    expanded = expand("""
        define outer(x) inner(x) &&
          (forall i: Int :: { g(i) } x > i)
        define inner(x) x.f == old(x.f)
        define both(x) {
          var y: Int := x
          @a("b") assert inner(x)
        }
        method m(a: Ref) {
          assert outer(a
            .next)
          both(a)
        }
    """)
    method = expanded.members[0]
    assert isinstance(method, tree.Method) and method.body is not None
    first, second, third = method.body.statements
    assert isinstance(first, tree.AssertionStatement)
    assert first.span.text.startswith("assert outer(a")
    use = first.assertion.span
    assert use.text.split() == ["outer(a", ".next)"]
    assert all(node.span == use for node in descendants(first.assertion))
    assert second.span.text == "var y: Int := x"
    assert isinstance(second, tree.VarDeclaration) and second.init is not None
    assert (second.init.span.text, second.init.span.line) == ("a", third.span.line + 5)
    assert isinstance(third, tree.AssertionStatement)
    assert third.span.text == "assert inner(x)"
    assert {node.span.text for node in descendants(third.assertion)} == {"inner(x)"}
