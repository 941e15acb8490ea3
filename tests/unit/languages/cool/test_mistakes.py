"""What people write who come from Java: one message at its place, with a cure in their words."""

from __future__ import annotations

import pytest

import pitviper

CLASS = "class C { int x; C n; int[] a;\nMEMBER\n}"

STATEMENTS = [
    ("int y = 3;", "=", "write `:=`"),
    ("this.x = 3;", "=", "write `:=`"),
    ("x += 1;", "=", "write `x := x + 1`"),
    ("x += 1; x -= 2; if (x > 3) { }", "=", "write `x := x + 1`"),
    ("++x;", "++", "write `x++;`"),
    ("if (x = 3) { }", "=", "write `==`"),
    ("if (x === 3) { }", "=", "write `==`"),
    ("bool b := x <> 1;", ">", "write `!=`"),
    ("bool b := x > 1 and x < 3;", "and", "write `&&`"),
    ("bool b := x > 1 & x < 3;", "&", "write `&&`"),
    ("bool b := x > 1 | x < 3;", "|", "write `||`"),
    ("bool b := not(x > 1);", "not(x > 1)", "write `!`"),
    ("bool b := x && true;", "x", "write `x != 0`"),
    ("bool b := n instanceof C;", "instanceof", "pure method"),
    ("C c := (C) n;", "C", "interface"),
    ("C c := new C;", ";", "`new C()`"),
    ("C c := C();", "C()", "`new C(...)`"),
    ("int[] b := new int(3);", "new int(3)", "`new int[n]`"),
    ("int[] b := {1, 2};", "{", "`new int[3]`"),
    ("int b[] := new int[3];", "[", "`int[] b`"),
    ("int k := a.length();", "a.length()", "`a.length`"),
    ("int k := a[1, 2];", ",", "`a[i][j]`"),
    ("int k := 0x1F;", "x1F", "leave out"),
    ("int k := x ** 2;", "*", "`x * x`"),
    ("int k := true;", "true", "`true ? 1 : 0`"),
    ("int k := x == 1 ? 2;", ";", "`c ? a : b`"),
    ("int k := Math.max(1, 2);", "Math", "`a > b ? a : b`"),
    ("System.out.println(3);", "System", "`assert`"),
    ("String s := null;", "String", "no strings"),
    ("double d := 1;", "double", "`int`"),
    ("for (int i = 0; i < 3; i++) { }", "for", "`int i := 0; while (i < 3) invariant"),
    ("for (int i := 0; i < x; i++) { x := x + i; }", "for", "`int i := 0; while (i < x) inv"),
    (
        "for (int i := 0; i < x; i++) invariant 0 <= i; invariant i <= x; decreases x - i; { }",
        "for",
        "`int i := 0; while (i < x) inv",
    ),
    ("throw new C();", "throw", "no exceptions"),
    ("break;", "break", "condition of the loop"),
    ("this := null;", "this", "its fields"),
    ("return 3;", "return 3;", "`void`"),
    ("y := 1;", "y", "declare `y`"),
    ("foo();", "foo()", "declare it in `C`"),
    ("assert forall i :: i > 0;", "i", "`forall int i in 0..n :: condition`"),
]

MEMBERS = [
    ("int y = 3;", "=", "in the constructor"),
    ("public void m() { }", "public", "leave `public` out"),
    ("D() { }", "D", "`C(...)` for a constructor"),
    ("void C() { }", "C", "constructor"),
    ("void m() throws D { }", "throws", "no exceptions"),
    ("void m() modifies x; { }", "modifies", "`requires acc(x);`"),
    ("void m() ensures acc(x) && x = 3; { }", "=", "write `==`"),
    ("void m() ensures \\old(x) == 1; { }", "\\", "`old(x)`"),
    ("@Override void m() { }", "@", "leave it out"),
    ("invariant x > 0;", "invariant", "`predicate valid()"),
    ("List<int> l;", "<", "`seq<int>`"),
    ("predicate v() { acc(x) }", "}", "`return acc(x);`"),
    ("pure int g() { int k := 1; return k; }", "{ int k := 1; return k; }", "one expression"),
    ("int g() { return 1; } void m() requires g() == 1; { }", "g()", "`pure int g(...)`"),
    ("int g() { return 1; } void m() { int k := g() + 1; }", "g()", "`int x := g();`"),
    ("void m(int k) { int[][] b := new int[k][3]; }", "k", "`new int[k][]`"),
    ("C() { return 1; }", "return 1;", "write `return;`: `new` gives the object itself"),
    ("int g() { return; }", "return;", "`void` in place of the type"),
]

