"""The printer: canonical text, minimal parentheses, no dependence on depth."""

from __future__ import annotations

from typing import get_args

import pytest

from pitviper.source.span import NO_SPAN
from pitviper.syntax.print import expressions
from pitviper.syntax.print.printer import (
    print_expr,
    print_file,
    print_member,
    print_stmt,
    print_type,
)
from pitviper.syntax.tree import And, Binary, Expr, Name, TypeName, Unary
from tests.unit.syntax.parsing import expr, member, parsed, stmt

CANONICAL = r"""
x
-1
!!a
--x
-x.f
!(a && b)
f(x, g())
(f(x): Seq[Int])
(f(): D[]).g
a.b.c[i][j..k][..k][j..].d
s[i := v][0]
(-x).f
(a + b).f
a - b - c
a - (b - c)
a * b / c % d \ e
a * (b / c)
(a + b) * c
-(a + b) * c
a == b == c
(a == b) == c
a < b <= c in s
(a < b) < c
a < (b < c)
a subset b + c == d
a && b && c
a && (b && c)
(a && b) && c
(a || b) && c
a && b || c && d
a ==> b ==> c
(a ==> b) ==> c
a <==> b <==> c
(a <==> b) <==> c
a ==> b --* c ==> d
(a --* b) ==> c
a --* b --* c
(a --* b) --* c
a --* c ? d : e
(a --* c) ? d : e
c ? d ? e : f : g
(c ? d : e) ? f : g
(forall x: Int :: a) && b
a && (forall x: Int :: a) && b
a && forall x: Int :: a
!(forall x: Int :: a) && b
a ==> unfolding P(x) in b ==> c
a + (let x == (1) in x) + b
let x == ((f(): T)) in x
c ? forall x: Int :: a : b
| |s| + |t| |
|a || b| || |c|
[0..n)
[0..n)[1]
[acc(x.f), true]
Seq[Int]()
Multiset(1, 2)
Map[Int, Seq[D[T, U]]]()
Map(1 := a, 2 := b ? c : d)
domain(m) union range(m)
acc(x.f)
acc(P(x), 1/2)
1/2 / 3
-1 / 2
a * 1 / 2
a - 1/2
1 / 2.f
@a() 1 / 2
|1/2|
perm(a --* b)
perm(x.f) == none
old[l](x.f) + old[lhs](y.g) + old(z)
forall x: Int, y: Seq[T] :: {f(x), g(y)} {h(x)} x > 0 ==> f(x)
exists x: Ref :: x.f == 1
forperm x: D [P(x)] :: false
forperm x: D[Int], y: Ref [x.f --* y.f] :: true
unfolding acc(P(x), wildcard) in x.f
applying (a --* b) in c
applying ((a ==> b)) in c
asserting (a) in b
new(*)
new(f, g)
#P(x, y)
@a() x.f
(@a() x + y).f
@a("1") @b.c("2", "3") forall x: Int :: x > 0
@a() (@b() x)
@a() (forall x: Int :: x > 0) && b
"""


@pytest.mark.smoke
@pytest.mark.parametrize("text", CANONICAL.strip().split("\n"))
def test_canonical_text_of_expressions(text: str) -> None:
    assert print_expr(expr(text)) == text


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("((a))", "a"),
        ("(a + b) + c", "a + b + c"),
        ("a ==> (b ==> c)", "a ==> b ==> c"),
        ("a --* (b ==> c)", "a --* b ==> c"),
        ("a && (forall x: Int :: b)", "a && forall x: Int :: b"),
        ("(a.b)[0]", "a.b[0]"),
        ("||s| - 1|", "| |s| - 1|"),
        ("007", "7"),
        ("f (x)", "f(x)"),
        ("Map( )", "Map()"),
        ('@a("  v") x', '@a("v") x'),
        ("(f(x): T && a)", "(f(x): T) && a"),
    ],
)
def test_what_is_not_kept(written: str, printed: str) -> None:
    assert print_expr(expr(written)) == printed
    assert expr(printed) == expr(written)


