"""Expressions as object languages write them, where that is not how Viper does.

`a[i]` for an element of an array, `forall int i in 0..n :: ...` for a range, `seq<int>(1, 2)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from pitviper.base.qualified import is_qualified
from pitviper.base.record import replace
from pitviper.program import assertion, expr
from pitviper.program.classes import CLASS
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.types import BOOL, INT, REF, MapType, MultisetType, SeqType, SetType, Type
from pitviper.program.walk import descendants, rewrite
from pitviper.source.span import NO_SPAN, Span

N = TypeVar("N", bound=Node)

ENDING = ".cool"
ELEMENTS = "[].elems"
"""How the names of fields end that hold the elements of arrays."""

Quantifier = expr.Forall | expr.Exists | assertion.QuantifiedPermission


def is_of_objects(node: Node) -> bool:
    """Whether a node belongs to a program of classes: by its place, or by the names in it."""
    if node.span.file.path.suffix == ENDING:
        return True
    return any(_names_a_member(inner) for inner in descendants(node))


def _names_a_member(node: Node) -> bool:
    match node:
        case expr.FieldRead(field=name) | assertion.FieldLocation(field=name):
            return is_qualified(name)
        case expr.FunctionApp(function=name) | assertion.PredicateLocation(predicate=name):
            return is_qualified(name)
        case _:
            return False


ARRAYS = "arrays"
"""The annotation of fields and methods that hold arrays: names, each followed by its type."""


def arrays_of(program: Program, method: str) -> dict[str, str]:
    """The types of the fields, and of the parameters of a method, that hold arrays, by name."""
    notes = [
        note
        for declared in (program.methods.get(method), *program.fields.values())
        if declared is not None
        for note in declared.annotations
        if note.key == ARRAYS
    ]
    pairs = [pair for n in notes for pair in zip(n.values[::2], n.values[1::2], strict=True)]
    return dict(pairs)


_DECLARED = re.compile(r"//[^\n]*|/\*.*?\*/|\b(?:class|interface)\s+(\w+)", re.DOTALL)


@lru_cache(maxsize=8)
def class_names(text: str) -> tuple[str, ...]:
    """The classes and interfaces that a file declares, in its order."""
    return tuple([found[1] for found in _DECLARED.finditer(text) if found[1] is not None])


def class_of(e: expr.Expr) -> tuple[expr.Expr, str] | None:
    """The object and the class, where an equation tells which class an object is of."""
    match e:
        case expr.Equal(expr.FunctionApp(function=function, args=(value,)), expr.IntLit(number)):
            at = value.span if e.span == NO_SPAN else e.span
            names = class_names(at.file.text) if function == CLASS else ()
            return (value, names[number - 1]) if 0 < number <= len(names) else None
        case _:
            return None


_NUMBERED = re.compile(r"\.class (==|!=) (\d+)")


def with_class_names(text: str, at: Span) -> str:
    """A text about numbers of classes, with their names in the file of a place."""
    names = class_names(at.file.text)

    def named(found: re.Match[str]) -> str:
        number = int(found[2])
        name = names[number - 1] if 0 < number <= len(names) else found[2]
        return f".class {found[1]} {name}"

    return _NUMBERED.sub(named, text)


def placed(node: N, at: Span | None) -> N:
    """A node that stands nowhere, such as the meaning of a term, as one of a place in a program.

    So it is written in the words of that program; nodes of Viper stay as they are.
    """
    if at is None or at.file.path.suffix != ENDING:
        return node
    return rewrite(node, lambda n: replace(n, span=at) if n.span == NO_SPAN else None)


def array_of(node: Node) -> expr.Expr | None:
    """The array whose elements an expression is; None for all others."""
    if isinstance(node, expr.FieldRead) and node.field.endswith(ELEMENTS):
        return node.receiver
    return None


def type_words(type_: Type, name: str = "", at: Span | None = None) -> str:
    """A type in words of the language; that of an object as it is written at a place."""
    match type_:
        case SeqType(element):
            return f"seq<{type_words(element)}>"
        case SetType(element) | MultisetType(element):
            return f"set<{type_words(element)}>"
        case MapType(key, value):
            return f"map<{type_words(key)}, {type_words(value)}>"
        case _ if type_ == REF:
            pattern = rf"([A-Za-z]\S*)\s+{re.escape(name)}\b"
            written = None if at is None else re.search(pattern, at.text)
            return "object" if written is None else written[1]
        case _:
            return {INT: "int", BOOL: "bool"}.get(type_, str(type_))


def range_of(
    variable: expr.Var, condition: expr.Expr
) -> tuple[tuple[expr.Expr, ...], tuple[expr.Expr, ...]]:
    """The bounds or the collection that a variable goes through, and what else is asked of it."""
    parts = condition.operands if isinstance(condition, expr.And) else (condition,)
    inside = [inner for part in parts for inner in _conjuncts(part)]
    flat = tuple([part for part in inside if not _tells_class(part, variable)])
    match flat:
        case [
            expr.Compare(expr.CompareOp.LE, low, first),
            expr.Compare(expr.CompareOp.LT, second, high),
            *others,
        ] if first == second == variable:
            return (low, high), tuple(others)
        case [
            expr.SetContains(element, collection) | expr.SeqContains(element, collection),
            *others,
        ] if element == variable:
            return (collection,), tuple(others)
    return (), flat


def _tells_class(e: expr.Expr, variable: expr.Var) -> bool:
    """Whether a condition, which nobody wrote, says that a variable is of its type."""
    match e:
        case expr.Implies(expr.NotEqual(first, expr.NullLit()), known) if first == variable:
            return any(
                isinstance(node, expr.FunctionApp) and node.function == "object.class"
                for node in descendants(known)
            )
        case _:
            return False


def _conjuncts(e: expr.Expr) -> Sequence[expr.Expr]:
    return e.operands if isinstance(e, expr.And) else (e,)
