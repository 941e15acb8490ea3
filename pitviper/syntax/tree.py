"""The syntax tree: one frozen class per construct of the grammar.

Sugar is kept and names are unresolved. Spans take no part in equality. Parentheses are not
recorded: the printer puts them back where the grammar needs them. A chain `a && b && c` is one
n-ary node, so a tree is deep only where the source nests.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pitviper.base.record import field, record
from pitviper.source.span import Span


@record(kw_only=True)
class Node:
    span: Span = field(compare=False, repr=False)


# ---------------------------------------------------------------- names, types, annotations


@record
class Identifier(Node):
    """A name with its place: declarations, callees, labels, field names."""

    name: str


@record
class Annotation(Node):
    """`@key("v1", "v2")`."""

    key: str
    values: tuple[str, ...]


@record
class TypeName(Node):
    """`Int`, `Seq[T]`, `List`, `D[]`: `args` is None where no bracket was written."""

    name: str
    args: tuple[TypeName, ...] | None = None


@record
class VarBinding(Node):
    """`x: T` as parameter, return, local, or bound variable."""

    name: Identifier
    type: TypeName


# ---------------------------------------------------------------- expressions


@record
class Name(Node):
    """A variable or a parameterless macro."""

    name: str


@record
class IntLiteral(Node):
    value: int


@record
class BoolLiteral(Node):
    value: bool


@record
class NullLiteral(Node):
    pass


@record
class ResultLiteral(Node):
    pass


@record
class PermLiteral(Node):
    kind: Literal["write", "none", "wildcard", "epsilon"]


@record
class Call(Node):
    """`f(e,*)`: function, domain function, predicate, constructor, method or macro."""

    callee: Identifier
    args: tuple[Expr, ...]


@record
class Ascription(Node):
    """`(f(e,*): T)`, which is written only inside parentheses."""

    call: Call
    type: TypeName


@record
class FieldAccess(Node):
    """`e.f`: field, ADT destructor or discriminator."""

    receiver: Expr
    field: Identifier


@record
class Index(Node):
    """`e[i]`: sequence index or map lookup."""

    base: Expr
    index: Expr


@record
class Slice(Node):
    """`s[low..high]`; one bound may be missing, not both."""

    base: Expr
    low: Expr | None
    high: Expr | None


@record
class Update(Node):
    """`e[k := v]`."""

    base: Expr
    key: Expr
    value: Expr


UnaryOp: TypeAlias = Literal["-", "!"]


@record
class Unary(Node):
    op: UnaryOp
    operand: Expr


BinaryOp: TypeAlias = Literal[
    "<==>", "==>", "==", "!=",
    "+", "-", "++", "union", "intersection", "setminus", "subset",
    "*", "/", "\\", "%",
]  # fmt: skip


@record
class Binary(Node):
    """Binary operators other than `&&`, `||`, comparisons and `--*`."""

    op: BinaryOp
    left: Expr
    right: Expr


ComparisonOp: TypeAlias = Literal["<", "<=", ">", ">=", "in"]


@record
class Comparison(Node):
    """`e0 op1 e1 op2 e2 ...`: one operator, or an unparenthesised chain of them."""

    operands: tuple[Expr, ...]
    ops: tuple[ComparisonOp, ...]


@record
class And(Node):
    """`a && b && c`, at least two operands."""

    operands: tuple[Expr, ...]


@record
class Or(Node):
    """`a || b || c`, at least two operands."""

    operands: tuple[Expr, ...]


@record
class Wand(Node):
    """`A --* B`."""

    left: Expr
    right: Expr


@record
class Conditional(Node):
    """`c ? a : b`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@record
class Cardinality(Node):
    """`|e|`."""

    operand: Expr


@record
class Range(Node):
    """`[low..high)`."""

    low: Expr
    high: Expr


@record
class InhaleExhale(Node):
    """`[A, B]`."""

    inhaled: Expr
    exhaled: Expr


@record
class CollectionLiteral(Node):
    """`Seq(...)`, `Set(...)`, `Multiset(...)`; `element_type` only where `Seq[T]()` says it."""

    kind: Literal["Seq", "Set", "Multiset"]
    element_type: TypeName | None
    elements: tuple[Expr, ...]


