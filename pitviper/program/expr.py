"""Pure expressions of the core language; every one has a `type`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, TypeAlias

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


@dataclass(frozen=True, slots=True)
class IntLit(Node):
    value: int
    type: ClassVar[Type] = INT


@dataclass(frozen=True, slots=True)
class BoolLit(Node):
    value: bool
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class NullLit(Node):
    type: ClassVar[Type] = REF


class PermConstant(Enum):
    WRITE = "write"
    NONE = "none"
    WILDCARD = "wildcard"
    EPSILON = "epsilon"


@dataclass(frozen=True, slots=True)
class PermLit(Node):
    value: PermConstant
    type: ClassVar[Type] = PERM


@dataclass(frozen=True, slots=True)
class Var(Node):
    """A use or a declaration of a variable: parameter, return, local or bound variable."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Result(Node):
    """`result` in a function postcondition."""

    type: Type


# ---------------------------------------------------------------- logic


@dataclass(frozen=True, slots=True)
class Not(Node):
    operand: Expr
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class And(Node):
    """Conjunction from left to right, at least two operands, all pure."""

    operands: tuple[Expr, ...]
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class Or(Node):
    """Disjunction from left to right, at least two operands."""

    operands: tuple[Expr, ...]
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class Implies(Node):
    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    condition: Expr
    then: Expr
    otherwise: Expr

    @property
    def type(self) -> Type:
        return self.then.type


@dataclass(frozen=True, slots=True)
class Equal(Node):
    """`==` at any type, and `<==>`."""

    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class NotEqual(Node):
    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


# ---------------------------------------------------------------- numbers


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """Both operands Int or both Perm."""

    op: CompareOp
    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


# ---------------------------------------------------------------- heap, functions


@dataclass(frozen=True, slots=True)
class FieldRead(Node):
    receiver: Expr
    field: str
    type: Type


