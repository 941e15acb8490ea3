"""Assertions of the core language: formulas that may hold permissions.

An assertion is a pure expression or one of the classes below. Lowering picks the class below only
where a part is impure, so `And` of `expr.py` is always pure and a `Star` never is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pitviper.program.expr import Expr, Trigger, Var
from pitviper.program.node import Node


@dataclass(frozen=True, slots=True)
class FieldLocation(Node):
    receiver: Expr
    field: str


@dataclass(frozen=True, slots=True)
class PredicateLocation(Node):
    predicate: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Wand(Node):
    """`left --* right`, as assertion and as location."""

    left: Assertion
    right: Assertion


Location: TypeAlias = FieldLocation | PredicateLocation | Wand


@dataclass(frozen=True, slots=True)
class Access(Node):
    """`acc(location, amount)`; the amount is `write` where none was written."""

    location: FieldLocation | PredicateLocation
    amount: Expr


@dataclass(frozen=True, slots=True)
class Star(Node):
    """`a && b && c` with at least one impure conjunct, from left to right, not nested directly."""

    conjuncts: tuple[Assertion, ...]


@dataclass(frozen=True, slots=True)
class Guarded(Node):
    """`condition ==> body` with an impure body."""

    condition: Expr
    body: Assertion


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """`condition ? then : otherwise` with an impure branch."""

    condition: Expr
    then: Assertion
    otherwise: Assertion


@dataclass(frozen=True, slots=True)
class QuantifiedPermission(Node):
    """`forall variables :: {triggers} condition ==> resource`.

    Lowering splits every impure `forall` into these and pure `Forall`s.
    """

    variables: tuple[Var, ...]
    triggers: tuple[Trigger, ...]
    condition: Expr
    resource: Access | Wand
    weight: int | None = None


@dataclass(frozen=True, slots=True)
class Binding(Node):
    """`let variable == (bound) in body` with an impure body."""

    variable: Var
    bound: Expr
    body: Assertion


@dataclass(frozen=True, slots=True)
class InhaleExhale(Node):
    """`[inhaled, exhaled]` with an impure side."""

    inhaled: Assertion
    exhaled: Assertion


Impure: TypeAlias = (
    Access | Wand | Star | Guarded | Choice | QuantifiedPermission | Binding | InhaleExhale
)
Assertion: TypeAlias = Expr | Impure
