"""Statements of the core language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from pitviper.program.assertion import Assertion, Location, PredicateLocation, Wand
from pitviper.program.expr import Expr, Var
from pitviper.program.node import Annotation, Node


@dataclass(frozen=True, slots=True)
class Statement(Node):
    annotations: tuple[Annotation, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Block(Statement):
    """Statements in order. Names are unique in a member, so a block needs no scope."""

    statements: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Declare(Statement):
    """The variable gets an arbitrary value, afresh each time the statement is passed."""

    variable: Var


@dataclass(frozen=True, slots=True)
class LocalAssign(Statement):
    target: Var
    value: Expr


@dataclass(frozen=True, slots=True)
class FieldAssign(Statement):
    receiver: Expr
    field: str
    value: Expr


@dataclass(frozen=True, slots=True)
class New(Statement):
    """`target := new(fields)`; `*` has been replaced by the fields of the program."""

    target: Var
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MethodCall(Statement):
    """Field targets have been replaced by temporaries."""

    method: str
    args: tuple[Expr, ...]
    targets: tuple[Var, ...]


@dataclass(frozen=True, slots=True)
class Inhale(Statement):
    assertion: Assertion


@dataclass(frozen=True, slots=True)
class Exhale(Statement):
    assertion: Assertion


@dataclass(frozen=True, slots=True)
class Assert(Statement):
    assertion: Assertion


@dataclass(frozen=True, slots=True)
class Fold(Statement):
    predicate: PredicateLocation
    amount: Expr


@dataclass(frozen=True, slots=True)
class Unfold(Statement):
    predicate: PredicateLocation
    amount: Expr


@dataclass(frozen=True, slots=True)
class Package(Statement):
    wand: Wand
    script: Block


@dataclass(frozen=True, slots=True)
class Apply(Statement):
    wand: Wand


@dataclass(frozen=True, slots=True)
class If(Statement):
    condition: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class DecreasesTuple(Node):
    """`decreases measures if condition`."""

    measures: tuple[Expr, ...]
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class DecreasesWildcard(Node):
    """`decreases _ if condition`: termination is assumed."""

    condition: Expr | None


@dataclass(frozen=True, slots=True)
class DecreasesStar(Node):
    """`decreases *`: may diverge."""


Decreases: TypeAlias = DecreasesTuple | DecreasesWildcard | DecreasesStar


@dataclass(frozen=True, slots=True)
class While(Statement):
    """`decreases` is removed by the termination plugin."""

    condition: Expr
    invariants: tuple[Assertion, ...]
    decreases: tuple[Decreases, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Label(Statement):
    name: str
    invariants: tuple[Assertion, ...]


@dataclass(frozen=True, slots=True)
class Goto(Statement):
    target: str


@dataclass(frozen=True, slots=True)
class Quasihavoc(Statement):
    condition: Expr | None
    location: Location


@dataclass(frozen=True, slots=True)
class QuasihavocAll(Statement):
    variables: tuple[Var, ...]
    condition: Expr | None
    location: Location


@dataclass(frozen=True, slots=True)
class Refute(Statement):
    """Removed by the refute plugin."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Unreachable(Statement):
    """Removed by the smoke detection plugin."""


Stmt: TypeAlias = (
    Block | Declare | LocalAssign | FieldAssign | New | MethodCall | Inhale | Exhale | Assert
    | Fold | Unfold | Package | Apply | If | While | Label | Goto | Quasihavoc | QuasihavocAll
    | Refute | Unreachable
)  # fmt: skip