FILES = [
    ("class C extends D { }", "extends", "`implements`"),
    ("class C implements D { }", "D", "`interface D"),
    ("class C() { }", "(", "its constructor has"),
    ("abstract class C { }", "abstract", "leave it out"),
    ("public class C { }", "public", "leave `public` out"),
    ("import java.util.List; class C { }", "import", "leave it out"),
    ("void m() { }", "void", "methods stand in classes"),
    ("class C { void m() { } } }", "}", "leave it out"),
    ("interface I { int x; }", "int x", "`pure int x();`"),
    ("interface I { void m() { } }", "{ }", "into its classes"),
    ("interface I { void m(); } class A implements I { int m() { return 1; } }", "m", "`void m()`"),
    ("interface I { } I i := new I();", "new I()", None),
    ("Object o := new Object(); o.foo();", "o.foo()", "its class"),
    ("class C { } return 3;", "return 3;", "write `return;`"),
]


@pytest.mark.parametrize(
    ("text", "place", "cure"),
    [
        *[(CLASS.replace("MEMBER", f"void m() {{ {s} }}"), at, cure) for s, at, cure in STATEMENTS],
        *[(CLASS.replace("MEMBER", member), at, cure) for member, at, cure in MEMBERS],
        *FILES,
    ],
)
def test_a_mistake_has_its_place_and_a_cure(text: str, place: str, cure: str | None) -> None:
    done = pitviper.verify(text, name="it.cool")
    assert not done.front.accepted
    first = done.diagnostics[0]
    assert first.span is not None
    assert first.span.text == place, first.message
    assert cure is None or cure in (first.help or ""), first.help


def test_more_than_all_permission_is_warned_of() -> None:
    done = pitviper.verify("class C { int x; void m() requires acc(x, 2); { } }", name="it.cool")
    assert ["more than all" in d.message for d in done.diagnostics] == [True]
    fine = pitviper.verify("class C { int x; void m() requires acc(x, 2/3); { } }", name="it.cool")
    assert fine.diagnostics == ()


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("assert a[0][1] == 0 && a.length == 2 && a[1].length == 3;", "verified"),
        ("a[0][1] := 5; assert a[0][1] == 5 && a[1][1] == 0;", "verified"),
        ("assert a[0] != a[1];", "verified"),
        ("a[0][1] := 5; assert a[1][1] == 5;", "refuted"),
        ("a[0] := a[1]; a[0][0] := 1; assert a[1][0] == 0;", "refuted"),
        ("a[0][3] := 1;", "refuted"),
        ("int[][][] b := new int[2][2][]; assert b[1][0] == null;", "verified"),
        ("int k :| k > 3 && k < 5; assert k == 4;", "verified"),
        ("int k :| k > 3 && k < 4; assert k == 4;", "refuted"),
        ("int[] c; int k := c.length;", "refuted"),
    ],
)
@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_arrays_of_arrays_and_choices_are_declared_at_once(
    text: str, verdict: str, backend: str
) -> None:
    from pitviper.driver.verify.options import VerifyOptions

    whole = f"int[][] a := new int[2][3];\n{text}"
    done = pitviper.verify(whole, name="it.cool", options=VerifyOptions(backend=backend))
    assert done.members["main"].verdict.value == verdict, done.diagnostics
    assert not any("array.length" in f.message for m in done.members.values() for f in m.findings)


