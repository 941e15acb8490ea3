"""Every form of member."""

from __future__ import annotations

import pytest

from pitviper.source.diagnostic import Severity
from pitviper.source.span import NO_SPAN
from pitviper.syntax import tree
from tests.unit.syntax.parsing import error, expr, member, parsed, where


def names(found: tuple[tree.VarBinding, ...]) -> list[tuple[str, str]]:
    return [(binding.name.name, binding.type.name) for binding in found]


@pytest.mark.smoke
def test_a_whole_method() -> None:
    found = member(
        """
        method m(x: Int, y: Ref) returns (r: Bool, s: Seq[Int])
            requires a; requires b
            decreases x
            ensures c
        { r := true }
        """
    )
    assert isinstance(found, tree.Method)
    assert found.name.name == "m"
    assert names(found.params) == [("x", "Int"), ("y", "Ref")]
    assert found.returns is not None
    assert names(found.returns) == [("r", "Bool"), ("s", "Seq")]
    kinds = [spec.kind for spec in found.specs]
    assert kinds == ["requires", "requires", "tuple", "ensures"]
    assert found.body is not None


def test_abstract_methods() -> None:
    found = member("method m()")
    assert isinstance(found, tree.Method)
    assert (found.params, found.returns, found.specs, found.body) == ((), None, (), None)
    empty = member("method m() returns () { }")
    assert isinstance(empty, tree.Method)
    assert empty.returns == ()


def test_functions() -> None:
    found = member("function f(x: Int): Bool requires a ensures result == b { x == 1 }")
    assert isinstance(found, tree.Function)
    assert (found.name.name, found.result.name) == ("f", "Bool")
    assert [spec.kind for spec in found.specs] == ["requires", "ensures"]
    assert found.body == expr("x == 1")
    abstract = member("function f(): Int")
    assert isinstance(abstract, tree.Function)
    assert abstract.body is None


def test_predicates() -> None:
    found = member("predicate P(x: Ref) { acc(x.f) }")
    assert isinstance(found, tree.Predicate)
    assert found.body == expr("acc(x.f)")
    abstract = member("predicate P()")
    assert isinstance(abstract, tree.Predicate)
    assert abstract.body is None


def test_fields() -> None:
    found = member("field f: Int, g: Map[Int, Ref];")
    assert isinstance(found, tree.FieldDeclaration)
    assert names(found.fields) == [("f", "Int"), ("g", "Map")]


@pytest.mark.parametrize(
    ("text", "path", "library"),
    [
        ('import "a/b.vpr"', "a/b.vpr", False),
        ('import " ../a b.vpr"', "../a b.vpr", False),
        ("import <decreases/all.vpr>", "decreases/all.vpr", True),
        ("import <domain/int-0.vpr>", "domain/int-0.vpr", True),
        ("import < a.vpr >", "a.vpr", True),
    ],
)
def test_imports(text: str, path: str, library: bool) -> None:
    found = member(text)
    assert found == tree.Import(path, library=library, span=NO_SPAN)
    assert found.span.text == text
    assert len(parsed(text + "\nfield f: Int").tree.members) == 2


def test_domains() -> None:
    found = member(
        """
        domain D[A, B] interpretation (SMTLIB: "(_ BitVec 32)", Boogie: "bv32") {
            unique function c(): D[A, B];
            function g(x: A, B, Seq[A]): Int interpretation "bv add"
            axiom named { forall x: A :: g(x) == 1 };
            @key() axiom { true }
        }
        """
    )
    assert isinstance(found, tree.Domain)
    assert found.type_params is not None
    assert [p.name for p in found.type_params] == ["A", "B"]
    assert found.interpretations == (
        tree.Interpretation("SMTLIB", "(_ BitVec 32)", span=NO_SPAN),
        tree.Interpretation("Boogie", "bv32", span=NO_SPAN),
    )
    constant, function, named, unnamed = found.members
    assert isinstance(constant, tree.DomainFunction)
    assert (constant.unique, constant.params) == (True, ())
    assert isinstance(function, tree.DomainFunction)
    assert [p.name and p.name.name for p in function.params] == ["x", None, None]
    assert function.interpretation == "bv add"
    assert isinstance(named, tree.Axiom)
    assert named.name is not None
    assert isinstance(unnamed, tree.Axiom)
    assert (unnamed.name, unnamed.annotations[0].key) == (None, "key")


