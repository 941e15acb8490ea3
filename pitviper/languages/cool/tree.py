"""The tree of the object language, as written: implicit `this` is left out, operators are flat.

NOTE(flat-operators). `*` is multiplication between numbers and separating conjunction elsewhere,
and binds accordingly. Only types can tell, so an operator expression stays a flat row (`Chain`) of
operands and operators until its operands have types.
"""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import record
from pitviper.program.node import Node

# ---------------------------------------------------------------- types


@record
class TypeName(Node):
    """`int`, `bool`, `Cell`, `seq<T>`, `set<T>`; `dimensions` counts the brackets of an array."""

    name: str
    args: tuple[TypeName, ...] = ()
    dimensions: int = 0


@record
class Param(Node):
    type: TypeName
    name: str


# ---------------------------------------------------------------- expressions


@record
class Number(Node):
    value: int


@record
class Constant(Node):
    """`true`, `false`, `null`, `this`, `result`, or an amount: `write`, `none`, `wildcard`."""

    word: str


@record
class Name(Node):
    name: str


@record
class Select(Node):
    """`receiver.name`: a field, `length` or `elems`."""

    receiver: Expr
    name: str


@record
class Invoke(Node):
    """`receiver.name(args)`; no receiver means `this`."""

    receiver: Expr | None
    name: str
    args: tuple[Expr, ...]


@record
class Index(Node):
    """`base[index]` of an array or a sequence."""

    base: Expr
    index: Expr


@record
class Slice(Node):
    """`base[low..high]` of a sequence, either bound may be missing."""

    base: Expr
    low: Expr | None
    high: Expr | None


@record
class Update(Node):
    """`base[index := value]` of a sequence."""

    base: Expr
    index: Expr
    value: Expr


@record
class Size(Node):
    """`|e|`."""

    operand: Expr


@record
class Collection(Node):
    """`seq<T>(e, ...)` or `set<T>(e, ...)`."""

    type: TypeName
    elements: tuple[Expr, ...]


@record
class Prefix(Node):
    """`!e` or `-e`."""

    operator: str
    operand: Expr


@record
class Operator(Node):
    """An operator in a row."""

    symbol: str


@record
class Chain(Node):
    """Operands with operators between them, without any precedence: NOTE(flat-operators)."""

    operands: tuple[Expr, ...]
    operators: tuple[Operator, ...]


@record
class Ternary(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@record
class OldValue(Node):
    """`old(e)`; what is typed in may name a state, `old[label](e)`."""

    operand: Expr
    label: str | None = None


@record
class Permission(Node):
    """`acc(target)` or `acc(target, amount)`; the target is a location or a predicate."""

    target: Expr
    amount: Expr | None


@record
class UntouchedState(Node):
    """`untouched(A)`: what A gives access to is as it was when the method was called."""

    assertion: Expr


@record
class Opening(Node):
    """`opening P in e` and `using p in e`."""

    keyword: str
    target: Expr
    body: Expr


@record
class Quantifier(Node):
    """`forall T x in domain :: body`; the domain is a range, a set, a sequence or absent."""

    keyword: str
    variable: Param
    low: Expr | None
    high: Expr | None
    domain: Expr | None
    body: Expr


Expr: TypeAlias = (
    Number | Constant | Name | Select | Invoke | Index | Slice | Update | Size | Collection
    | Prefix | Chain | Ternary | OldValue | Permission | UntouchedState | Opening | Quantifier
)  # fmt: skip


# ---------------------------------------------------------------- statements


@record
class NewObject(Node):
    name: str
    args: tuple[Expr, ...]


@record
class NewArray(Node):
    """`new T[n]`, or `new T[n][m]` with its rows; `type` is the type of the array."""

    type: TypeName
    lengths: tuple[Expr, ...]


@record
class Anything(Node):
    """`*`, any value of the type."""


Value: TypeAlias = Expr | NewObject | NewArray | Anything


@record
class Local(Node):
    """`T x;`, `T x := value;` or `T x :| chosen;`."""

    type: TypeName
    name: str
    value: Value | None
    chosen: Expr | None = None


@record
class Assignment(Node):
    target: Expr
    value: Value


@record
class Such(Node):
    """`x :| condition;`."""

    target: Expr
    condition: Expr


@record
class Call(Node):
    call: Expr


@record
class Branch(Node):
    condition: Expr
    then: Block
    otherwise: Block | None


@record
class Loop(Node):
    condition: Expr
    invariants: tuple[Expr, ...]
    measures: tuple[Expr, ...]
    body: Block


@record
class Claim(Node):
    """`assert A;`, `assume A;`, `join A;`."""

    keyword: str
    assertion: Expr


@record
class Ghost(Node):
    """`open P;`, `close P;`, `use p;`."""

    keyword: str
    target: Expr


@record
class Return(Node):
    value: Value | None


@record
class Block(Node):
    statements: tuple[Stmt, ...]


Stmt: TypeAlias = Local | Assignment | Such | Call | Branch | Loop | Claim | Ghost | Return | Block


# ---------------------------------------------------------------- declarations


@record
class FieldDeclaration(Node):
    type: TypeName
    name: str


@record
class Clause(Node):
    """`requires`, `ensures` or `decreases`."""

    keyword: str
    assertion: Expr


@record
class MethodDeclaration(Node):
    """`kind` is mutator, constructor, pure or predicate; `place` is where the name stands."""

    kind: str
    result: TypeName | None
    name: str
    params: tuple[Param, ...]
    clauses: tuple[Clause, ...]
    body: Block | None
    place: Node


@record
class ClassDeclaration(Node):
    """A class or an interface; `implements` names interfaces."""

    is_interface: bool
    name: str
    implements: tuple[Name, ...]
    fields: tuple[FieldDeclaration, ...]
    methods: tuple[MethodDeclaration, ...]
    place: Node


@record
class File(Node):
    """Classes and the main routine, which may be empty."""

    classes: tuple[ClassDeclaration, ...]
    main: tuple[Stmt, ...]
