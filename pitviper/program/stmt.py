"""Statements of the core language."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.program.assertion import Assertion, Location, PredicateLocation, Wand
from pitviper.program.expr import Expr, Var
from pitviper.program.node import Annotation, Node


@record
class Statement(Node):
    annotations: tuple[Annotation, ...] = field(default=(), kw_only=True)


@record
class Block(Statement):
    """Statements in order. Names are unique in a member, so a block needs no scope."""

    statements: tuple[Stmt, ...]


@record
class Declare(Statement):
    """The variable gets an arbitrary value, afresh each time the statement is passed."""

    variable: Var


@record
class LocalAssign(Statement):
    target: Var
    value: Expr


@record
class FieldAssign(Statement):
    receiver: Expr
    field: str
    value: Expr


@record
class New(Statement):
    """`target := new(fields)`; `*` has been replaced by the fields of the program."""

    target: Var
    fields: tuple[str, ...]


@record
class MethodCall(Statement):
    """Field targets have been replaced by temporaries."""

    method: str
    args: tuple[Expr, ...]
    targets: tuple[Var, ...]


@record
class Inhale(Statement):
    assertion: Assertion


@record
class Exhale(Statement):
    assertion: Assertion


@record
class Assert(Statement):
    assertion: Assertion


@record
class Cut(Statement):
    """The assertion holds here, and nothing else is known from here on (section 6.1 of the paper).

    Whoever verifies what follows knows the assertion, the precondition about the parameters and the
    pre-state, and no more: neither other permissions, nor values, nor which way led here.
    """

    assertion: Assertion


@record
class Asked:
    """The check that an inferred statement is for: its error, its node, and what fills its text.

    `formals` are the parameters of the predicate.
    """

    error: str
    node: Node
    parts: tuple[Node | str, ...]
    formals: tuple[Var, ...]


@record
class Fold(Statement):
    """`asked` is there where nobody wrote the statement: what fails in it is told of that."""

    predicate: PredicateLocation
    amount: Expr
    asked: Asked | None = field(default=None, compare=False, repr=False, kw_only=True)


@record
class Unfold(Statement):
    predicate: PredicateLocation
    amount: Expr


@record
class Package(Statement):
    wand: Wand
    script: Block


@record
class Apply(Statement):
    wand: Wand


@record
class If(Statement):
    condition: Expr
    then: Block
    otherwise: Block


@record
class DecreasesTuple(Node):
    """`decreases measures if condition`."""

    measures: tuple[Expr, ...]
    condition: Expr | None


@record
class DecreasesWildcard(Node):
    """`decreases _ if condition`: termination is assumed."""

    condition: Expr | None


@record
class DecreasesStar(Node):
    """`decreases *`: may diverge."""


Decreases: TypeAlias = DecreasesTuple | DecreasesWildcard | DecreasesStar


@record
class While(Statement):
    """`decreases` is removed by the termination plugin."""

    condition: Expr
    invariants: tuple[Assertion, ...]
    decreases: tuple[Decreases, ...]
    body: Block


@record
class Label(Statement):
    name: str
    invariants: tuple[Assertion, ...]


@record
class Goto(Statement):
    target: str


@record
class Quasihavoc(Statement):
    condition: Expr | None
    location: Location


@record
class QuasihavocAll(Statement):
    variables: tuple[Var, ...]
    condition: Expr | None
    location: Location


@record
class Refute(Statement):
    """Removed by the refute plugin."""

    condition: Expr


@record
class Unreachable(Statement):
    """Removed by the smoke detection plugin."""


Stmt: TypeAlias = (
    Block | Declare | LocalAssign | FieldAssign | New | MethodCall | Inhale | Exhale | Assert | Cut
    | Fold | Unfold | Package | Apply | If | While | Label | Goto | Quasihavoc | QuasihavocAll
    | Refute | Unreachable
)  # fmt: skip