def test_empty_brackets_of_a_domain_are_recorded() -> None:
    plain, empty = member("domain D { }"), member("domain D[] { }")
    assert isinstance(plain, tree.Domain)
    assert isinstance(empty, tree.Domain)
    assert (plain.type_params, empty.type_params) == (None, ())


def test_algebraic_data_types() -> None:
    found = member(
        """
        adt List[T] {
            Nil()
            @key() Cons(head: T, tail: List[T]);
        } derives { contains[T] without head, tail; other }
        """
    )
    assert isinstance(found, tree.Adt)
    nil, cons = found.constructors
    assert (nil.params, names(cons.params)) == ((), [("head", "T"), ("tail", "List")])
    assert cons.annotations[0].key == "key"
    assert found.derives is not None
    contains, other = found.derives
    assert contains.type_arg is not None
    assert [f.name for f in contains.without] == ["head", "tail"]
    assert (other.name.name, other.type_arg, other.without) == ("other", None, ())
    empty = member("adt T { }")
    assert isinstance(empty, tree.Adt)
    assert (empty.type_params, empty.constructors, empty.derives) == (None, (), None)


def test_global_macros() -> None:
    found = member("define M(x) x.f")
    assert isinstance(found, tree.Define)
    assert found.body == expr("x.f")
    block = member("define M { a() }")
    assert isinstance(block, tree.Define)
    assert isinstance(block.body, tree.Block)


@pytest.mark.parametrize(
    "text",
    [
        "method m()",
        "function f(): Int",
        "predicate P()",
        "field f: Int",
        "domain D { }",
        "adt A { }",
        "define M a",
        'import "a"',
    ],
)
def test_the_place_of_a_member_begins_at_its_annotations(text: str) -> None:
    found = member(f'@a("1") @b() {text}')
    assert [annotation.key for annotation in found.annotations] == ["a", "b"]
    assert found.span.start == 0
    assert found.span.end == len(f'@a("1") @b() {text}')
    assert member(text).annotations == ()


def test_members_stand_in_source_order() -> None:
    result = parsed("method b() field a: Int function c(): Int decreases domain D { } adt A { }")
    assert [type(found).__name__ for found in result.tree.members] == [
        "Method", "FieldDeclaration", "Function", "Domain", "Adt",
    ]  # fmt: skip
    assert result.diagnostics == ()


def test_an_annotation_behind_an_empty_measure_belongs_to_the_next_member() -> None:
    result = parsed("method a() decreases\n@k() @l() method b() decreases\n@k() domain D { }")
    assert [len(found.annotations) for found in result.tree.members] == [0, 2, 1]


def test_preconditions_stand_before_postconditions() -> None:
    found = error("method m()\n ensures a\n decreases\n requires b\n")
    assert where(found) == (4, 2)
    assert "requires" in (found.help or "")


def test_rational_gives_a_warning() -> None:
    result = parsed("field f: Rational")
    (warning,) = result.diagnostics
    assert (warning.code, warning.severity) == ("parser.warning", Severity.WARNING)
    assert warning.span is not None
    assert warning.span.text == "Rational"
    (field,) = result.tree.members
    assert isinstance(field, tree.FieldDeclaration)
    assert field.fields[0].type.name == "Rational"


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "// only a comment", "/* a */ // b"])
def test_a_file_without_members(text: str) -> None:
    result = parsed(text)
    assert (result.tree.members, result.diagnostics) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "method",
        "method m",
        "method m(x)",
        "method m(x: Int,)",
        "method m() returns r: Int",
        "method while()",
        "method m();",
        "function f(x: Int)",
        "function f(): Int { a b }",
        "function f(): Int { }",
        "predicate P { true }",
        "field f",
        "field f: Int, ",
        "field f: Seq",
        "field f: Seq[Int, Int]",
        "field f: Map[Int]",
        "field f: 1",
        "domain D { method m() }",
        "domain D { axiom a }",
        "domain D { unique axiom { true } }",
        "domain D { function f(): Int { 1 } }",
        'domain D interpretation SMTLIB: "a" { }',
        "domain D { function f(): Int interpretation }",
        "adt A { B }",
        "adt A { B() } derives",
        "import",
        "import a",
        "import <a.vpr",
        'import ""',
        "define",
        "define M",
        "x",
        "var x: Int",
        "}",
        "@a method m()",
        "@a()",
    ],
)
def test_what_is_no_member(text: str) -> None:
    assert error(text).severity is Severity.ERROR
