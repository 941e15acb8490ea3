"""Pure expressions of the core language; every one has a `type`."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from pitviper.base.record import record
from pitviper.program.node import Node
from pitviper.program.types import (
    BOOL,
    INT,
    PERM,
    REF,
    DomainType,
    MapType,
    MultisetType,
    SeqType,
    SetType,
    Type,
)

if TYPE_CHECKING:
    from pitviper.program.assertion import Assertion, Location, PredicateLocation, Wand

# ---------------------------------------------------------------- literals, variables


@record
class IntLit(Node):
    value: int
    type: ClassVar[Type] = INT


@record
class BoolLit(Node):
    value: bool
    type: ClassVar[Type] = BOOL


@record
class NullLit(Node):
    type: ClassVar[Type] = REF


class PermConstant(Enum):
    WRITE = "write"
    NONE = "none"
    WILDCARD = "wildcard"
    EPSILON = "epsilon"


@record
class PermLit(Node):
    value: PermConstant
    type: ClassVar[Type] = PERM


@record
class Var(Node):
    """A use or a declaration of a variable: parameter, return, local or bound variable."""

    name: str
    type: Type


@record
class Result(Node):
    """`result` in a function postcondition."""

    type: Type


# ---------------------------------------------------------------- logic


@record
class Not(Node):
    operand: Expr
    type: ClassVar[Type] = BOOL


@record
class And(Node):
    """Conjunction from left to right, at least two operands, all pure."""

    operands: tuple[Expr, ...]
    type: ClassVar[Type] = BOOL


@record
class Or(Node):
    """Disjunction from left to right, at least two operands."""

    operands: tuple[Expr, ...]
    type: ClassVar[Type] = BOOL


@record
class Implies(Node):
    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


@record
class Conditional(Node):
    condition: Expr
    then: Expr
    otherwise: Expr

    @property
    def type(self) -> Type:
        return self.then.type


@record
class Equal(Node):
    """`==` at any type, and `<==>`."""

    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


@record
class NotEqual(Node):
    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


# ---------------------------------------------------------------- numbers


@record
class Negate(Node):
    """Unary minus on Int or Perm."""

    operand: Expr

    @property
    def type(self) -> Type:
        return self.operand.type


class IntOp(Enum):
    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "\\"
    MOD = "%"


@record
class IntArith(Node):
    """Int x Int -> Int; division and remainder are Euclidean and need a divisor other than 0."""

    op: IntOp
    left: Expr
    right: Expr
    type: ClassVar[Type] = INT


class PermOp(Enum):
    ADD = "+"  # Perm x Perm
    SUB = "-"  # Perm x Perm
    MUL = "*"  # Perm x Perm
    INT_MUL = "int*"  # Int x Perm (a product Perm x Int has its operands swapped)
    DIV = "/"  # Perm / Perm
    INT_DIV = "/int"  # Perm / Int
    FRACTION = "int/int"  # Int / Int


@record
class PermArith(Node):
    """Arithmetic that yields a Perm; `op` says the types of the operands."""

    op: PermOp
    left: Expr
    right: Expr
    type: ClassVar[Type] = PERM


class CompareOp(Enum):
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


@record
class Compare(Node):
    """Both operands Int or both Perm."""

    op: CompareOp
    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


# ---------------------------------------------------------------- heap, functions


@record
class FieldRead(Node):
    receiver: Expr
    field: str
    type: Type


@record
class FunctionApp(Node):
    """Application of a (heap-dependent) function of the program."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    reveal: bool = False


@record
class DomainApp(Node):
    """Application of a domain function; `type_args` instantiate the domain's parameters."""

    domain: str
    function: str
    type_args: tuple[Type, ...]
    args: tuple[Expr, ...]
    type: Type


@record
class Old(Node):
    """Evaluated in an old heap: of the pre-state (None), of a label, or "lhs"."""

    label: str | None
    operand: Expr

    @property
    def type(self) -> Type:
        return self.operand.type


@record
class Let(Node):
    """`let variable == (bound) in body`, body pure."""

    variable: Var
    bound: Expr
    body: Expr

    @property
    def type(self) -> Type:
        return self.body.type


@record
class Unfolding(Node):
    predicate: PredicateLocation
    amount: Expr
    body: Expr

    @property
    def type(self) -> Type:
        return self.body.type


@record
class Applying(Node):
    wand: Wand
    body: Expr

    @property
    def type(self) -> Type:
        return self.body.type


@record
class Asserting(Node):
    assertion: Assertion
    body: Expr

    @property
    def type(self) -> Type:
        return self.body.type


@record
class CurrentPerm(Node):
    """`perm(location)`."""

    location: Location
    type: ClassVar[Type] = PERM


@record
class InhaleExhaleExpr(Node):
    """`[A, B]` with both sides pure."""

    inhaled: Expr
    exhaled: Expr
    type: ClassVar[Type] = BOOL


# ---------------------------------------------------------------- binders


@record
class Trigger(Node):
    """One multi-pattern. A predicate location or a wand is a heap-dependent trigger."""

    terms: tuple[Expr | PredicateLocation | Wand, ...]


