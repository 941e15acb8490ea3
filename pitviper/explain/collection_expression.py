"""Applications of the symbols of collections as expressions."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.encoding.decoding import Theory
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.multisets import Multisets
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets
from pitviper.program import expr as pe
from pitviper.program.types import MapType, MultisetType, SeqType, SetType, Type
from pitviper.terms.sort import Sort
from pitviper.terms.term import App, Term

Inner = Callable[[Term], pe.Expr]
Types = Callable[[Sort], Type]


def collection_expression(
    symbol: tuple[Theory, str], term: App, types: Types, inner: Inner
) -> pe.Expr | None:
    """None for symbols that stand in triggers and axioms only."""
    theory, name = symbol
    if name == "marks":
        return None
    args = [inner(a) for a in term.args]
    if name == "equals":
        return pe.Equal(args[0], args[1])
    if name in ("length", "size"):
        return pe.Cardinality(args[0])
    match theory:
        case Sequences():
            return _sequence(name, args, types(theory.sort))
        case Sets() | Multisets():
            return _set(name, args, types(theory.sort))
        case Maps():
            return _map(name, args, types(theory.sort))


def _sequence(name: str, args: list[pe.Expr], type_: Type) -> pe.Expr | None:
    assert isinstance(type_, SeqType)
    match name, args:
        case "empty" | "singleton", _:
            return pe.SeqLit(tuple(args), type_)
        case "append", [left, pe.SeqLit(more)] if isinstance(left, pe.SeqLit) and left.elements:
            return pe.SeqLit((*left.elements, *more), type_)
        case "append", [left, right]:
            return pe.SeqAppend(left, right)
        case "index", [sequence, index]:
            return pe.SeqIndex(sequence, index, type_.element)
        case "take", [sequence, count]:
            return pe.SeqTake(sequence, count)
        case "drop", [sequence, count]:
            return pe.SeqDrop(sequence, count)
        case "update", [sequence, index, value]:
            return pe.SeqUpdate(sequence, index, value)
        case "contains", [sequence, element]:
            return pe.SeqContains(element, sequence)
        case "range", [low, high]:
            return pe.SeqRange(low, high)
        case _:
            return None


_OPERATIONS = {
    "union": pe.SetOp.UNION,
    "intersection": pe.SetOp.INTERSECTION,
    "difference": pe.SetOp.DIFFERENCE,
}


def _set(name: str, args: list[pe.Expr], type_: Type) -> pe.Expr | None:
    assert isinstance(type_, SetType | MultisetType)
    match name, args:
        case "empty" | "singleton", _:
            return _literal(tuple(args), type_)
        case "insert", [(pe.SetLit(elements) | pe.MultisetLit(elements)), element]:
            return _literal((*elements, element), type_)
        case "insert", [whole, element]:
            return pe.SetBinary(pe.SetOp.UNION, whole, _literal((element,), type_))
        case "contains", [element, whole]:
            return pe.SetContains(element, whole)
        case "count", [element, whole]:
            return pe.MultisetCount(element, whole)
        case "subset", [left, right]:
            return pe.Subset(left, right)
        case _, [left, right] if name in _OPERATIONS:
            return pe.SetBinary(_OPERATIONS[name], left, right)
        case _:
            return None


def _literal(elements: tuple[pe.Expr, ...], type_: SetType | MultisetType) -> pe.Expr:
    if isinstance(type_, SetType):
        return pe.SetLit(elements, type_)
    return pe.MultisetLit(elements, type_)


def _map(name: str, args: list[pe.Expr], type_: Type) -> pe.Expr | None:
    assert isinstance(type_, MapType)
    match name, args:
        case "empty", _:
            return pe.MapLit((), type_)
        case "lookup", [map_, key]:
            return pe.MapLookup(map_, key, type_.value)
        case "update", [map_, key, value]:
            return pe.MapUpdate(map_, key, value)
        case "domain", [map_]:
            return pe.MapDomain(map_, SetType(type_.key))
        case "range", [map_]:
            return pe.MapRange(map_, SetType(type_.value))
        case _:
            return None