@dataclass(frozen=True, slots=True)
class FunctionApp(Node):
    """Application of a (heap-dependent) function of the program."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    reveal: bool = False


@dataclass(frozen=True, slots=True)
class DomainApp(Node):
    """Application of a domain function; `type_args` instantiate the domain's parameters."""

    domain: str
    function: str
    type_args: tuple[Type, ...]
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Old(Node):
    """Evaluated in an old heap: of the pre-state (None), of a label, or "lhs"."""

    label: str | None
    operand: Expr

    @property
    def type(self) -> Type:
        return self.operand.type


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let variable == (bound) in body`, body pure."""

    variable: Var
    bound: Expr
    body: Expr

    @property
    def type(self) -> Type:
        return self.body.type


@dataclass(frozen=True, slots=True)
class Unfolding(Node):
    predicate: PredicateLocation
    amount: Expr
    body: Expr

    @property
    def type(self) -> Type:
        return self.body.type


@dataclass(frozen=True, slots=True)
class Applying(Node):
    wand: Wand
    body: Expr

    @property
    def type(self) -> Type:
        return self.body.type


@dataclass(frozen=True, slots=True)
class Asserting(Node):
    assertion: Assertion
    body: Expr

    @property
    def type(self) -> Type:
        return self.body.type


@dataclass(frozen=True, slots=True)
class CurrentPerm(Node):
    """`perm(location)`."""

    location: Location
    type: ClassVar[Type] = PERM


@dataclass(frozen=True, slots=True)
class InhaleExhaleExpr(Node):
    """`[A, B]` with both sides pure."""

    inhaled: Expr
    exhaled: Expr
    type: ClassVar[Type] = BOOL


# ---------------------------------------------------------------- binders


@dataclass(frozen=True, slots=True)
class Trigger(Node):
    """One multi-pattern. A predicate location or a wand is a heap-dependent trigger."""

    terms: tuple[Expr | PredicateLocation | Wand, ...]


@dataclass(frozen=True, slots=True)
class Forall(Node):
    """A pure universal quantifier; no triggers means none were written."""

    variables: tuple[Var, ...]
    triggers: tuple[Trigger, ...]
    body: Expr
    weight: int | None = None
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class Exists(Node):
    variables: tuple[Var, ...]
    triggers: tuple[Trigger, ...]
    body: Expr
    weight: int | None = None
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class ForPerm(Node):
    """`forperm variables [location] :: body`."""

    variables: tuple[Var, ...]
    location: Location
    body: Expr
    type: ClassVar[Type] = BOOL


# ---------------------------------------------------------------- collections


@dataclass(frozen=True, slots=True)
class SeqLit(Node):
    elements: tuple[Expr, ...]
    type: SeqType


@dataclass(frozen=True, slots=True)
class SetLit(Node):
    elements: tuple[Expr, ...]
    type: SetType


@dataclass(frozen=True, slots=True)
class MultisetLit(Node):
    elements: tuple[Expr, ...]
    type: MultisetType


@dataclass(frozen=True, slots=True)
class MapLit(Node):
    """Later entries win over earlier ones."""

    entries: tuple[tuple[Expr, Expr], ...]
    type: MapType


@dataclass(frozen=True, slots=True)
class SeqRange(Node):
    """`[low..high)`."""

    low: Expr
    high: Expr
    type: ClassVar[Type] = SeqType(INT)


@dataclass(frozen=True, slots=True)
class SeqAppend(Node):
    left: Expr
    right: Expr

    @property
    def type(self) -> Type:
        return self.left.type


@dataclass(frozen=True, slots=True)
class SeqIndex(Node):
    sequence: Expr
    index: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class SeqTake(Node):
    """`s[..count]`."""

    sequence: Expr
    count: Expr

    @property
    def type(self) -> Type:
        return self.sequence.type


@dataclass(frozen=True, slots=True)
class SeqDrop(Node):
    """`s[count..]`."""

    sequence: Expr
    count: Expr

    @property
    def type(self) -> Type:
        return self.sequence.type


@dataclass(frozen=True, slots=True)
class SeqUpdate(Node):
    sequence: Expr
    index: Expr
    value: Expr

    @property
    def type(self) -> Type:
        return self.sequence.type


@dataclass(frozen=True, slots=True)
class SeqContains(Node):
    element: Expr
    sequence: Expr
    type: ClassVar[Type] = BOOL


class SetOp(Enum):
    UNION = "union"
    INTERSECTION = "intersection"
    DIFFERENCE = "setminus"


@dataclass(frozen=True, slots=True)
class SetBinary(Node):
    """On two sets or two multisets of one type."""

    op: SetOp
    left: Expr
    right: Expr

    @property
    def type(self) -> Type:
        return self.left.type


@dataclass(frozen=True, slots=True)
class Subset(Node):
    """On two sets or two multisets of one type."""

    left: Expr
    right: Expr
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class SetContains(Node):
    element: Expr
    set: Expr
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class MultisetCount(Node):
    """`x in m` for a multiset: an Int."""

    element: Expr
    multiset: Expr
    type: ClassVar[Type] = INT


@dataclass(frozen=True, slots=True)
class Cardinality(Node):
    """`|e|` of a sequence, set, multiset or map."""

    collection: Expr
    type: ClassVar[Type] = INT


@dataclass(frozen=True, slots=True)
class MapLookup(Node):
    map: Expr
    key: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class MapUpdate(Node):
    map: Expr
    key: Expr
    value: Expr

    @property
    def type(self) -> Type:
        return self.map.type


@dataclass(frozen=True, slots=True)
class MapContains(Node):
    key: Expr
    map: Expr
    type: ClassVar[Type] = BOOL


@dataclass(frozen=True, slots=True)
class MapDomain(Node):
    map: Expr
    type: SetType


@dataclass(frozen=True, slots=True)
class MapRange(Node):
    map: Expr
    type: SetType


# ---------------------------------------------------------------- nodes the plugins remove


@dataclass(frozen=True, slots=True)
class Construct(Node):
    """Application of an ADT constructor (removed by the ADT plugin); `type` is an AdtType."""

    constructor: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Destruct(Node):
    """`receiver.argument` of an ADT (removed by the ADT plugin); total, value unspecified."""

    receiver: Expr
    argument: str
    type: Type


@dataclass(frozen=True, slots=True)
class Discriminate(Node):
    """`receiver.isC` of an ADT (removed by the ADT plugin)."""

    receiver: Expr
    constructor: str
    type: ClassVar[Type] = BOOL


PREDICATE_INSTANCE = DomainType("PredicateInstance")


@dataclass(frozen=True, slots=True)
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
