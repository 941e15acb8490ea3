"""Statements in the typed program."""

from __future__ import annotations

import time

import pytest

from pitviper.checking.lower.statements import notes
from pitviper.program import stmt as s
from pitviper.source.span import NO_SPAN
from pitviper.syntax import tree
from tests.unit.checking.check_texts import (
    complaints,
    errors,
    found,
    lowered,
    method,
    statements,
)

# ---------------------------------------------------------------- assignments


@pytest.mark.smoke
def test_declarations_with_initialisers() -> None:
    assert lowered("var v: Int := n") == ["var v: Int", "v := n"]
    assert lowered("var v: Int, w: Ref := two()") == ["var v: Int", "var w: Ref", "v, w := two()"]
    assert lowered("var v: Ref := new(f)") == ["var v: Ref", "v := new(f)"]
    declared, assigned = statements("var v: Int := n")
    assert isinstance(assigned, s.LocalAssign)
    assert declared.span == assigned.span
    assert assigned.span.text == "var v: Int := n"


def test_a_call_with_one_target_is_a_function_if_there_is_one() -> None:
    function, method_call = statements("k := pure(n)\nk := one(n)")
    assert isinstance(function, s.LocalAssign)
    assert isinstance(method_call, s.MethodCall)


def test_field_targets_become_temporaries() -> None:
    assert lowered("k, x.g.g := two()") == [
        "var receiver$1: Ref",
        "receiver$1 := x.g",
        "var target$1: Ref",
        "k, target$1 := two()",
        "receiver$1.g := target$1",
    ]
    assert lowered("x.g := new(*)") == [
        "var receiver$1: Ref",
        "receiver$1 := x",
        "var target$1: Ref",
        "target$1 := new(f, g)",
        "receiver$1.g := target$1",
    ]
    assert lowered("x.g := y") == ["x.g := y"]


def test_targets_with_one_field() -> None:
    text = """
        field f: Int
        method two$() returns (r: Int, q: Int)
        method m(x: Ref, y: Ref) {
          x.f, y.f := two$()
        }
    """
    assert [line for _, line, _ in found(text)] == [5]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("n := 1", "cannot assign to the parameter `n`"),
        ("nope := 1", "undeclared identifier `nope`, expected parameter or local variable"),
        ("k := b", "found incompatible type `Bool`, expected `Int`"),
        ("x.f := b", "found incompatible type `Bool`, expected `Int`"),
        ("n.f := 1", "found incompatible type `Int`, expected `Ref`"),
        ("x.nope := 1", "undeclared field `nope`"),
        ("k := two()", "wrong number of targets"),
        ("one(1)", "wrong number of targets"),
        ("k := one()", "wrong number of arguments"),
        ("k := one(b)", "found incompatible type `Bool`, expected `Int`"),
        ("o := one(1)", "found incompatible type `Ref`, expected `Int`"),
        ("k := new()", "found incompatible type `Int`, expected `Ref`"),
        ("o := new(nope)", "undeclared field `nope`"),
        ("k, o := n", "expected a method call when assigning to multiple targets"),
        ("k, o := pure(1)", "function `pure` is called where a method has to stand"),
        ("pure(1)", "function `pure` is called where a method has to stand"),
        ("var v: Int, w: Int := 1", "expected a method call when assigning to multiple targets"),
        ("k := P(x, 1)", "found a predicate, expected a value of `Int`"),
        ("Nil().tail := Nil()", "`tail` belongs to an ADT value and cannot be assigned to"),
        ("Nil().isNil := true", "`isNil` belongs to an ADT value and cannot be assigned to"),
    ],
)
def test_wrong_assignments(source: str, expected: str) -> None:
    assert complaints(source) == [(1, expected)]


def test_expressions_are_no_statements() -> None:
    (problem,) = complaints("n")
    assert problem[1].startswith("invalid expression in statement position")


# ---------------------------------------------------------------- heap


