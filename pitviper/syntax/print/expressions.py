"""Expressions and types of the syntax tree as text on one line, with minimal parentheses.

An expression becomes a list of pieces: text, or an operand with the level it must have. A loop with
its own stack replaces operands by their pieces, so the depth of a tree does not matter.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from pitviper.syntax.tree import (
    Acc,
    And,
    AnnotatedExpr,
    Annotation,
    Applying,
    Ascription,
    Asserting,
    Binary,
    BoolLiteral,
    Call,
    Cardinality,
    CollectionLiteral,
    Comparison,
    Conditional,
    Expr,
    FieldAccess,
    ForPerm,
    Identifier,
    Index,
    InhaleExhale,
    IntLiteral,
    Let,
    MapDomain,
    MapLiteral,
    MapRange,
    Name,
    New,
    NullLiteral,
    Old,
    Or,
    Perm,
    PermLiteral,
    PredicateInstance,
    Quantifier,
    Range,
    ResultLiteral,
    Slice,
    TypeName,
    Unary,
    Unfolding,
    Update,
    VarBinding,
    Wand,
)

ANY, CONDITION, IMPLICATION, WAND, OR, AND, EQUALITY, COMPARISON = range(1, 9)
SUM, PRODUCT, UNARY, SUFFIX, ATOM = range(9, 14)
"""Levels of the grammar, loosest first; viper-language.md 4.1 has the table."""

# For each operator: its own level, that of its left operand, that of its right operand.
_BINARY_LEVELS: dict[str, tuple[int, int, int]] = {
    "<==>": (CONDITION, IMPLICATION, CONDITION),
    "==>": (IMPLICATION, WAND, IMPLICATION),
    **dict.fromkeys(("==", "!="), (EQUALITY, COMPARISON, EQUALITY)),
    **dict.fromkeys(
        ("+", "-", "++", "union", "intersection", "setminus", "subset"), (SUM, SUM, PRODUCT)
    ),
    **dict.fromkeys(("*", "/", "\\", "%"), (PRODUCT, PRODUCT, UNARY)),
}

Behind: TypeAlias = Literal["end", "more"]
END: Literal["end"] = "end"
MORE: Literal["more"] = "more"
"""What stands behind an operand: nothing that it could take for a part of itself, or more. The
bodies of `forall` and its kind and the right side of a wand take all they can get, so these need
parentheses if there is more."""

Operand: TypeAlias = tuple[Expr, int, Behind]
"""An expression, the loosest level allowed, and what stands behind it."""
Piece: TypeAlias = str | Operand

_Binder: TypeAlias = Let | Quantifier | ForPerm | Unfolding | Applying | Asserting
_Operation: TypeAlias = Unary | Binary | Comparison | And | Or | Wand | Conditional
_Suffixed: TypeAlias = FieldAccess | Index | Slice | Update
_Literal: TypeAlias = IntLiteral | BoolLiteral | NullLiteral | ResultLiteral | PermLiteral
_Collection: TypeAlias = Cardinality | Range | CollectionLiteral | MapLiteral | MapDomain | MapRange
_Resource: TypeAlias = Acc | Perm | Old | InhaleExhale | New | PredicateInstance
_Leaf: TypeAlias = Name | Call | Ascription | AnnotatedExpr | _Literal


def print_expr(e: Expr, level: int = ANY) -> str:
    """The expression on one line, for a place where the grammar has this level."""
    out: list[str] = []
    todo: list[Piece] = [(e, level, END)]
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            if piece == "|" and out and out[-1] == "|":
                out.append(" ")  # two bars side by side would be the token `||`
            out.append(piece)
        elif _needs_parentheses(*piece):
            todo += [")", (piece[0], ANY, END), "("]
        else:
            todo += reversed(_pieces(piece[0], piece[2]))
    return "".join(out)


def print_type(t: TypeName) -> str:
    if t.args is None:
        return t.name
    return f"{t.name}[{', '.join([print_type(a) for a in t.args])}]"


def print_bindings(variables: tuple[VarBinding, ...]) -> str:
    return ", ".join([f"{v.name.name}: {print_type(v.type)}" for v in variables])


def print_names(names: tuple[Identifier, ...]) -> str:
    return ", ".join([n.name for n in names])


def print_annotation(a: Annotation) -> str:
    values = ", ".join([f'"{v}"' for v in a.values])
    return f"@{a.key}({values})"


def first_atom(e: Expr) -> Expr:
    """The expression without its suffixes."""
    while True:
        match e:
            case FieldAccess():
                e = e.receiver
            case Index() | Slice() | Update():
                e = e.base
            case _:
                return e


def _needs_parentheses(e: Expr, level: int, behind: Behind) -> bool:
    match e:
        case Binary():
            return _BINARY_LEVELS[e.op][0] < level
        case And():
            return level > AND
        case Or():
            return level > OR
        case Comparison():
            return level > COMPARISON
        case Unary():
            return level > UNARY
        case FieldAccess() | Index() | Slice() | Update():
            return level > SUFFIX
        case Wand():
            return level > WAND or behind == MORE
        case Conditional():
            return level > ANY
        case Let() | Quantifier() | ForPerm() | Unfolding() | Applying() | Asserting():
            return behind == MORE
        case _:
            return False


def _pieces(e: Expr, behind: Behind) -> list[Piece]:
    match e:
        case FieldAccess() | Index() | Slice() | Update():
            return _suffixed(e)
        case Unary() | Binary() | Comparison() | And() | Or() | Wand() | Conditional():
            return _operation(e, behind)
        case Let() | Quantifier() | ForPerm() | Unfolding() | Applying() | Asserting():
            return _binder(e)
        case Acc() | Perm() | Old() | InhaleExhale() | New() | PredicateInstance():
            return _resource(e)
        case (
            Cardinality() | Range() | CollectionLiteral() | MapLiteral() | MapDomain() | MapRange()
        ):
            return _collection(e)
        case _:
            return _leaf(e, behind)


def _leaf(e: _Leaf, behind: Behind) -> list[Piece]:
    match e:
        case Name():
            return [e.name]
        case Call():
            return [e.callee.name, "(", *_listed(e.args), ")"]
        case Ascription():
            return ["(", (e.call, ATOM, END), ": ", print_type(e.type), ")"]
        case AnnotatedExpr():
            return _annotated(e, behind)
        case _:
            return [_literal(e)]


def _literal(e: _Literal) -> str:
    match e:
        case IntLiteral():
            return str(e.value)
        case BoolLiteral():
            return "true" if e.value else "false"
        case NullLiteral():
            return "null"
        case ResultLiteral():
            return "result"
        case PermLiteral():
            return e.kind
        case _:
            assert_never(e)


def _annotated(e: AnnotatedExpr, behind: Behind) -> list[Piece]:
    """Annotations stand before an atom; those in a row belong to one node."""
    heads = " ".join([print_annotation(a) for a in e.annotations]) + " "
    if isinstance(e.expr, AnnotatedExpr):
        return [heads, "(", (e.expr, ANY, END), ")"]
    return [heads, (e.expr, ATOM, behind)]


def _suffixed(e: _Suffixed) -> list[Piece]:
    match e:
        case FieldAccess():
            return [(e.receiver, SUFFIX, MORE), ".", e.field.name]
        case Index():
            return [(e.base, SUFFIX, MORE), "[", (e.index, ANY, END), "]"]
        case Slice():
            low: list[Piece] = [] if e.low is None else [(e.low, ANY, END)]
            high: list[Piece] = [] if e.high is None else [(e.high, ANY, END)]
            return [(e.base, SUFFIX, MORE), "[", *low, "..", *high, "]"]
        case Update():
            inside: list[Piece] = [(e.key, ANY, END), " := ", (e.value, ANY, END)]
            return [(e.base, SUFFIX, MORE), "[", *inside, "]"]
        case _:
            assert_never(e)


def _operation(e: _Operation, behind: Behind) -> list[Piece]:
    match e:
        case Binary():
            _, left, right = _BINARY_LEVELS[e.op]
            op = "/" if _is_fraction(e) else f" {e.op} "
            return [(e.left, left, MORE), op, (e.right, right, behind)]
        case And():
            return _chain(e.operands, ("&&",) * (len(e.operands) - 1), EQUALITY, behind)
        case Or():
            return _chain(e.operands, ("||",) * (len(e.operands) - 1), AND, behind)
        case Comparison():
            return _chain(e.operands, e.ops, SUM, behind)
        case Unary():
            return [e.op, (e.operand, UNARY, behind)]
        case Wand():
            return [(e.left, OR, MORE), " --* ", (e.right, ANY, END)]
        case Conditional():
            branches: list[Piece] = [(e.then, ANY, END), " : ", (e.otherwise, ANY, behind)]
            return [(e.condition, CONDITION, MORE), " ? ", *branches]
        case _:
            assert_never(e)


def _is_fraction(e: Binary) -> bool:
    """`1/2` is written without blanks."""
    numbers = isinstance(e.left, IntLiteral) and isinstance(e.right, IntLiteral)
    return numbers and e.op == "/"


def _chain(
    operands: tuple[Expr, ...],
    ops: tuple[str, ...],
    level: int,
    behind: Behind,
) -> list[Piece]:
    pieces: list[Piece] = []
    for operand, op in zip(operands, ops, strict=False):
        pieces += [(operand, level, MORE), f" {op} "]
    pieces.append((operands[-1], level, behind))
    return pieces


def _binder(e: _Binder) -> list[Piece]:
    """`forall` and its kind: the body takes everything up to the next closing bracket."""
    body: Operand = (e.body, ANY, END)
    match e:
        case Quantifier():
            triggers = _triggers(e)
            return [f"{e.kind} ", print_bindings(e.variables), " :: ", *triggers, body]
        case ForPerm():
            head = f"forperm {print_bindings(e.variables)} ["
            return [head, (e.resource, WAND, END), "] :: ", body]
        case Let():
            return [f"let {e.name.name} == (", (e.bound, ANY, END), ") in ", body]
        case Unfolding():
            return ["unfolding ", (e.resource, ATOM, MORE), " in ", body]
        case Applying():
            return ["applying (", (e.wand, WAND, END), ") in ", body]
        case Asserting():
            return ["asserting (", (e.assertion, ANY, END), ") in ", body]
        case _:
            assert_never(e)


def _triggers(e: Quantifier) -> list[Piece]:
    pieces: list[Piece] = []
    for trigger in e.triggers:
        pieces += ["{", *_listed(trigger.exprs), "} "]
    return pieces


def _resource(e: _Resource) -> list[Piece]:
    match e:
        case Acc():
            return [
                "acc(",
                *_listed((e.location,) if e.amount is None else (e.location, e.amount)),
                ")",
            ]
        case Perm():
            return ["perm(", (e.resource, WAND, END), ")"]
        case Old():
            label = "" if e.label is None else f"[{e.label.name}]"
            return [f"old{label}(", (e.operand, ANY, END), ")"]
        case InhaleExhale():
            return ["[", *_listed((e.inhaled, e.exhaled)), "]"]
        case New():
            return ["new(*)" if e.fields is None else f"new({print_names(e.fields)})"]
        case PredicateInstance():
            return [f"#{e.predicate.name}(", *_listed(e.args), ")"]
        case _:
            assert_never(e)


def _collection(e: _Collection) -> list[Piece]:
    match e:
        case Cardinality():
            return ["|", (e.operand, ANY, END), "|"]
        case Range():
            return ["[", (e.low, ANY, END), "..", (e.high, ANY, END), ")"]
        case CollectionLiteral():
            element = "" if e.element_type is None else f"[{print_type(e.element_type)}]"
            return [f"{e.kind}{element}(", *_listed(e.elements), ")"]
        case MapLiteral():
            return _map_literal(e)
        case MapDomain():
            return ["domain(", (e.operand, ANY, END), ")"]
        case MapRange():
            return ["range(", (e.operand, ANY, END), ")"]
        case _:
            assert_never(e)


def _map_literal(e: MapLiteral) -> list[Piece]:
    types = "" if e.types is None else f"[{print_type(e.types[0])}, {print_type(e.types[1])}]"
    entries: list[Piece] = []
    for key, value in e.entries:
        entries += [", ", (key, ANY, END), " := ", (value, ANY, END)]
    return [f"Map{types}(", *entries[1:], ")"]


def _listed(exprs: tuple[Expr, ...]) -> list[Piece]:
    pieces: list[Piece] = []
    for e in exprs:
        pieces += [", ", (e, ANY, END)]
    return pieces[1:]
