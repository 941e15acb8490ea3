"""Wrong programs that look right: none of them verifies, whichever engine is asked."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions

SELF = """
class C {
  int x;
  predicate P() { return acc(x) && acc(P(), none); }
  C() ensures P(); { }
  pure int f() requires P(); { return opening P() in f() + 1; }
  void m() requires P(); ensures P() && false;
  { int k := f(); open P(); close P(); assert f() == f() + 1; }
}
"""
HALF_SELF = """
class C {
  int x;
  predicate P() { return acc(x) && acc(P(), 0/1); }
  C() ensures P(); { }
  pure int f() requires acc(P(), 1/4); ensures result == 7; ensures result != 7;
  { return opening acc(P(), 1/4) in f(); }
}
C c := new C();
int k := c.f();
assert false;
"""
NOTHING_LEFT = """
class C {
  int x; int y;
  pure int f() requires acc(x) && acc(y, none); { return g() + 1; }
  pure int g() requires acc(x); { return f(); }
  void m() requires acc(x); ensures false; { int k := f(); int j := g(); assert k == j + 1; }
}
"""
PERHAPS_NOTHING_LEFT = """
class C {
  int x; int y;
  pure int f(int n) requires acc(x) && n >= 0 && acc(y, n/1); { return g() + 1; }
  pure int g() requires acc(x); { return f(0); }
  void m() requires acc(x); ensures false; { int k := f(0); int j := g(); assert k == j + 1; }
}
"""
OPENED_AND_INSIDE = """
class C {
  int x;
  predicate P() { return acc(x); }
  pure int g() requires acc(P(), wildcard) && acc(x, wildcard); ensures false; { return f() + 1; }
  pure int f() requires acc(P(), wildcard); ensures false;
  { return opening acc(P(), wildcard) in g(); }
}
"""
SHRINKING = """
class C {
  int x;
  predicate P() { return acc(x); }
  pure int g(int n) requires n > 0 && acc(P(), 1/n) && acc(x, 1/n); { return f(n) + 1; }
  pure int f(int n) requires n > 0 && acc(P(), 1/n); { return opening acc(P(), 1/(2*n)) in g(2*n); }
}
"""
BEHIND_AN_INTERFACE = """
interface I { void f() decreases 0; }
class A implements I { void f() { I i := this; i.f(); } }
"""
OWN_MEASURE = """
interface I { void f(int n) requires n >= 0; decreases n; }
class A implements I {
  void f(int n) requires n >= 0; decreases 2 * n + 1; { I i := this; i.f(n); }
}
"""
THROUGH_ANOTHER = """
interface I { void f(int n) requires n >= 0; decreases n; }
class A implements I {
  void f(int n) { this.g(n); }
  void g(int n) requires n >= 0; decreases n + 1; { I i := this; i.f(n); }
}
"""
ENDLESS = (SELF, HALF_SELF, NOTHING_LEFT, PERHAPS_NOTHING_LEFT, OPENED_AND_INSIDE, SHRINKING,
           BEHIND_AN_INTERFACE, OWN_MEASURE, THROUGH_ANOTHER)  # fmt: skip

TWO = "class C { int x; } class D { int y; } "
OTHER_CLASSES = (
    TWO + "class M { void m(Object o) requires o != null; "
    "{ assert exists seq<D> s :: s[0..] == s && |s| == 1 && s[0] == o; } }",
    TWO + "Object o := new C(); seq<D> s :| |s| == 1 && s[0] == o; D d := s[0]; assert false;",
    TWO + "Object o := new C(); set<D> s :| |s| == 1 && (forall D e in s :: e == o);",
    TWO + "C c := new C(); assert exists /* of all */ D d :: d != null;",
    "interface I { pure int f(); } class A implements I { pure int f() { return 1; } } class Z { }"
    " Object o := new Z(); seq<I> s :| |s| == 1 && s[0] == o; I i := s[0]; assert i.f() == 1;",
    "class A { void m(C[] c, D[] d) requires c != null && d != null && acc(c.elems, 1/2) && "
    "acc(d.elems, 1/2) && c.length > 0; { assert false; } } " + TWO,
)
NAMES_OF_OURS = (
    "class array { pure int length() ensures result == 5; { return 5; } }"
    " int[] a := new int[3]; assert a.length == 5;",
    "class array { pure int length() { return 5; }"
    " void m() { int[] a := new int[3]; assert a.length == 5; } }",
    "int[] i := new int[3]; assert i.length == 4;",
    "class C { int m(int end) ensures result == end; { if (end > 0) { return end; } return 1; } }",
)
STATES = (
    "class A { int x; predicate v() { return acc(x); } void m(bool b) requires v();"
    " ensures v() && (b ==> untouched(v())); { if (b) { x := x + 1; } } }",
    "class A { int x; int y; predicate v() { return acc(x); } void m() requires v() && acc(y);"
    " ensures v() && acc(y) && untouched(v() && acc(y)); { y := y + 1; } }",
    "class A { int x; void m(int n) requires acc(x); ensures acc(x) && x >= 0;"
    " { if (n > 0) { x := n; } else { x := -n - 1; } join acc(x) && x >= 0; } }",
    "class A { void m(int n) requires n > 0; { int k := n - 1; join true; assert k > 0; } }",
    "class A { int x; void m() requires acc(x); ensures acc(x) && x == old(x) + 1;"
    " { x :| x == old(x); } }",
    "class A { int x; void m() requires acc(x); ensures acc(x) && x == old(x); { x := *; } }",
)
PERMISSIONS = (
    "class A { int x; predicate v() { return acc(x, 1/2) && x > 0; } void m() requires v() &&"
    " acc(x, 1/2); ensures v() && acc(x, 1/2); { x := 0; } }",
    "class A { int x; predicate v() { return acc(x, 1/2); } void m(A o) requires v() && o != null"
    " && o.v(); ensures v() && o.v() && this != o; { } }",
    "class A { int x; void m(int n) requires n > 0 && acc(x, 1/n);"
    " ensures acc(x, 1/(n+1)) && acc(x, 1/(n+1)); { } }",
    "class A { int x; } class B { int x; void m(A a) requires a != null && acc(a.x);"
    " ensures acc(this.x); { } }",
    "class A { A n; predicate l() { return acc(n) && (n != null ==> n.l()); }"
    " void m() requires l(); ensures l(); { n := this; } }",
    "class A { int x; void m(seq<A> s) requires |s| == 2 && s[0] != null && s[0] == s[1] &&"
    " acc(s[0].x); ensures forall int i in 0..|s| :: acc(s[i].x); { } }",
)
ARRAYS = (
    "int[][] m := new int[2][3]; m[1] := m[0]; m[0][0] := 5; assert m[1][0] == 0;",
    "int[][] m := new int[2][]; m[0][0] := 1;",
    "int[][] m := new int[2][2]; int[] r := m[0]; r[0] := 3; assert m[0][0] == 0;",
    "class A { int[] a; void m() requires acc(a) && a != null && acc(a.elems) && a.length == 3;"
    " ensures acc(a) && a != null && acc(a.elems) && (forall int i in 0..a.length ::"
    " a[i] == old(a[i])); { a := new int[3]; } }",
    "class A { void m(int n) requires n < 0; { assert exists int i in 0..n :: true; } }",
)


def is_verified(text: str, backend: str) -> bool:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    if not done.front.accepted:
        return False
    return all(member.verdict.value == "verified" for member in done.members.values())


WRONG = (*ENDLESS, *OTHER_CLASSES, *NAMES_OF_OURS, *STATES, *PERMISSIONS, *ARRAYS)


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("number", range(len(WRONG)))
def test_nothing_wrong_is_verified(number: int, backend: str) -> None:
    assert not is_verified(WRONG[number], backend)


RIGHT = (
    "class N { int v; N next; int step(N h) requires acc(next) && next == h && h != null &&"
    " acc(h.v); ensures acc(next) && next == null && acc(h.v) && result == 4;"
    " { next := null; return 4; } void m(N h) requires acc(next) && next == h && h != null &&"
    " acc(h.v); ensures acc(next) && acc(h.v) && h.v == 4; { next.v := step(h); } }",
    "class C { int x; void m() requires acc(x); ensures acc(x) && x == old(x) + 1;"
    " { x :| x == old(x) + 1; } }",
    "seq<int> t :| |t| == 3 && t[1] == 7; assert t[1] == 7;",
    "class D { } seq<D> t :| |t| == 2; assert |t| == 2;",
    "interface I { void f(int n) requires n >= 0; decreases n; }"
    " class A implements I { void f(int n) { if (n > 0) { I i := this; i.f(n - 1); } } }"
    " class B implements I { void f(int n) { } }",
    "class C { int x; C next; predicate l() { return acc(x) && acc(next) &&"
    " (next != null ==> next.l()); } pure bool even() requires l();"
    " { return next == null ? true : next.odd(); } pure bool odd() requires l();"
    " { return next == null ? false : next.even(); } }",
)


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("number", range(len(RIGHT)))
def test_what_looks_alike_and_is_right_is_verified(number: int, backend: str) -> None:
    assert is_verified(RIGHT[number], backend)
