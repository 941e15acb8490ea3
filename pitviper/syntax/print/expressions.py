"""Expressions and types of the syntax tree as text on one line, with minimal parentheses.

An expression becomes a list of pieces: text, or an operand with the level it must have. A loop with
its own stack replaces operands by their pieces, so the depth of a tree does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from typing import Literal, TypeAlias

from pitviper.syntax import tree

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

Operand: TypeAlias = tuple[tree.Expr, int, Behind]
"""An expression, the loosest level allowed, and what stands behind it."""
Piece: TypeAlias = str | Operand


def print_expr(e: tree.Expr, level: int = ANY) -> str:
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
            todo += reversed(_PIECES[type(piece[0])](piece[0], piece[2]))
    return "".join(out)


def print_type(t: tree.TypeName) -> str:
    if t.args is None:
        return t.name
    return f"{t.name}[{', '.join([print_type(a) for a in t.args])}]"


def print_bindings(variables: tuple[tree.VarBinding, ...]) -> str:
    return ", ".join([f"{v.name.name}: {print_type(v.type)}" for v in variables])


def print_names(names: tuple[tree.Identifier, ...]) -> str:
    return ", ".join([n.name for n in names])


def print_annotation(a: tree.Annotation) -> str:
    values = ", ".join([f'"{v}"' for v in a.values])
    return f"@{a.key}({values})"


def first_atom(e: tree.Expr) -> tree.Expr:
    """The expression without its suffixes."""
    while True:
        match e:
            case tree.FieldAccess():
                e = e.receiver
            case tree.Index() | tree.Slice() | tree.Update():
                e = e.base
            case _:
                return e


_BINDERS = (
    tree.Let, tree.Quantifier, tree.ForPerm, tree.Unfolding, tree.Applying, tree.Asserting,
)  # fmt: skip


def _needs_parentheses(e: tree.Expr, level: int, behind: Behind) -> bool:
    match e:
        case tree.Binary():
            return _BINARY_LEVELS[e.op][0] < level
        case tree.And():
            return level > AND
        case tree.Or():
            return level > OR
        case tree.Comparison():
            return level > COMPARISON
        case tree.Unary():
            return level > UNARY
        case tree.FieldAccess() | tree.Index() | tree.Slice() | tree.Update():
            return level > SUFFIX
        case tree.Wand():
            return level > WAND or behind == MORE
        case tree.Conditional():
            return level > ANY
        case _:
            return behind == MORE and isinstance(e, _BINDERS)


def _annotated(e: tree.AnnotatedExpr, behind: Behind) -> list[Piece]:
    """Annotations stand before an atom; those in a row belong to one node."""
    heads = " ".join([print_annotation(a) for a in e.annotations]) + " "
    if isinstance(e.expr, tree.AnnotatedExpr):
        return [heads, "(", _free(e.expr), ")"]
    return [heads, (e.expr, ATOM, behind)]


def _slice(e: tree.Slice, _: Behind) -> list[Piece]:
    low: list[Piece] = [] if e.low is None else [_free(e.low)]
    high: list[Piece] = [] if e.high is None else [_free(e.high)]
    return [(e.base, SUFFIX, MORE), "[", *low, "..", *high, "]"]


def _binary(e: tree.Binary, behind: Behind) -> list[Piece]:
    _, left, right = _BINARY_LEVELS[e.op]
    op = "/" if _is_fraction(e) else f" {e.op} "
    return [(e.left, left, MORE), op, (e.right, right, behind)]


def _is_fraction(e: tree.Binary) -> bool:
    """`1/2` is written without blanks."""
    numbers = isinstance(e.left, tree.IntLiteral) and isinstance(e.right, tree.IntLiteral)
    return numbers and e.op == "/"


def _conditional(e: tree.Conditional, behind: Behind) -> list[Piece]:
    branches: list[Piece] = [_free(e.then), " : ", (e.otherwise, ANY, behind)]
    return [(e.condition, CONDITION, MORE), " ? ", *branches]


def _chain(
    operands: tuple[tree.Expr, ...], ops: Iterable[str], level: int, behind: Behind
) -> list[Piece]:
    pieces: list[Piece] = []
    for operand, op in zip(operands[:-1], ops, strict=False):
        pieces += [(operand, level, MORE), f" {op} "]
    pieces.append((operands[-1], level, behind))
    return pieces


def _quantifier(e: tree.Quantifier, _: Behind) -> list[Piece]:
    triggers: list[Piece] = []
    for trigger in e.triggers:
        triggers += ["{", *_listed(trigger.exprs), "} "]
    return [f"{e.kind} ", print_bindings(e.variables), " :: ", *triggers, _free(e.body)]


def _for_perm(e: tree.ForPerm, _: Behind) -> list[Piece]:
    head = f"forperm {print_bindings(e.variables)} ["
    return [head, (e.resource, WAND, END), "] :: ", _free(e.body)]


def _access(e: tree.Acc, _: Behind) -> list[Piece]:
    parts = (e.location,) if e.amount is None else (e.location, e.amount)
    return ["acc(", *_listed(parts), ")"]


def _old(e: tree.Old, _: Behind) -> list[Piece]:
    label = "" if e.label is None else f"[{e.label.name}]"
    return [f"old{label}(", _free(e.operand), ")"]


def _collection(e: tree.CollectionLiteral, _: Behind) -> list[Piece]:
    element = "" if e.element_type is None else f"[{print_type(e.element_type)}]"
    return [f"{e.kind}{element}(", *_listed(e.elements), ")"]


def _map_literal(e: tree.MapLiteral, _: Behind) -> list[Piece]:
    types = "" if e.types is None else f"[{print_type(e.types[0])}, {print_type(e.types[1])}]"
    entries: list[Piece] = []
    for key, value in e.entries:
        entries += [", ", _free(key), " := ", _free(value)]
    return [f"Map{types}(", *entries[1:], ")"]


def _free(e: tree.Expr) -> Operand:
    """An operand between brackets: any level, and nothing behind it."""
    return e, ANY, END


def _listed(exprs: tuple[tree.Expr, ...]) -> list[Piece]:
    pieces: list[Piece] = []
    for e in exprs:
        pieces += [", ", _free(e)]
    return pieces[1:]


_PIECES: Mapping[type, Callable[..., list[Piece]]] = {
    tree.Name: lambda e, _: [e.name],
    tree.IntLiteral: lambda e, _: [str(e.value)],
    tree.BoolLiteral: lambda e, _: ["true" if e.value else "false"],
    tree.NullLiteral: lambda e, _: ["null"],
    tree.ResultLiteral: lambda e, _: ["result"],
    tree.PermLiteral: lambda e, _: [e.kind],
    tree.Call: lambda e, _: [e.callee.name, "(", *_listed(e.args), ")"],
    tree.Ascription: lambda e, _: ["(", (e.call, ATOM, END), ": ", print_type(e.type), ")"],
    tree.AnnotatedExpr: _annotated,
    tree.FieldAccess: lambda e, _: [(e.receiver, SUFFIX, MORE), ".", e.field.name],
    tree.Index: lambda e, _: [(e.base, SUFFIX, MORE), "[", _free(e.index), "]"],
    tree.Slice: _slice,
    tree.Update: lambda e, _: [
        (e.base, SUFFIX, MORE), "[", _free(e.key), " := ", _free(e.value), "]",
    ],
    tree.Unary: lambda e, behind: [e.op, (e.operand, UNARY, behind)],
    tree.Binary: _binary,
    tree.Comparison: lambda e, behind: _chain(e.operands, e.ops, SUM, behind),
    tree.And: lambda e, behind: _chain(e.operands, repeat("&&"), EQUALITY, behind),
    tree.Or: lambda e, behind: _chain(e.operands, repeat("||"), AND, behind),
    tree.Wand: lambda e, _: [(e.left, OR, MORE), " --* ", _free(e.right)],
    tree.Conditional: _conditional,
    tree.Let: lambda e, _: [f"let {e.name.name} == (", _free(e.bound), ") in ", _free(e.body)],
    tree.Quantifier: _quantifier,
    tree.ForPerm: _for_perm,
    tree.Unfolding: lambda e, _: [
        "unfolding ", (e.resource, ATOM, MORE), " in ", _free(e.body),
    ],
    tree.Applying: lambda e, _: ["applying (", (e.wand, WAND, END), ") in ", _free(e.body)],
    tree.Asserting: lambda e, _: ["asserting (", _free(e.assertion), ") in ", _free(e.body)],
    tree.Acc: _access,
    tree.Perm: lambda e, _: ["perm(", (e.resource, WAND, END), ")"],
    tree.Old: _old,
    tree.InhaleExhale: lambda e, _: ["[", *_listed((e.inhaled, e.exhaled)), "]"],
    tree.New: lambda e, _: ["new(*)" if e.fields is None else f"new({print_names(e.fields)})"],
    tree.PredicateInstance: lambda e, _: [f"#{e.predicate.name}(", *_listed(e.args), ")"],
    tree.Cardinality: lambda e, _: ["|", _free(e.operand), "|"],
    tree.Range: lambda e, _: ["[", _free(e.low), "..", _free(e.high), ")"],
    tree.CollectionLiteral: _collection,
    tree.MapLiteral: _map_literal,
    tree.MapDomain: lambda e, _: ["domain(", _free(e.operand), ")"],
    tree.MapRange: lambda e, _: ["range(", _free(e.operand), ")"],
}  # fmt: skip
"""The pieces of each class of expressions, for what stands behind it; a test finds a class that is
missing here. Bodies of `forall` and its kind take all up to the next closing bracket."""
