"""Every form of statement and of contract clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.source.span import NO_SPAN, SourceFile
from pitviper.syntax import tree
from pitviper.syntax.parse.parser import parse_file
from pitviper.syntax.token import KEYWORDS, SMOKE_KEYWORDS
from tests.unit.syntax.parsing import body, error, expr, member, stmt, where


@pytest.mark.smoke
def test_assignments() -> None:
    assert stmt("x := a + b") == tree.Assign((expr("x"),), expr("a + b"), span=NO_SPAN)
    assert stmt("x.f := a") == tree.Assign((expr("x.f"),), expr("a"), span=NO_SPAN)
    several = stmt("x, y.f, z := m(a)")
    assert several == tree.Assign((expr("x"), expr("y.f"), expr("z")), expr("m(a)"), span=NO_SPAN)
    assert stmt("M(x) := 1") == tree.Assign((expr("M(x)"),), expr("1"), span=NO_SPAN)
    assert stmt("x := new(f)") == tree.Assign((expr("x"),), expr("new(f)"), span=NO_SPAN)
    assert stmt("(x).f := a") == stmt("x.f := a")


def test_bare_calls_and_names() -> None:
    assert stmt("m(a)") == tree.ExprStatement(expr("m(a)"), span=NO_SPAN)
    assert stmt("MACRO") == tree.ExprStatement(expr("MACRO"), span=NO_SPAN)


def test_a_parenthesis_on_a_new_line_begins_a_statement() -> None:
    first, second = body("assume a\n(b).f := c")
    assert first == stmt("assume a")
    assert second == stmt("b.f := c")


def test_declarations() -> None:
    found = stmt("var x: Int, y: Seq[Ref] := m()")
    assert isinstance(found, tree.VarDeclaration)
    assert [(v.name.name, v.type.name) for v in found.variables] == [("x", "Int"), ("y", "Seq")]
    assert found.init == expr("m()")
    plain = stmt("var x: D[]")
    assert isinstance(plain, tree.VarDeclaration)
    assert (plain.init, plain.variables[0].type.args) == (None, ())


@pytest.mark.parametrize("kind", ["inhale", "exhale", "assert", "assume", "refute"])
def test_assertions(kind: str) -> None:
    found = stmt(f"{kind} acc(x.f) && b")
    assert isinstance(found, tree.AssertionStatement)
    assert (found.kind, found.assertion) == (kind, expr("acc(x.f) && b"))


@pytest.mark.parametrize("kind", ["fold", "unfold"])
@pytest.mark.parametrize("resource", ["P(x)", "acc(P(x), 1/2)", "P()"])
def test_fold_and_unfold(kind: str, resource: str) -> None:
    found = stmt(f"{kind} {resource}")
    assert isinstance(found, tree.FoldUnfold)
    assert (found.kind, found.resource) == (kind, expr(resource))


def test_wand_statements() -> None:
    assert stmt("apply a --* b") == tree.Apply(expr("a --* b"), span=NO_SPAN)
    assert stmt("apply M") == tree.Apply(expr("M"), span=NO_SPAN)
    assert stmt("package a --* b") == tree.Package(expr("a --* b"), None, span=NO_SPAN)
    found = stmt("package a --* b { fold P(x) }")
    assert isinstance(found, tree.Package)
    assert found.script == tree.Block((stmt("fold P(x)"),), span=NO_SPAN)


def test_conditionals() -> None:
    found = stmt("if (a) { b() } elseif (c) { } else { d() }")
    assert isinstance(found, tree.If)
    assert (found.condition, found.then.statements) == (expr("a"), (stmt("b()"),))
    inner = found.otherwise
    assert isinstance(inner, tree.If)
    assert inner.condition == expr("c")
    assert inner.otherwise == tree.Block((stmt("d()"),), span=NO_SPAN)
    plain = stmt("if (a) { }")
    assert isinstance(plain, tree.If)
    assert plain.otherwise is None


def test_loops() -> None:
    found = stmt("while (a) invariant b; invariant c decreases x, y if d { e() }")
    assert isinstance(found, tree.While)
    assert found.condition == expr("a")
    assert found.specs == (
        tree.Clause("invariant", expr("b"), span=NO_SPAN),
        tree.Clause("invariant", expr("c"), span=NO_SPAN),
        tree.Decreases("tuple", (expr("x"), expr("y")), expr("d"), span=NO_SPAN),
    )
    assert found.body.statements == (stmt("e()"),)


def test_labels_and_gotos() -> None:
    found = stmt("label l invariant a; invariant b")
    assert isinstance(found, tree.Label)
    assert (found.name.name, len(found.invariants)) == ("l", 2)
    assert len(body("label l; x := 1")) == 2
    assert len(body("label l invariant a; x := 1")) == 2
    assert stmt("goto l") == tree.Goto(tree.Identifier("l", span=NO_SPAN), span=NO_SPAN)


def test_blocks_and_semicolons() -> None:
    assert len(body("x := 1; y := 2 z := 3; { a() }; var b: Int;")) == 5
    assert stmt("{ }") == tree.Block((), span=NO_SPAN)
    assert where(error("method m() { x := 1;; }")) == (1, 21)


def test_quasihavoc() -> None:
    assert stmt("quasihavoc x.f") == tree.Quasihavoc(expr("x.f"), span=NO_SPAN)
    assert stmt("quasihavoc c ==> P(x)") == tree.Quasihavoc(expr("c ==> P(x)"), span=NO_SPAN)
    found = stmt("quasihavocall x: Ref, y: Int :: c ==> P(x, y)")
    assert isinstance(found, tree.QuasihavocAll)
    assert [v.name.name for v in found.variables] == ["x", "y"]
    assert found.operand == expr("c ==> P(x, y)")


@pytest.mark.parametrize(
    ("text", "params", "body_text"),
    [
        ("define M a + b", None, "a + b"),
        ("define M() a", (), "a"),
        ("define M(x, y) x + y", ("x", "y"), "x + y"),
        ("define M (a == b) && c", None, "(a == b) && c"),
    ],
)
def test_local_macros(text: str, params: tuple[str, ...] | None, body_text: str) -> None:
    found = stmt(text)
    assert isinstance(found, tree.Define)
    assert (found.params and tuple(p.name for p in found.params)) == params
    assert found.body == expr(body_text)


def test_macros_with_statements() -> None:
    found = stmt("define M(x) { x := 1; a() }")
    assert isinstance(found, tree.Define)
    assert isinstance(found.body, tree.Block)
    assert len(found.body.statements) == 2


def test_annotated_statements() -> None:
    found = stmt('@a("x") @b() assert c')
    assert isinstance(found, tree.AssertionStatement)
    assert [annotation.key for annotation in found.annotations] == ["a", "b"]
    assert found.span.start_position == (2, 14)
    assert isinstance(stmt("@a() define M b"), tree.Define)
    block = stmt("@a() { }")
    assert isinstance(block, tree.Block)
    assert len(block.annotations) == 1


def test_unreachable_is_a_statement_only_if_reserved() -> None:
    file = SourceFile(Path("t.vpr"), "method m() { unreachable }")
    for keywords, expected in (
        (KEYWORDS, tree.ExprStatement),
        (KEYWORDS | SMOKE_KEYWORDS, tree.Unreachable),
    ):
        (method,) = parse_file(file, keywords).tree.members
        assert isinstance(method, tree.Method)
        assert method.body is not None
        assert isinstance(method.body.statements[0], expected)


@pytest.mark.parametrize(
    ("text", "kind", "measures", "conditional"),
    [
        ("decreases", "tuple", 0, False),
        ("decreases if c", "tuple", 0, True),
        ("decreases x", "tuple", 1, False),
        ("decreases x, y + 1 if c", "tuple", 2, True),
        ("decreases acc(P(x), 1/2)", "tuple", 1, False),
        ("decreases domain(m)", "tuple", 1, False),
        ("decreases @a() x", "tuple", 1, False),
        ("decreases _", "wildcard", 0, False),
        ("decreases _ if c", "wildcard", 0, True),
        ("decreases *", "star", 0, False),
    ],
)
@pytest.mark.parametrize("behind", ["", "{ }", "ensures a", "requires b", ";", "decreases *"])
def test_decreases(text: str, kind: str, measures: int, conditional: bool, behind: str) -> None:
    found = member(f"method m() {text} {behind}")
    assert isinstance(found, tree.Method)
    clause = found.specs[0]
    assert isinstance(clause, tree.Decreases)
    assert (clause.kind, len(clause.measures)) == (kind, measures)
    assert (clause.condition is not None) == conditional


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "x.f",
        "x == y",
        "s[0] := 1",
        "x, 1 := m()",
        "x, y",
        "var x",
        "var x := 1",
        "var",
        "assert",
        "fold x",
        "fold x.f",
        "unfold",
        "if a { }",
        "if (a) b()",
        "if (a) { } else if (b) { }",
        "else { }",
        "while a { }",
        "while (a) requires b { }",
        "label lhs",
        "label",
        "goto 1",
        "package a ==> b { }",
        "quasihavocall :: x.f",
        "define",
        "define M",
        "x = 1",
        "x := ",
        "; x := 1",
        'import "a"',
        "@a()",
    ],
)
def test_what_is_no_statement(text: str) -> None:
    assert where(error("method m() {\n" + text + "\n}"))[0] in (2, 3)