def test_fold_and_unfold() -> None:
    assert lowered("fold P(x, 1)\nunfold acc(P(x, 1), 1/2)") == [
        "fold acc(P(x, 1), write)",
        "unfold acc(P(x, 1), 1 / 2)",
    ]
    assert complaints("fold Abstract(x)") == [(1, "abstract predicates cannot be folded")]
    assert complaints("unfold pure(1)") == [(1, "expected predicate access `pure`")]
    assert complaints("fold nope(x)") == [(1, "undeclared call `nope`, expected predicate")]
    assert complaints("unfold acc(x.g)") == [(1, "expected predicate access")]


def test_wand_statements() -> None:
    assert lowered("package b --* b { assert b }\napply b --* b") == [
        "package b --* b {",
        "  assert b",
        "}",
        "apply b --* b",
    ]
    assert complaints("apply x") == [(1, "expected magic wand")]
    assert complaints("package unfolding P(x, 1) in b --* b") == [(1, "expected magic wand")]


def test_quasihavoc() -> None:
    assert lowered("quasihavoc b ==> x.f\nquasihavocall z: Ref :: z in t ==> P(z, 1)") == [
        "quasihavoc b ==> x.f",
        "quasihavocall z: Ref :: (z in t) ==> P(z, 1)",
    ]
    assert lowered("quasihavoc b --* acc(x.f)") == ["quasihavoc b --* acc(x.f, write)"]
    no_resource = "Havoc statement must take a field access, predicate, or wand"
    assert complaints("quasihavoc b ==> b ==> x.f") == [(1, no_resource)]
    assert complaints("quasihavoc acc(x.f)") == [(1, no_resource)]
    assert complaints("quasihavoc pure(1)") == [(1, no_resource)]
    assert complaints("quasihavoc n ==> x.f") == [
        (1, "found incompatible type `Int`, expected `Bool`")
    ]


# ---------------------------------------------------------------- control flow


def test_else_if_nests() -> None:
    (outer,) = statements("if (b) { k := 1 } elseif (n > 0) { k := 2 } else { k := 3 }")
    assert isinstance(outer, s.If)
    (inner,) = outer.otherwise.statements
    assert isinstance(inner, s.If)
    assert inner.span.text.startswith("elseif") or inner.span.text.startswith("(n")


def test_a_long_chain_of_else_if_needs_no_deep_stack() -> None:
    chain = "if (b) { k := 1 }" + " elseif (n > 0) { k := 2 }" * 400
    (outer,) = statements(chain)
    assert isinstance(outer, s.If)


def test_conditions_are_boolean() -> None:
    wrong = "found incompatible type `Int`, expected `Bool`"
    assert complaints("if (n) {}\nwhile (n) invariant n {}") == [(1, wrong), (2, wrong), (2, wrong)]


def test_loops_labels_and_jumps() -> None:
    assert lowered("while (b) invariant acc(x.f) { goto l }\nlabel l invariant b") == [
        "while (b)",
        "  invariant acc(x.f, write)",
        "{",
        "  goto l",
        "}",
        "label l",
        "  invariant b",
    ]
    assert complaints("label l invariant n") == [
        (1, "found incompatible type `Int`, expected `Bool`")
    ]


def test_annotations_with_one_key_are_put_together() -> None:
    (statement,) = statements('@a("1", "2") @b() @a("3") k := 1')
    assert [(note.key, note.values) for note in statement.annotations] == [
        ("a", ("1", "2", "3")),
        ("b", ()),
    ]


def test_several_errors_are_found_at_once() -> None:
    text = method("k := b\nk := nope\nassert n")
    assert len(errors(text)) == 3


def test_many_annotations_with_one_key_are_put_together_in_linear_time() -> None:
    """Where every value is copied for each further one, it is 256 times the time instead of 16."""

    def seconds(count: int) -> float:
        many = tuple([tree.Annotation("a", ("x",), span=NO_SPAN)] * count)
        before = time.process_time()
        (note,) = notes(many)
        assert len(note.values) == count
        return time.process_time() - before

    assert seconds(80_000) < 80 * max([seconds(5_000) for _ in range(3)])