@record
class MapLiteral(Node):
    """`Map(k := v, ...)`; `types` only where `Map[K, V]()` says them."""

    types: tuple[TypeName, TypeName] | None
    entries: tuple[tuple[Expr, Expr], ...]


@record
class MapDomain(Node):
    """`domain(m)`."""

    operand: Expr


@record
class MapRange(Node):
    """`range(m)`."""

    operand: Expr


@record
class Acc(Node):
    """`acc(location)` or `acc(location, amount)`."""

    location: Expr
    amount: Expr | None


@record
class Perm(Node):
    """`perm(resource)`."""

    resource: Expr


@record
class Old(Node):
    """`old(e)`, `old[label](e)`, `old[lhs](e)`."""

    label: Identifier | None
    operand: Expr


@record
class Let(Node):
    """`let x == (e) in body`."""

    name: Identifier
    bound: Expr
    body: Expr


@record
class Trigger(Node):
    """`{e1, e2}`: one multi-pattern."""

    exprs: tuple[Expr, ...]


@record
class Quantifier(Node):
    kind: Literal["forall", "exists"]
    variables: tuple[VarBinding, ...]
    triggers: tuple[Trigger, ...]
    body: Expr


@record
class ForPerm(Node):
    """`forperm x: T [resource] :: body`."""

    variables: tuple[VarBinding, ...]
    resource: Expr
    body: Expr


@record
class Unfolding(Node):
    """`unfolding P(x) in body`; `resource` is a Call or an Acc."""

    resource: Expr
    body: Expr


@record
class Applying(Node):
    """`applying (A --* B) in body`."""

    wand: Expr
    body: Expr


@record
class Asserting(Node):
    """`asserting (A) in body`."""

    assertion: Expr
    body: Expr


@record
class New(Node):
    """`new(f, g)`; `fields` is None for `new(*)`. Only as the right side of an assignment."""

    fields: tuple[Identifier, ...] | None


@record
class PredicateInstance(Node):
    """`#P(e,*)`."""

    predicate: Identifier
    args: tuple[Expr, ...]


@record
class AnnotatedExpr(Node):
    """`@key("v") atom`, with all annotations that stand in a row."""

    annotations: tuple[Annotation, ...]
    expr: Expr


Expr: TypeAlias = (
    Name | IntLiteral | BoolLiteral | NullLiteral | ResultLiteral | PermLiteral
    | Call | Ascription | FieldAccess | Index | Slice | Update | Unary | Binary | Comparison
    | And | Or | Wand | Conditional | Cardinality | Range | InhaleExhale
    | CollectionLiteral | MapLiteral | MapDomain | MapRange | Acc | Perm | Old | Let
    | Quantifier | ForPerm | Unfolding | Applying | Asserting | New | PredicateInstance
    | AnnotatedExpr
)  # fmt: skip


# ---------------------------------------------------------------- contract clauses


@record
class Clause(Node):
    """`requires A`, `ensures A`, `invariant A`; the span is that of the expression's clause."""

    kind: Literal["requires", "ensures", "invariant"]
    condition: Expr


@record
class Decreases(Node):
    """`decreases e1, e2 if c` (tuple), `decreases _ if c` (wildcard), `decreases *` (star)."""

    kind: Literal["tuple", "wildcard", "star"]
    measures: tuple[Expr, ...]
    condition: Expr | None


Specification: TypeAlias = Clause | Decreases


# ---------------------------------------------------------------- statements


@record
class Statement(Node):
    """What all statements have: the annotations in front of them."""

    annotations: tuple[Annotation, ...] = field(default=(), kw_only=True)


@record
class Block(Statement):
    """`{ ... }`: opens a scope."""

    statements: tuple[Stmt, ...]


@record
class VarDeclaration(Statement):
    """`var x: T, y: U := rhs`."""

    variables: tuple[VarBinding, ...]
    init: Expr | None


@record
class Assign(Statement):
    """`targets := rhs`; a call on the right is a function application or a method call."""

    targets: tuple[Expr, ...]
    value: Expr


@record
class ExprStatement(Statement):
    """A bare expression: a call of a method without returns, or a statement macro."""

    expr: Expr


@record
class AssertionStatement(Statement):
    """`inhale A`, `exhale A`, `assert A`, `assume A`, `refute e`."""

    kind: Literal["inhale", "exhale", "assert", "assume", "refute"]
    assertion: Expr


