"""What findings advise, with either verifier: the rules look at the program only."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.finding import negated

LIST = """
field val: Int
field next: Ref
predicate list(x: Ref) { acc(x.val) && acc(x.next) && (x.next != null ==> list(x.next)) }
function size(x: Ref): Int requires list(x)
  { unfolding list(x) in 1 + (x.next == null ? 0 : size(x.next)) }
"""

CASES = (
    (
        "method m(s: Set[Ref], n: Ref) requires forall r: Ref :: r in s ==> acc(r.next)\n"
        "  requires forall r: Ref :: r in s ==> acc(r.val)\n"
        "  requires forall r: Ref :: r in s ==> r.next in s\n"
        "  requires n in s { exhale acc(n.val)\n assert n.next.val == 1 }",
        "`exhale acc(n.val)`, gave `n.val` away, and `n.next` may be `n`: say first that it is "
        "not, `n.next != n`",
    ),
    (
        "method m(s: Set[Ref], a: Ref) requires forall r: Ref :: r in s ==> (list(r) --* list(r))\n"
        "  requires list(a) { apply list(a) --* list(a) }",
        "for each `r` with `r in s`, and whether `a in s` is not known: say it first, "
        "`requires a in s`",
    ),
    (
        "method m(a: Ref, b: Ref) requires list(a) && list(b) { var c: Ref := a\n"
        "  package list(c) --* list(c)\n  c := b\n  apply list(c) --* list(c) }",
        "is about the value that `c` had there, and line 9 changed it",
    ),
    (
        "method m(a: Ref, b: Ref) { package true --* acc(list(a), none) && acc(a.val) }",
        "ask for it, `requires acc(a.val)`, or put it on the left",
    ),
    (
        "method m(a: Ref, b: Ref) requires acc(a.next) && (acc(b.val) --* list(a.next)) {\n"
        "  package acc(b.val) --* true { apply acc(b.val) --* list(a.next) } }",
        "`var kept: Ref := a.next` before the `package`",
    ),
    ("method m(a: Ref) requires list(a) {\n  a.val := 1\n}", "`unfold list(a)` before line 8"),
    ("method m(a: Ref) requires list(a) { assert a.val == 1 }", "`unfolding list(a) in ...`"),
    (
        "method m(a: Ref, b: Bool) requires list(a) { if (b) { a.val := 1 } }",
        "`unfold list(a)` right before `a.val := 1`",
    ),
    (
        "method m(a: Ref, b: Bool) requires list(a) { if (b) { } elseif (a.val > 0) { } }",
        "write `unfolding list(a) in ...`",
    ),
    (
        "method m(a: Ref) requires acc(list(a), 1/2) { unfold acc(list(a), 1/2)\n a.val := 1 }",
        "`requires list(a)` in place of `acc(list(a), 1/2)`, and `unfold list(a)`",
    ),
    (
        "method m(a: Ref) requires acc(a.val, 1/2) ensures acc(a.val) { }",
        "only a part of the permission is there, and more is promised",
    ),
    ("method m(a: Ref) { exhale acc(a.val) }", "or `unfold` an instance of `list` that contains"),
    ("method m(a: Ref) { a.val := 1 }", "whole permission: `requires acc(a.val)`"),
    ("method m(a: Ref) { var i: Int := a.val }", "`acc(a.val, 1/2)`"),
    ("method m(a: Ref) requires acc(a.val, 1/2) { a.val := 1 }", "only a part of the permission"),
    ("method m(a: Ref, b: Bool) requires b ==> acc(a.val) { a.val := 1 }", "only if `b`"),
    (
        "method m(s: Set[Ref], a: Ref) requires forall r: Ref :: r in s ==> acc(r.val)\n"
        "{ a.val := 1 }",
        "for all `r` with `r in s`: ask for that, `requires a in s`",
    ),
    ("method m(i: Int) { var y: Int := i\n y := 2\n assert old(y) == i }", "`old(y)` is `y`"),
    (
        "method g() returns (y: Int)\nmethod m() { var z: Int\n z := g()\n assert z > 0 }",
        "`g` (line",
    ),
    (
        "method m(n: Int) { var i: Int := 0\n while (i < n) { i := i + 1 }\n assert i >= 0 }",
        "after the loop of line 8",
    ),
    ("method m(n: Int) decreases { while (n > 0) { } }", "`decreases n - i`"),
    ("method m() { assert exists i: Int :: i * i == 40401 }", "does not guess values"),
    ("method m(p: Perm, a: Ref) requires acc(a.val, p) { }", "`p > none`"),
    ("method p(i: Int) requires i < 10\nmethod m() { p(11) }", "`11 < 10` is not true"),
    ("method m() { var a: Ref := new(val)\n fold list(a) }", "`a := new(val, next)`"),
    ("method m(a: Ref) requires a.val > 0 { }", "write `acc(a.val) &&` before"),
    (
        "method m(a: Ref) ensures old(a.val) > 0 { }",
        "at the end of the precondition, `&& acc(a.val)`",
    ),
    (
        "method m(n: Int) { var i: Int := 0\n while (i < n) invariant i < n { i := i + 1 } }",
        "`requires 0 < n`",
    ),
    (
        "method m(n: Int) { var i: Int := 0\n while (i < n) invariant i < n { i := i + 1 } }",
        "as in `i <= n`",
    ),
    ("method m() { assert exists i: Int :: i * i == 40401 }", "`i == ... && ...`"),
    (
        "method use(x: Ref) requires acc(x.val)\n"
        "method m(a: Ref) requires acc(a.val) { use(a)\n a.val := 1 }",
        "let `use` give it back: `ensures acc(x.val)`",
    ),
    (
        "method m(a: Ref) requires acc(a.val) { while (a.val < 3) { a.val := 3 } }",
        "add `invariant acc(a.val)`",
    ),
    (
        "method m(a: Ref) requires acc(a.val) { exhale acc(a.val)\n a.val := 1 }",
        "line 7 gives it away",
    ),
    (
        "method m(a: Ref) requires list(a) ensures list(a) { unfold list(a) }",
        "`fold list(a)` at the end of the body",
    ),
    (
        "method m(a: Ref) requires list(a) { unfold list(a)\n a.next.val := 1 }",
        "`list(a.next)`",
    ),
    ("method m(a: Ref) requires a.val > 0 && acc(a.val) { }", "too late"),
    (
        "method m(i: Int) returns (y: Int) { y := i + 1\n assert old(y) == i }",
        "a result has no value at the start",
    ),
    (
        "method m(i: Int) { inhale i == 3\n assert i == 4 }",
        "something that follows from `i == 3` (line 7)",
    ),
    (
        "adt L { Nil() Cons(hd: Int, tl: L) }\n"
        "function len(l: L): Int ensures result >= 0 { l.isNil ? 0 : 1 + len(l.tl) }\n"
        "method m(l: L) requires len(l) == 1 { assert l.tl.isNil }",
        "`assert` first what `len(l.tl)` is",
    ),
    (
        "domain O { function lt(i: Int, j: Int): Bool\n"
        "  axiom { forall i: Int, j: Int, k: Int :: lt(i, j) && lt(j, k) ==> lt(i, k) } }\n"
        "method m(i: Int, j: Int) requires lt(i, j) { assert lt(j, i) }",
        "are the arguments in the right order? Compare it with `lt(i, j)`",
    ),
    (
        "domain E { function even(i: Int): Bool axiom { even(0) } }\n"
        "method m(i: Int, j: Int) requires even(i) { assert even(j) }",
        "nothing says what `j` is: ask for it, `requires even(j)`",
    ),
    (
        "method m(n: Int) { var i: Int := 0\n while (i < n) decreases i { i := i + 1 } }",
        "write `decreases n - i`",
    ),
    (
        "method m(n: Int) { var i: Int := n\n while (0 < i) decreases n { i := i - 1 } }",
        "write `decreases i`",
    ),
    (
        "method m(a: Ref) returns (r: Int) requires acc(a.val, 1/2) ensures r == a.val\n"
        "{ r := a.val }",
        "is gone at the end unless `ensures` gives it back",
    ),
    (
        "predicate P(x: Ref) { acc(x.val) && x.val > 0 }\n"
        "method m(a: Ref) requires acc(a.val) { fold P(a) }",
        "`requires a.val > 0` after the permissions",
    ),
)

SILENT = (
    ("method m(i: Int) requires i > 0 { assert i < 0 }", "precondition"),
    (
        "adt L { Nil() Cons(hd: Int, tl: L) }\n"
        "function len(l: L): Int ensures result >= 0 { l.isNil ? 0 : 1 + len(l.tl) }\n"
        "method m(l: L) requires len(l) == 1 { assert l.hd == 3 }",
        "len(l.hd)",
    ),
    (
        "predicate P(x: Ref) { acc(x.val) && x.val > 0 }\n"
        "method m(a: Ref) requires acc(a.val) && a.val == 0 { fold P(a) }",
        "`requires a.val > 0`",
    ),
    (
        "method m(n: Int) { var i: Int := 0\n while (i < n) decreases i { i := i } }",
        "write `decreases",
    ),
)
"""Programs, with advice that would be wrong."""


@pytest.mark.parametrize(("text", "wrong"), SILENT)
def test_no_wrong_advice(text: str, wrong: str) -> None:
    advice = [finding.advice or "" for finding in pitviper.verify(LIST + text).findings]
    assert advice and not any(wrong in said for said in advice), advice


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_advice(text: str, wanted: str, backend: str) -> None:
    outcome = pitviper.verify(LIST + text, options=VerifyOptions(backend=backend))
    advice = [finding.advice or "" for finding in outcome.findings]
    assert any(wanted in said for said in advice), advice


def test_formals_stand_beside_arguments() -> None:
    text = "method p(x: Int) requires x < 10\nmethod m() { p(11) }"
    (finding,) = pitviper.verify(text).findings
    assert finding.notes == ("here `x` is `11`",)


def test_the_message_has_the_words_of_the_source() -> None:
    text = "adt L { N() C(h: Int) }\nmethod m(l: L) { assert l.h / 2 == 3 }"
    (finding,) = pitviper.verify(text).findings
    assert finding.message.endswith("Assertion l.h / 2 == 3 might not hold.")


@pytest.mark.parametrize(
    ("text", "negation"),
    [
        ("x != null", "x == null"),
        ("i < |s|", "!(i < |s|)"),
        ("i < n", "i >= n"),
        ("b", "!b"),
        ("a && b", "!(a && b)"),
        ("x.f == 3 ==> b", "!(x.f == 3 ==> b)"),
    ],
)
def test_negations_as_people_write_them(text: str, negation: str) -> None:
    assert negated(text) == negation
