"""The generic traversals see every node and keep what does not change."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest

from pitviper.program import assertion, expr, member, stmt
from pitviper.program.expr import And, BoolLit, Equal, Forall, IntLit, MapLit, Negate, Var
from pitviper.program.node import Node
from pitviper.program.stmt import Assert, Block, If
from pitviper.program.types import BOOL, INT, MapType
from pitviper.program.walk import _field_names, children, descendants, once_each, rewrite

a, i = Var("a", BOOL), Var("i", INT)
true = BoolLit(value=True)


def test_children_come_from_left_to_right_out_of_nested_tuples_too() -> None:
    literal = MapLit(((i, a), (IntLit(1), true)), MapType(INT, BOOL))
    assert children(literal) == [i, a, IntLit(1), true]
    assert children(i) == []


def test_descendants_are_in_source_order_parents_first() -> None:
    equal = Equal(Negate(i), IntLit(2))
    conjunction = And((equal, a))
    assert list(descendants(conjunction)) == [conjunction, equal, Negate(i), i, IntLit(2), a]


def test_rewrite_replaces_bottom_up_and_keeps_the_rest() -> None:
    untouched = Assert(a)
    body = Block((untouched, If(Equal(i, IntLit(1)), Block(()), Block(()))))

    def rule(node: Node) -> Node | None:
        return IntLit(node.value + 1) if isinstance(node, IntLit) else None

    result = rewrite(body, rule)
    assert result == Block((untouched, If(Equal(i, IntLit(2)), Block(()), Block(()))))
    assert result.statements[0] is untouched
    assert rewrite(untouched, rule) is untouched


def node_classes() -> list[type]:
    found = []
    for module in (expr, assertion, stmt, member):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Node) and is_dataclass(value):
                found.append(value)
    return found


WORDS_OF_NODES = (
    "Expr Var Assertion Location Wand Trigger Access Block Stmt Decreases Axiom Constructor "
    "Derivation DomainFunction"
).split()


@pytest.mark.parametrize("cls", node_classes(), ids=lambda cls: cls.__name__)
def test_traversals_look_into_exactly_the_fields_that_hold_nodes(cls: type) -> None:
    """A new field of a type that walk.py does not know must be put on one side or the other."""
    for f in fields(cls):
        holds_nodes = any(word in str(f.type) for word in WORDS_OF_NODES)
        assert (f.name in _field_names(cls)) == holds_nodes, f


def test_what_is_found_about_a_node_is_found_once_while_it_lives() -> None:
    asked: list[int] = []

    @once_each
    def number(node: Forall) -> int:
        asked.append(len(asked))
        return asked[-1]

    one, other = Forall((i,), (), a), Forall((i,), (), a)
    assert one == other
    assert [number(one), number(other), number(one), number(other)] == [0, 1, 0, 1]
    del one
    assert [number(Forall((i,), (), a)), number(other)] == [2, 1]
    assert asked == [0, 1, 2]