@pytest.mark.parametrize(
    ("comment", "cure"),
    [
        ("//@ requires acc(x);", "write it without `//@`: `requires acc(x);`"),
        ("/*@ ensures x == 1; @*/", "write it without `/*@`: `ensures x == 1;`"),
        ("//@ loop_invariant x > 0;", "write it without `//@`: `invariant x > 0;`"),
        ("//@\tassert x > 0;", "write it without `//@`: `assert x > 0;`"),
        ("// requires acc(x);", None),
        ("//@ author somebody", None),
    ],
)
def test_a_contract_in_a_comment_is_warned_of(comment: str, cure: str | None) -> None:
    text = f"class C {{ int x;\n{comment}\nvoid m() {{ }} }}"
    for whole in (text, text.replace("{ }", "{ y := 1; }")):
        found = [
            d for d in pitviper.verify(whole, name="it.cool").diagnostics if d.help is not None
        ]
        told = [d for d in found if "stands in a comment, so it is not checked" in d.message]
        assert [d.help for d in told] == ([] if cure is None else [cure])
        assert [d.span.text for d in told if d.span] == ([] if cure is None else [comment])


@pytest.mark.parametrize("kind", ["seq", "set"])
def test_a_collection_of_nothing_is_a_mistake_with_a_cure(kind: str) -> None:
    text = f"class C {{ {kind} all(int a) {{ return seq<int>(a); }} }}"
    (only,) = pitviper.verify(text, name="c.cool").problems
    assert (only.message, only.help) == (
        f"`{kind}` has no element type",
        f"say of what: `{kind}<int>`",
    )


def test_a_type_that_is_not_there_is_one_mistake() -> None:
    text = """class C { Foo x; C() ensures acc(x); { x := null; }
  Foo get(int a) requires acc(x); ensures acc(x) && result == old(x) && result.y > 0; { return x; }
  void put(Foo f) requires acc(x); { Foo g := get(1); x := f; assert g.z == 1; f.run(); }
}
"""
    problems = pitviper.verify(text, name="c.cool").problems
    assert {problem.message for problem in problems} == {"there is no class `Foo`"}


def test_what_contradicts_itself_is_named_in_words_of_the_language() -> None:
    text = """class Pair { Object first; Object second;
  Pair(Object a, Object b) ensures valid() && fst() == a && snd() == b;
  { first := a; second := b; }
  predicate valid() { return acc(first) && acc(second); }
  pure Object fst() requires valid(); { return first; }
  pure Object snd() requires valid(); { return second; }
  void swap() ensures valid() && fst() == old(snd()) && snd() == old(fst());
  { Object t := first; first := second; second := t; }
}
Pair p := new Pair(null, null); Pair q := new Pair(p, null); q.swap(); assert q.snd() == p;
"""
    problems = pitviper.verify(text, name="c.cool").problems
    told = [p.help or "" for p in problems if "is never reached" in p.message]
    assert told and all(told)
    assert not any(word in help_ for help_ in told for word in ("[]", "inhale"))


def test_null_may_be_looked_for_in_a_collection_of_objects() -> None:
    text = "class C { void m(set<C> s, seq<C> t) requires null in s; { assert ASKED; } }"
    right = pitviper.verify(text.replace("ASKED", "null in s"), name="it.cool")
    assert right.front.accepted
    assert not right.findings
    done = pitviper.verify(text.replace("ASKED", "null in t"), name="it.cool")
    assert done.front.accepted
    assert [finding.error for finding in done.findings] == ["assert.failed"]


def test_an_array_of_numbers_is_told_with_its_article() -> None:
    text = CLASS.replace("MEMBER", "void m(int[] b) { int k := b; }")
    (told,) = pitviper.verify(text, name="it.cool").diagnostics
    assert told.message.startswith("this is an `int[]`")
