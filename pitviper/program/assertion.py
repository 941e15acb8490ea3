"""Assertions of the core language: formulas that may hold permissions.

An assertion is a pure expression or one of the classes below. Lowering picks the class below only
where a part is impure, so `And` of `expr.py` is always pure and a `Star` never is.
"""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import record
from pitviper.program.expr import Expr, Trigger, Var
from pitviper.program.node import Node


@record
class FieldLocation(Node):
    receiver: Expr
    field: str


@record
class PredicateLocation(Node):
    predicate: str
    args: tuple[Expr, ...]


@record
class Wand(Node):
    """`left --* right`, as assertion and as location."""

    left: Assertion
    right: Assertion


Location: TypeAlias = FieldLocation | PredicateLocation | Wand


@record
class Access(Node):
    """`acc(location, amount)`; the amount is `write` where none was written."""

    location: FieldLocation | PredicateLocation
    amount: Expr


@record
class Star(Node):
    """`a && b && c` with at least one impure conjunct, from left to right, not nested directly."""

    conjuncts: tuple[Assertion, ...]


@record
class Guarded(Node):
    """`condition ==> body` with an impure body."""

    condition: Expr
    body: Assertion


@record
class Choice(Node):
    """`condition ? then : otherwise` with an impure branch."""

    condition: Expr
    then: Assertion
    otherwise: Assertion


@record(weakref_slot=True)
class QuantifiedPermission(Node):
    """`forall variables :: {triggers} condition ==> resource`.

    Lowering splits every impure `forall` into these and pure `Forall`s.
    """

    variables: tuple[Var, ...]
    triggers: tuple[Trigger, ...]
    condition: Expr
    resource: Access | Wand
    weight: int | None = None


@record
class Binding(Node):
    """`let variable == (bound) in body` with an impure body."""

    variable: Var
    bound: Expr
    body: Assertion


@record
class InhaleExhale(Node):
    """`[inhaled, exhaled]` with an impure side."""

    inhaled: Assertion
    exhaled: Assertion


Impure: TypeAlias = (
    Access | Wand | Star | Guarded | Choice | QuantifiedPermission | Binding | InhaleExhale
)
Assertion: TypeAlias = Expr | Impure
