"""Members in the typed program."""

from __future__ import annotations

import pytest

from pitviper.program.callgraph import DISPATCH
from pitviper.program.node import FROM_FRONT_ENDS
from pitviper.program.print.objects import ARRAYS
from pitviper.program.types import INT, AdtType, DomainType, SeqType, TypeVar
from tests.unit.checking.check_texts import accepted, found


@pytest.mark.smoke
def test_fields() -> None:
    program = accepted('@a("1") field f: Int, g: Seq[Int]\nfield h: Rational')
    assert list(program.fields) == ["f", "g", "h"]
    assert program.fields["g"].type == SeqType(INT)
    assert str(program.fields["h"].type) == "Perm"
    assert program.fields["f"].span.text == "f: Int"
    assert program.fields["f"].annotations[0].key == "a"


def test_methods() -> None:
    text = """
        method m(a: Int) returns (r: Int)
          requires a > 0
          decreases a
          requires a > 1
          ensures r > 0
        method n()
    """
    program = accepted(text)
    member = program.methods["m"]
    assert [v.name for v in member.params + member.returns] == ["a", "r"]
    assert len(member.preconditions) == 2
    assert len(member.postconditions) == len(member.decreases) == 1
    assert member.body is None


def test_functions() -> None:
    text = "function g(a: Int): Int requires a > 0 ensures result > a { a + 1 }"
    member = accepted(text).functions["g"]
    assert member.result is INT
    assert member.body is not None
    assert [line for _, line, _ in found("function g(): Int {\n true }")] == [2]


def test_domains() -> None:
    text = """
        domain D[A, B] interpretation (SMTLIB: "x") {
          unique function c(): D[A, B]
          function g(A, arg1: B, Int): D[Int, B] interpretation "g"
          axiom { true }
          axiom named { true }
        }
    """
    member = accepted(text.replace(' interpretation (SMTLIB: "x")', "")).domains["D"]
    assert member.type_params == ("A", "B")
    assert [f.unique for f in member.functions] == [True, False]
    names = [param.name for param in member.functions[1].params]
    assert names == ["arg0", "arg1", "arg2"]
    assert member.functions[1].result == DomainType("D", (INT, TypeVar("B")))
    assert member.functions[1].interpretation == "g"
    assert [axiom.name for axiom in member.axioms] == [None, "named"]


def test_unnamed_parameters_avoid_the_named_ones() -> None:
    member = accepted("domain D { function g(Int, arg0: Int): Int }").domains["D"]
    assert [param.name for param in member.functions[0].params] == ["arg0$", "arg0"]


def test_algebraic_data_types() -> None:
    text = """
        adt List[T] { Nil() Cons(head: T, tail: List[T]) } derives { contains[T] without tail }
    """
    member = accepted(text).adts["List"]
    assert [c.name for c in member.constructors] == ["Nil", "Cons"]
    assert member.constructors[1].params[1].type == AdtType("List", (TypeVar("T"),))
    (derivation,) = member.derivations
    assert (derivation.name, derivation.type_arg, derivation.without) == (
        "contains",
        TypeVar("T"),
        ("tail",),
    )


def test_wrong_derivations() -> None:
    text = """
        adt T { A(v: Int) } derives {
          contains
          contains
          other without w
          third[Nope]
        }
    """
    assert [line for _, line, _ in found(text)] == [3, 5, 6]


def test_empty_brackets_belong_to_the_type() -> None:
    assert found("domain D[] {}\nmethod m(a: D[])") == []
    assert [line for _, line, _ in found("domain D[] {}\nmethod m(a: D)")] == [2]
    assert [line for _, line, _ in found("domain D {}\nmethod m(a: D[])")] == [2]


def test_type_parameters_are_known_in_their_domain_only() -> None:
    text = "domain D[T] { function g(x: T): T }\nmethod m(x: T)"
    assert [line for _, line, _ in found(text)] == [2]


def test_what_front_ends_tell_cannot_be_written() -> None:
    """Such annotations are believed; `@arrays("x")` ended the workers of an exploration."""
    assert {ARRAYS, DISPATCH} <= FROM_FRONT_ENDS
    notes = "\n".join([f'@{key}("x")' for key in (*sorted(FROM_FRONT_ENDS), "mine")])
    program = accepted(
        f"{notes}\nfield f: Ref\n{notes}\nmethod m(x: Ref) {{\n{notes}\nassert true }}"
    )
    method = program.methods["m"]
    assert method.body is not None
    for annotated in (program.fields["f"], method, *method.body.statements):
        assert [note.key for note in annotated.annotations] == ["mine"]
