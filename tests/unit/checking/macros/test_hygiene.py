"""Names that an expansion declares: they capture nothing and clash with nothing."""

from __future__ import annotations

import pytest

from tests.unit.checking.macros.macro_texts import check, warnings


@pytest.mark.smoke
def test_bound_variables_are_renamed_where_the_name_is_taken() -> None:
    check(
        """
        define all(s, v) forall i: Int :: 0 <= i && i < |s| ==> s[i] == v
        method m(s: Seq[Int], i: Int) requires all(s, i) && all(s, i + 1)
        method n(s: Seq[Int]) requires all(s, 1) && all(s, 2)
        """,
        """
        method m(s: Seq[Int], i: Int)
          requires (forall i$0: Int :: 0 <= i$0 && i$0 < |s| ==> s[i$0] == i)
            && (forall i$1: Int :: 0 <= i$1 && i$1 < |s| ==> s[i$1] == i + 1)
        method n(s: Seq[Int])
          requires (forall i: Int :: 0 <= i && i < |s| ==> s[i] == 1)
            && (forall i$0: Int :: 0 <= i$0 && i$0 < |s| ==> s[i$0] == 2)
        """,
    )


def test_an_argument_is_never_captured() -> None:
    check(
        """
        define all(x) forall i: Int :: i == x
        method m() { assert all(let i == (1) in i) }
        method n() { assert all(i) }
        method o() { assert all(indirectly) }
        define indirectly i
        """,
        """
        method m() { assert forall i$0: Int :: i$0 == (let i == (1) in i) }
        method n() { assert forall i$0: Int :: i$0 == i }
        method o() { assert forall i$0: Int :: i$0 == i }
        """,
    )


def test_an_argument_is_not_captured_two_macros_deeper() -> None:
    check(
        """
        define outer(x) exists k: Int :: inner(x + k)
        define inner(x) forall k: Int :: k == x
        method m() { assert outer(k) }
        method n(i: Int) { assert outer(i) }
        """,
        """
        method m() { assert exists k$0: Int :: forall k$1: Int :: k$1 == k + k$0 }
        method n(i: Int) { assert exists k: Int :: forall k$0: Int :: k$0 == i + k }
        """,
    )


def test_names_of_members_are_taken() -> None:
    check(
        """
        define all forall f: Int :: let g == (f) in f == g
        field f: Int
        domain D { function g(): Int }
        method m() requires all
        """,
        """
        field f: Int
        domain D { function g(): Int }
        method m() requires forall f$0: Int :: let g$0 == (f$0) in f$0 == g$0
        """,
    )


def test_a_variable_declared_anywhere_in_the_member_is_taken() -> None:
    check(
        """
        define fresh() { var x: Int }
        method m() { fresh()  assert forall x: Int :: true }
        method n() { fresh()  fresh()  x := 1 }
        """,
        """
        method m() { var x$0: Int  assert forall x: Int :: true }
        method n() { var x: Int  var x$0: Int  x := 1 }
        """,
    )


def test_a_chosen_name_avoids_names_with_numbers() -> None:
    check(
        "define all forall i: Int :: i > 0  method m(i: Int, i$0: Int) requires all",
        "method m(i: Int, i$0: Int) requires forall i$1: Int :: i$1 > 0",
    )


def test_local_variables_of_a_macro() -> None:
    check(
        """
        define swap(a, b) { var t: Int := a  a := b  b := t }
        method m(t: Int) returns (x: Int, y: Int) { swap(x, y)  swap(y, x) }
        """,
        """
        method m(t: Int) returns (x: Int, y: Int) {
          var t$0: Int := x  x := y  y := t$0
          var t$1: Int := y  y := x  x := t$1
        }
        """,
    )


def test_scopes_of_variables_inside_a_body() -> None:
    check(
        """
        define S { x := 1  { var x: Int  x := 2 }  x := 3  var x: Int := x  x := 4 }
        method m(x: Int) { S }
        """,
        """
        method m(x: Int) {
          x := 1
          { var x$0: Int  x$0 := 2 }
          x := 3
          var x$1: Int := x
          x$1 := 4
        }
        """,
    )


def test_all_binders_declare() -> None:
    check(
        """
        define S(x) {
          quasihavocall r: Ref :: r == x ==> r.f
          assert forperm r: Ref [r.f] :: r == x
          assert exists r: Ref :: { g(r) } let s == (r) in r == s
        }
        method m(r: Ref, s: Ref) { S(r) }
        """,
        """
        method m(r: Ref, s: Ref) {
          quasihavocall r$0: Ref :: r$0 == r ==> r$0.f
          assert forperm r$1: Ref [r$1.f] :: r$1 == r
          assert exists r$2: Ref :: { g(r$2) } let s$0 == (r$2) in r$2 == s$0
        }
        """,
    )


def test_labels_are_renamed_with_all_their_uses() -> None:
    check(
        """
        define S(e) { if (e) { goto l }  assert old[l](e)  label l invariant e }
        method m(l: Bool) { S(l)  S(l) }
        method n() { S(true)  goto l }
        """,
        """
        method m(l: Bool) {
          if (l) { goto l$0 }  assert old[l$0](l)  label l$0 invariant l
          if (l) { goto l$1 }  assert old[l$1](l)  label l$1 invariant l
        }
        method n() {
          if (true) { goto l }  assert old[l](true)  label l invariant true
          goto l
        }
        """,
    )


def test_a_label_handed_on_to_another_macro() -> None:
    check(
        """
        define outer { inner(l)  label l }
        define inner(t) { goto t  x.l := 1 }
        method m(x: Ref) { outer  outer }
        """,
        "method m(x: Ref) { goto l  x.l := 1  label l  goto l$0  x.l := 1  label l$0 }",
    )


def test_a_binder_hides_a_parameter() -> None:
    text = "define M(i) forall i: Int :: i > 0\nmethod m() { assert M(5) }"
    check(text, "method m() { assert forall i: Int :: i > 0 }")
    assert warnings(text) == [(1, "macro `M` does not use its parameter `i`")]


def test_a_binder_in_a_body_hides_a_macro() -> None:
    check(
        "define i 5  define M forall i: Int :: i > 0  method m() { assert M }",
        "method m() { assert forall i: Int :: i > 0 }",
    )


def test_a_variable_with_the_name_of_a_macro_is_warned_of() -> None:
    text = """
        define i 5
        method m(s: Seq[Int])
        { assert forall i: Int :: i > 0 }
        function f(i: Int): Int
    """
    message = "variable `i` has the name of a macro, which its uses expand"
    assert warnings(text) == [(4, message), (5, message)]
