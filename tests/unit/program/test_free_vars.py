"""Binders hide their variables, and only inside their scope."""

from __future__ import annotations

import pytest

from pitviper.program.assertion import (
    Access,
    Binding,
    FieldLocation,
    PredicateLocation,
    QuantifiedPermission,
    Wand,
)
from pitviper.program.expr import (
    And,
    BoolLit,
    Equal,
    Exists,
    Forall,
    ForPerm,
    FunctionApp,
    IntLit,
    Let,
    PermConstant,
    PermLit,
    Trigger,
    Var,
)
from pitviper.program.node import Node
from pitviper.program.stmt import (
    Assert,
    Block,
    Declare,
    If,
    LocalAssign,
    MethodCall,
    New,
    Package,
    QuasihavocAll,
    While,
)
from pitviper.program.types import BOOL, INT, REF
from pitviper.program.walk import assigned_variables, free_variables, free_vars

i, j, k = (Var(name, INT) for name in "ijk")
a, b = (Var(name, BOOL) for name in "ab")
x, y = (Var(name, REF) for name in "xy")
write = PermLit(PermConstant.WRITE)
true = BoolLit(value=True)


def app(*args: Var) -> FunctionApp:
    return FunctionApp("g", args, INT)


CASES: list[tuple[Node, str]] = [
    (Equal(i, app(j, i)), "ij"),
    (Forall((i,), (Trigger((app(i, k),)),), Equal(i, j)), "kj"),
    (Exists((i, j), (), Equal(i, j)), ""),
    (And((Exists((i,), (), Equal(i, j)), Equal(i, k))), "jik"),
    (ForPerm((x,), FieldLocation(x, "f"), Equal(x, y)), "y"),
    (Let(i, app(i, j), Equal(i, k)), "ijk"),
    (Let(i, Let(j, j, j), Equal(i, j)), "j"),
    (Binding(i, k, Access(PredicateLocation("P", (i, x)), write)), "kx"),
    (
        QuantifiedPermission((x,), (), Equal(x, y), Access(FieldLocation(x, "f"), write)),
        "y",
    ),
    (QuasihavocAll((x,), Equal(x, y), FieldLocation(x, "f")), "y"),
    (Block((Declare(i), LocalAssign(i, j), Assert(Equal(i, k)))), "jk"),
    (If(a, Block((Declare(i), LocalAssign(i, j))), Block((LocalAssign(k, j),))), "ajk"),
]


@pytest.mark.smoke
@pytest.mark.parametrize(("node", "names"), CASES, ids=[str(at) for at in range(len(CASES))])
def test_free_variables(node: Node, names: str) -> None:
    assert [variable.name for variable in free_variables(node)] == list(names)
    assert free_vars(node) == frozenset(names)


def test_free_variables_have_their_types() -> None:
    assert free_variables(Equal(x, y)) == (x, y)
    assert [v.type for v in free_variables(Equal(x, y))] == [REF, REF]


def test_a_long_conjunction_does_not_deepen_the_stack() -> None:
    assert free_vars(And(tuple([Equal(i, j)] * 50_000))) == {"i", "j"}


def test_assigned_variables_are_those_from_outside() -> None:
    script = Block((LocalAssign(k, IntLit(1)),))
    body = Block(
        (
            Declare(i),
            LocalAssign(i, IntLit(0)),
            While(a, (), (), Block((New(y, ()), MethodCall("run", (), (j, x)), New(y, ())))),
            Package(Wand(true, true), script),
        )
    )
    assert assigned_variables(body) == (y, j, x, k)