STATEMENTS = [
    "var x: Int, y: Seq[Ref] := m(1)",
    "x, y.f := m(a, b)",
    "x := new(*)",
    "m()",
    "M",
    "(@a() x.f) := 1",
    "(|s|.f) := 1",
    "refute a",
    "unfold acc(P(x), 1/2)",
    "package a --* b",
    "package (a ==> b) {\n  fold P(x)\n}",
    "apply a --* b",
    "if (a) {} elseif (b) {} else {}",
    "if (a) {\n  x := 1\n} elseif (b) {} elseif (c) {\n  x := 2\n} else {\n  x := 3\n}",
    "while (a) {\n  x := 1\n}",
    "while (a)\n  invariant b\n  decreases x, y if c\n{}",
    "label l",
    "label l\n  invariant a\n  invariant b",
    "goto l",
    "quasihavoc a ==> x.f",
    "quasihavocall x: Ref :: P(x)",
    "define M (a + b) * c",
    "define M() a",
    "define M(x, y) {\n  x := y\n}",
    '@a("1")\n@b()\nassert a',
    "{\n  x := 1\n  {}\n}",
    "{\n  assert a\n  (b + c).f := c\n}",
    "{\n  assert a;\n  [0..n)[1].f := c\n}",
    "{\n  package a --* b;\n  {}\n  package a --* b {}\n  {}\n}",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_canonical_text_of_statements(text: str) -> None:
    assert print_stmt(stmt(text)) == text


MEMBERS = [
    'import "a b.vpr"',
    "import <decreases/all.vpr>",
    "field f: Int, g: Seq[Ref]",
    "method m()",
    "method m() {}",
    "method m(x: Int) returns ()",
    "method m(x: Int) returns (y: Int)\n  requires a\n  decreases *\n  ensures b\n{\n  y := x\n}",
    "method m()\n  decreases\n  decreases _ if a\n  decreases if b\n  decreases (_), x",
    "function f(x: Int): Int",
    "function f(x: Int): Int {\n  x + 1\n}",
    "function f(x: Int): Int\n  requires x > 0\n{\n  x + 1\n}",
    "predicate P()",
    "predicate P(x: Ref) {\n  acc(x.f)\n}",
    "define M (a + b) * c",
    "define M(x) x + 1",
    '@opaque()\n@k("v", "w")\nfunction f(): Int',
    "domain D {}",
    'domain D[T, U] interpretation (SMTLIB: "(a b)", Boogie: "c") {\n'
    "  function f(x: T, U): D[T, U]\n"
    '  unique function c(): Int interpretation "#b0"\n'
    "  axiom {\n    true\n  }\n"
    "  @a()\n  axiom ax {\n    forall x: T :: f(x, x) == x\n  }\n}",
    "adt L[T] {\n  Nil()\n  @a()\n  Cons(head: T, tail: L[T])\n}",
    "adt L {} derives {}",
    "adt L {\n  Nil()\n} derives {\n  contains\n  contains[Int] without a, b\n}",
]


@pytest.mark.parametrize("text", MEMBERS)
def test_canonical_text_of_members(text: str) -> None:
    assert print_member(member(text)) == text


def test_files_have_empty_lines_between_members() -> None:
    text = 'import "a"\nimport "b"\n\nfield f: Int\nfield g: Int\n\nmethod m()\n\nmethod n()\n'
    assert print_file(parsed(text).tree) == text
    assert print_file(parsed("").tree) == ""


def test_types() -> None:
    int_ = TypeName("Int", span=NO_SPAN)
    assert print_type(int_) == "Int"
    assert print_type(TypeName("D", (), span=NO_SPAN)) == "D[]"
    assert print_type(TypeName("Map", (int_, int_), span=NO_SPAN)) == "Map[Int, Int]"


def test_long_lines_are_broken_at_the_loosest_operators() -> None:
    long = "some_quite_long_name_of_a_function_that_fills_the_line"
    text = (
        f"method m(x: Ref)\n"
        f"  requires a ==>\n"
        f"    {long}(x) &&\n"
        f"    {long}(x) ==\n"
        f"      {long}(x, {'y' * 30})\n"
        f"{{\n"
        f"  x.f := c\n"
        f"    ? {long}(x)\n"
        f"    : {long}(y)\n"
        f"}}"
    )
    assert print_member(member(" ".join(text.split()))) == text


def test_a_long_line_of_arguments_is_filled() -> None:
    numbers = ", ".join(map(str, range(1000, 1030)))
    text = print_stmt(stmt(f"x := Seq({numbers})"))
    lines = text.split("\n")
    assert len(lines) == 2
    assert 90 < len(lines[0]) <= 100
    assert stmt(text) == stmt(f"x := Seq({numbers})")


def test_depth_and_length_do_not_matter() -> None:
    x = Name("x", span=NO_SPAN)
    deep: Expr = x
    for _ in range(20_000):
        deep = Unary("-", Binary("+", deep, x, span=NO_SPAN), span=NO_SPAN)
    assert print_expr(deep).count("(") == 20_000
    left: Expr = x
    for _ in range(20_000):
        left = Binary("+", left, x, span=NO_SPAN)
    assert print_expr(left) == " + ".join(["x"] * 20_001)
    assert len(print_expr(And((x,) * 100_000, span=NO_SPAN))) == 500_000 - 4


def test_every_class_of_expressions_has_pieces() -> None:
    assert set(expressions._PIECES) == set(get_args(Expr))