@record(weakref_slot=True)
class Forall(Node):
    """A pure universal quantifier; no triggers means none were written."""

    variables: tuple[Var, ...]
    triggers: tuple[Trigger, ...]
    body: Expr
    weight: int | None = None
    type: ClassVar[Type] = BOOL


@record(weakref_slot=True)
class Exists(Node):
    variables: tuple[Var, ...]
    triggers: tuple[Trigger, ...]
    body: Expr
    weight: int | None = None
    type: ClassVar[Type] = BOOL


@record
class ForPerm(Node):
    """`forperm variables [location] :: body`."""

    variables: tuple[Var, ...]
    location: Location
    body: Expr
    type: ClassVar[Type] = BOOL


# ---------------------------------------------------------------- collections


@record
class SeqLit(Node):
    elements: tuple[Expr, ...]
    type: SeqType


@record
class SetLit(Node):
    elements: tuple[Expr, ...]
    type: SetType


@record
class MultisetLit(Node):
    elements: tuple[Expr, ...]
    type: MultisetType


@record
class MapLit(Node):
    """Later entries win over earlier ones."""

    entries: tuple[tuple[Expr, Expr], ...]
    type: MapType


@record
class SeqRange(Node):
    """`[low..high)`."""

    low: Expr
    high: Expr
    type: ClassVar[Type] = SeqType(INT)


@record
class SeqAppend(Node):
    left: Expr
    right: Expr

    @property
    def type(self) -> Type:
        return self.left.type


@record
class SeqIndex(Node):
    sequence: Expr
    index: Expr
    type: Type


@record
class SeqTake(Node):
    """`s[..count]`."""

    sequence: Expr
    count: Expr

    @property
    def type(self) -> Type:
        return self.sequence.type


@record
class SeqDrop(Node):
    """`s[count..]`."""

    sequence: Expr
    count: Expr

    @property
    def type(self) -> Type:
        return self.sequence.type


@record
class SeqUpdate(Node):
    sequence: Expr
    index: Expr
    value: Expr

    @property
    def type(self) -> Type:
        return self.sequence.type


@record
class SeqContains(Node):
    element: Expr
    sequence: Expr
    type: ClassVar[Type] = BOOL


class SetOp(Enum):
    UNION = "union"
    INTERSECTION = "intersection"
    DIFFERENCE = "setminus"


@record
class SetBinary(Node):
    """On two sets or two multisets of one type."""

    op: SetOp
    left: Expr
    right: Expr

    @property
    def type(self) -> Type:
        return self.left.type


@record
class Subset(Node):
    """On two sets or two multisets of one type."""

    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


@record
class SetContains(Node):
    element: Expr
    set: Expr
    type: ClassVar[Type] = BOOL


@record
class MultisetCount(Node):
    """`x in m` for a multiset: an Int."""

    element: Expr
    multiset: Expr
    type: ClassVar[Type] = INT


@record
class Cardinality(Node):
    """`|e|` of a sequence, set, multiset or map."""

    collection: Expr
    type: ClassVar[Type] = INT


@record
class MapLookup(Node):
    map: Expr
    key: Expr
    type: Type


@record
class MapUpdate(Node):
    map: Expr
    key: Expr
    value: Expr

    @property
    def type(self) -> Type:
        return self.map.type


@record
class MapContains(Node):
    key: Expr
    map: Expr
    type: ClassVar[Type] = BOOL


@record
class MapDomain(Node):
    map: Expr
    type: SetType


@record
class MapRange(Node):
    map: Expr
    type: SetType


# ---------------------------------------------------------------- nodes the plugins remove


@record
class Construct(Node):
    """Application of an ADT constructor (removed by the ADT plugin); `type` is an AdtType."""

    constructor: str
    args: tuple[Expr, ...]
    type: Type


@record
class Destruct(Node):
    """`receiver.argument` of an ADT (removed by the ADT plugin); total, value unspecified."""

    receiver: Expr
    argument: str
    type: Type


@record
class Discriminate(Node):
    """`receiver.isC` of an ADT (removed by the ADT plugin)."""

    receiver: Expr
    constructor: str
    type: ClassVar[Type] = BOOL


PREDICATE_INSTANCE = DomainType("PredicateInstance")


@record
class PredicateInstance(Node):
    """`#P(args)`, or `P(args)` in a termination measure (removed by its plugin)."""

    predicate: str
    args: tuple[Expr, ...]
    type: ClassVar[Type] = PREDICATE_INSTANCE


Expr: TypeAlias = (
    IntLit | BoolLit | NullLit | PermLit | Var | Result
    | Not | And | Or | Implies | Conditional | Equal | NotEqual
    | Negate | IntArith | PermArith | Compare
    | FieldRead | FunctionApp | DomainApp | Old | Let | Unfolding | Applying | Asserting
    | CurrentPerm | InhaleExhaleExpr | Forall | Exists | ForPerm
    | SeqLit | SetLit | MultisetLit | MapLit | SeqRange | SeqAppend | SeqIndex | SeqTake
    | SeqDrop | SeqUpdate | SeqContains | SetBinary | Subset | SetContains | MultisetCount
    | Cardinality | MapLookup | MapUpdate | MapContains | MapDomain | MapRange
    | Construct | Destruct | Discriminate | PredicateInstance
)  # fmt: skip
