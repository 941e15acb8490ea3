"""Binding strength and every form of expression."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.source.span import NO_SPAN, SourceFile
from pitviper.syntax import tree
from pitviper.syntax.parse.parser import parse_expression
from tests.unit.syntax.parsing import expr


def name(text: str) -> tree.Name:
    return tree.Name(text, span=NO_SPAN)


def ident(text: str) -> tree.Identifier:
    return tree.Identifier(text, span=NO_SPAN)


def type_(text: str, *args: tree.TypeName) -> tree.TypeName:
    return tree.TypeName(text, args or None, span=NO_SPAN)


A, B, C, D = map(name, "abcd")


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a ? b ? c : d : e", "a ? (b ? c : d) : e"),
        ("a <==> b ? c : d", "(a <==> b) ? c : d"),
        ("a <==> b <==> c", "a <==> (b <==> c)"),
        ("a ==> b <==> c", "(a ==> b) <==> c"),
        ("a ==> b ==> c", "a ==> (b ==> c)"),
        ("a ==> b ? c : d", "(a ==> b) ? c : d"),
        ("a --* b ==> c", "a --* (b ==> c)"),
        ("a --* b --* c", "a --* (b --* c)"),
        ("a --* b ? c : d", "a --* (b ? c : d)"),
        ("a ==> b --* c", "a ==> (b --* c)"),
        ("a || b --* c", "(a || b) --* c"),
        ("a == b --* c", "(a == b) --* c"),
        ("a && b || c && d", "(a && b) || (c && d)"),
        ("a == b && c != d", "(a == b) && (c != d)"),
        ("a == b == c", "a == (b == c)"),
        ("a == b != c", "a == (b != c)"),
        ("a < b == c < d", "(a < b) == (c < d)"),
        ("a + b < c - d", "(a + b) < (c - d)"),
        ("a in b ++ c", "a in (b ++ c)"),
        ("a subset b == c", "(a subset b) == c"),
        ("a union b subset c", "(a union b) subset c"),
        ("a subset b union c", "(a subset b) union c"),
        ("a - b - c", "(a - b) - c"),
        ("a - b + c ++ d", "((a - b) + c) ++ d"),
        ("a setminus b intersection c", "(a setminus b) intersection c"),
        ("a + b * c", "a + (b * c)"),
        ("a * b + c", "(a * b) + c"),
        ("a * b / c % d \\ e", "(((a * b) / c) % d) \\ e"),
        ("-a * b", "(-a) * b"),
        ("- a - - b", "(-a) - (-b)"),
        ("!a == b", "(!a) == b"),
        ("!a.f", "!(a.f)"),
        ("-a[0]", "-(a[0])"),
        ("!!a", "!(!a)"),
        ("a && forall x: Int :: b ==> c", "a && (forall x: Int :: (b ==> c))"),
        ("a ==> let x == (b) in c && d", "a ==> (let x == (b) in (c && d))"),
        ("unfolding P(a) in b == c", "unfolding P(a) in (b == c)"),
        ("1 + unfolding P(a) in b + c == d", "1 + (unfolding P(a) in ((b + c) == d))"),
        ("@a() x + y", "(@a() x) + y"),
        ("@a() x.f", "(@a() x).f"),
        ("|a| + |b|", "(|a|) + (|b|)"),
        ("||a| - 1|", "| (|a| - 1) |"),
        ("a --*b", "a --* b"),
        ("a-b", "a - b"),
    ],
)
def test_binding_strength(text: str, same_as: str) -> None:
    assert expr(text) == expr(same_as)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a - b - c", "a - (b - c)"),
        ("a == b == c", "(a == b) == c"),
        ("(a --* b) ==> c", "a --* b ==> c"),
        ("(a && b) && c", "a && b && c"),
        ("a && (b && c)", "a && b && c"),
        ("(a < b) < c", "a < b < c"),
        ("a < (b < c)", "a < b < c"),
        ("(!a).f", "!a.f"),
    ],
)
def test_parentheses_matter(one: str, other: str) -> None:
    assert expr(one) != expr(other)


def test_conjunctions_and_disjunctions_are_flat() -> None:
    assert expr("a && b && c") == tree.And((A, B, C), span=NO_SPAN)
    assert expr("a || b || c") == tree.Or((A, B, C), span=NO_SPAN)


def test_comparisons_chain() -> None:
    assert expr("a < b <= c in d") == tree.Comparison((A, B, C, D), ("<", "<=", "in"), span=NO_SPAN)
    assert expr("a >= b") == tree.Comparison((A, B), (">=",), span=NO_SPAN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", A),
        ("007", tree.IntLiteral(7, span=NO_SPAN)),
        ("true", tree.BoolLiteral(value=True, span=NO_SPAN)),
        ("false", tree.BoolLiteral(value=False, span=NO_SPAN)),
        ("null", tree.NullLiteral(span=NO_SPAN)),
        ("result", tree.ResultLiteral(span=NO_SPAN)),
        ("write", tree.PermLiteral("write", span=NO_SPAN)),
        ("none", tree.PermLiteral("none", span=NO_SPAN)),
        ("wildcard", tree.PermLiteral("wildcard", span=NO_SPAN)),
        ("epsilon", tree.PermLiteral("epsilon", span=NO_SPAN)),
        ("-a", tree.Unary("-", A, span=NO_SPAN)),
        ("!a", tree.Unary("!", A, span=NO_SPAN)),
        ("f()", tree.Call(ident("f"), (), span=NO_SPAN)),
        ("f(a, b)", tree.Call(ident("f"), (A, B), span=NO_SPAN)),
        ("a.b", tree.FieldAccess(A, ident("b"), span=NO_SPAN)),
        ("a[b]", tree.Index(A, B, span=NO_SPAN)),
        ("a[b := c]", tree.Update(A, B, C, span=NO_SPAN)),
        ("a[b..c]", tree.Slice(A, B, C, span=NO_SPAN)),
        ("a[b..]", tree.Slice(A, B, None, span=NO_SPAN)),
        ("a[..c]", tree.Slice(A, None, C, span=NO_SPAN)),
        ("|a|", tree.Cardinality(A, span=NO_SPAN)),
        ("[a..b)", tree.Range(A, B, span=NO_SPAN)),
        ("[a, b]", tree.InhaleExhale(A, B, span=NO_SPAN)),
        ("a ? b : c", tree.Conditional(A, B, C, span=NO_SPAN)),
        ("a --* b", tree.Wand(A, B, span=NO_SPAN)),
        ("Seq()", tree.CollectionLiteral("Seq", None, (), span=NO_SPAN)),
        ("Set[Int]()", tree.CollectionLiteral("Set", type_("Int"), (), span=NO_SPAN)),
        ("Multiset(a, b)", tree.CollectionLiteral("Multiset", None, (A, B), span=NO_SPAN)),
        ("Map()", tree.MapLiteral(None, (), span=NO_SPAN)),
        ("Map[Int, Ref]()", tree.MapLiteral((type_("Int"), type_("Ref")), (), span=NO_SPAN)),
        ("Map(a := b, c := d)", tree.MapLiteral(None, ((A, B), (C, D)), span=NO_SPAN)),
        ("domain(a)", tree.MapDomain(A, span=NO_SPAN)),
        ("range(a)", tree.MapRange(A, span=NO_SPAN)),
        ("old(a)", tree.Old(None, A, span=NO_SPAN)),
        ("old[l](a)", tree.Old(ident("l"), A, span=NO_SPAN)),
        ("old[lhs](a)", tree.Old(ident("lhs"), A, span=NO_SPAN)),
        ("let x == (a) in b", tree.Let(ident("x"), A, B, span=NO_SPAN)),
        ("applying (a --* b) in c", tree.Applying(tree.Wand(A, B, span=NO_SPAN), C, span=NO_SPAN)),
        ("asserting (a) in b", tree.Asserting(A, B, span=NO_SPAN)),
        ("new(*)", tree.New(None, span=NO_SPAN)),
        ("new()", tree.New((), span=NO_SPAN)),
        ("new(f, g)", tree.New((ident("f"), ident("g")), span=NO_SPAN)),
        ("#P(a)", tree.PredicateInstance(ident("P"), (A,), span=NO_SPAN)),
    ],
)
def test_atoms(text: str, expected: tree.Expr) -> None:
    assert expr(text) == expected


def test_permission_forms() -> None:
    location = tree.FieldAccess(A, ident("f"), span=NO_SPAN)
    instance = tree.Call(ident("P"), (A,), span=NO_SPAN)
    assert expr("acc(a.f)") == tree.Acc(location, None, span=NO_SPAN)
    assert expr("acc(P(a), b)") == tree.Acc(instance, B, span=NO_SPAN)
    assert expr("perm(a.f)") == tree.Perm(location, span=NO_SPAN)
    assert expr("perm(a --* b)") == tree.Perm(tree.Wand(A, B, span=NO_SPAN), span=NO_SPAN)
    assert expr("unfolding P(a) in b") == tree.Unfolding(instance, B, span=NO_SPAN)
    unfolding = tree.Unfolding(tree.Acc(instance, C, span=NO_SPAN), B, span=NO_SPAN)
    assert expr("unfolding acc(P(a), c) in b") == unfolding


def test_quantifiers_have_variables_and_triggers() -> None:
    found = expr("forall x: Int, y: Seq[Ref] :: { f(x), y } {} x == y")
    assert isinstance(found, tree.Quantifier)
    x = tree.VarBinding(ident("x"), type_("Int"), span=NO_SPAN)
    y = tree.VarBinding(ident("y"), type_("Seq", type_("Ref")), span=NO_SPAN)
    assert (found.kind, found.variables) == ("forall", (x, y))
    assert [len(trigger.exprs) for trigger in found.triggers] == [2, 0]
    assert found.body == expr("x == y")
    other = expr("exists x: D :: x")
    assert isinstance(other, tree.Quantifier)
    assert (other.kind, other.triggers) == ("exists", ())


@pytest.mark.parametrize(
    ("text", "type_args"),
    [
        ("forperm x: Ref [x.f] :: a", None),
        ("forperm x: D [x.f] :: a", None),
        ("forperm x: D[Int] [P(x)] :: a", (type_("Int"),)),
        ("forperm x: D[] [P(x)] :: a", ()),
        ("forperm x: D[Int] [s[0].f] :: a", (type_("Int"),)),
    ],
)
def test_forperm_tells_type_arguments_from_the_resource(
    text: str, type_args: tuple[tree.TypeName, ...] | None
) -> None:
    found = expr(text)
    assert isinstance(found, tree.ForPerm)
    assert found.variables[0].type.args == type_args
    assert isinstance(found.resource, tree.FieldAccess | tree.Call)


def test_a_call_in_parentheses_may_be_ascribed_a_type() -> None:
    call = tree.Call(ident("f"), (A,), span=NO_SPAN)
    ascription = tree.Ascription(call, type_("L", type_("Int")), span=NO_SPAN)
    assert expr("(f(a): L[Int])") == ascription
    assert expr("(f((a)): L[Int]).g == b") == tree.Binary(
        "==", tree.FieldAccess(ascription, ident("g"), span=NO_SPAN), B, span=NO_SPAN
    )
    assert expr("(f(a): L[Int] == b)") == tree.Binary("==", ascription, B, span=NO_SPAN)
    assert expr("c ? (f(a)) : b") == tree.Conditional(C, call, B, span=NO_SPAN)


def test_annotations_in_a_row_belong_to_one_atom() -> None:
    found = expr('@weight("3", "4") @a.b() (x + y)')
    assert isinstance(found, tree.AnnotatedExpr)
    keys = [(annotation.key, annotation.values) for annotation in found.annotations]
    assert keys == [("weight", ("3", "4")), ("a.b", ())]
    assert found.expr == expr("x + y")


def test_white_space_behind_an_opening_quote_does_not_count() -> None:
    found = expr('@a(" \n x y ") z')
    assert isinstance(found, tree.AnnotatedExpr)
    assert found.annotations[0].values == ("x y ",)


def test_suffixes_may_stand_on_the_next_line_but_arguments_may_not() -> None:
    assert expr("a\n.f\n[b]") == expr("a.f[b]")
    found, diagnostics = parse_expression(SourceFile(Path("t.vpr"), "f\n(a)"))
    assert found is None
    assert [d.code for d in diagnostics] == ["parser.error"]


@pytest.mark.parametrize("blanks", [" ", "   ", "\t"])
def test_blanks_in_front_of_arguments_give_a_warning(blanks: str) -> None:
    found, (warning,) = parse_expression(SourceFile(Path("t.vpr"), f"f{blanks}(a)"))
    assert found == expr("f(a)")
    assert warning.code == "parser.warning"
    assert warning.span is not None
    assert warning.span.text == blanks


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a +",
        "a b",
        "(a",
        "a)",
        "s[..]",
        "s[1 := 2, 3]",
        "Seq[Int](1)",
        "Map[Int, Int](a := b)",
        "Map(a)",
        "forall :: a",
        "forall x :: a",
        "forall x: Int : a",
        "let x == a in b",
        "applying a --* b in c",
        "acc(a)",
        "acc(a + b)",
        "acc(P(a), b, c)",
        "perm(a)",
        "unfolding P in a",
        "[a]",
        "[a..b]",
        "|a",
        "f(a,)",
        "f(,)",
        "old[](a)",
        "new(1)",
        "1.5",
        "a.0",
        "method",
        "perm",
        '"a"',
        '@a("") b',
        "@a b",
        "(a: Int)",
        "((f(a)): Int)",
        "g(f(a): Int)",
        "a <> b",
        "a => b",
        "#P",
    ],
)
def test_what_is_no_expression(text: str) -> None:
    found, diagnostics = parse_expression(SourceFile(Path("t.vpr"), text))
    assert found is None
    assert [d.code for d in diagnostics] == ["parser.error"]