@record
class FoldUnfold(Statement):
    kind: Literal["fold", "unfold"]
    resource: Expr


@record
class Package(Statement):
    wand: Expr
    script: Block | None


@record
class Apply(Statement):
    wand: Expr


@record
class If(Statement):
    """`if (c) {..} elseif (d) {..} else {..}`; an `elseif` is an If in `otherwise`."""

    condition: Expr
    then: Block
    otherwise: Block | If | None


@record
class While(Statement):
    condition: Expr
    specs: tuple[Specification, ...]
    body: Block


@record
class Label(Statement):
    name: Identifier
    invariants: tuple[Clause, ...]


@record
class Goto(Statement):
    target: Identifier


@record
class Quasihavoc(Statement):
    """`quasihavoc c ==> r`: `operand` is the whole expression behind the keyword."""

    operand: Expr


@record
class QuasihavocAll(Statement):
    """`quasihavocall x: T :: c ==> r`."""

    variables: tuple[VarBinding, ...]
    operand: Expr


@record
class Unreachable(Statement):
    """`unreachable`; the parser yields it only where smoke detection is on."""


Stmt: TypeAlias = """(
    Block | VarDeclaration | Assign | ExprStatement | AssertionStatement | FoldUnfold | Package
    | Apply | If | While | Label | Goto | Quasihavoc | QuasihavocAll | Unreachable | Define
)"""


# ---------------------------------------------------------------- members


@record
class Declaration(Node):
    """What all members have: the annotations in front of them (their span starts there)."""

    annotations: tuple[Annotation, ...] = field(default=(), kw_only=True)


@record
class Import(Declaration):
    """`import "path"` (`library` false) or `import <path>` (`library` true)."""

    path: str
    library: bool


@record
class Define(Declaration):
    """A macro, as member or as statement; `params` is None where no parentheses were written."""

    name: Identifier
    params: tuple[Identifier, ...] | None
    body: Expr | Block


@record
class FieldDeclaration(Declaration):
    """`field f: T, g: U`."""

    fields: tuple[VarBinding, ...]


@record
class Method(Declaration):
    """`returns` is None where the keyword was not written. `specs` in source order."""

    name: Identifier
    params: tuple[VarBinding, ...]
    returns: tuple[VarBinding, ...] | None
    specs: tuple[Specification, ...]
    body: Block | None


@record
class Function(Declaration):
    name: Identifier
    params: tuple[VarBinding, ...]
    result: TypeName
    specs: tuple[Specification, ...]
    body: Expr | None


@record
class Predicate(Declaration):
    name: Identifier
    params: tuple[VarBinding, ...]
    body: Expr | None


@record
class Interpretation(Node):
    """`SMTLIB: "text"`."""

    key: str
    value: str


@record
class DomainParameter(Node):
    """A parameter of a domain function: its name may be missing."""

    name: Identifier | None
    type: TypeName


@record
class DomainFunction(Declaration):
    unique: bool
    name: Identifier
    params: tuple[DomainParameter, ...]
    result: TypeName
    interpretation: str | None


@record
class Axiom(Declaration):
    name: Identifier | None
    body: Expr


@record
class Domain(Declaration):
    """`type_params` is None where no bracket was written; `members` in source order."""

    name: Identifier
    type_params: tuple[Identifier, ...] | None
    interpretations: tuple[Interpretation, ...] | None
    members: tuple[DomainFunction | Axiom, ...]


@record
class Constructor(Declaration):
    name: Identifier
    params: tuple[VarBinding, ...]


@record
class Derivation(Node):
    """`contains[U] without f1, f2`."""

    name: Identifier
    type_arg: TypeName | None
    without: tuple[Identifier, ...]


@record
class Adt(Declaration):
    """`derives` is None where the keyword was not written."""

    name: Identifier
    type_params: tuple[Identifier, ...] | None
    constructors: tuple[Constructor, ...]
    derives: tuple[Derivation, ...] | None


Member: TypeAlias = (
    Import | Define | FieldDeclaration | Method | Function | Predicate | Domain | Adt
)


@record
class File(Node):
    """One source file: its members in source order."""

    members: tuple[Member, ...]
