"""Traversals of types."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitviper.program.types import (
    AdtType,
    DomainType,
    MapType,
    MultisetType,
    SeqType,
    SetType,
    Type,
    TypeVar,
)


def type_arguments(type_: Type) -> tuple[Type, ...]:
    """The types directly inside a type."""
    match type_:
        case AdtType(_, args) | DomainType(_, args):
            return args
        case SeqType(element) | SetType(element) | MultisetType(element):
            return (element,)
        case MapType(key, value):
            return (key, value)
        case _:
            return ()


def rewrite_type(type_: Type, rule: Callable[[Type], Type | None]) -> Type:
    """Replace types bottom-up: `rule` sees a type with rewritten arguments; None keeps it."""
    rebuilt = _with_arguments(type_, [rewrite_type(t, rule) for t in type_arguments(type_)])
    replaced = rule(rebuilt)
    return rebuilt if replaced is None else replaced


def _with_arguments(type_: Type, arguments: list[Type]) -> Type:
    match type_:
        case AdtType(name):
            return AdtType(name, tuple(arguments))
        case DomainType(name):
            return DomainType(name, tuple(arguments))
        case SeqType():
            return SeqType(*arguments)
        case SetType():
            return SetType(*arguments)
        case MultisetType():
            return MultisetType(*arguments)
        case MapType():
            return MapType(*arguments)
        case _:
            return type_


def instantiate_type(type_: Type, values: Mapping[str, Type]) -> Type:
    """Put types in the place of type parameters."""
    return rewrite_type(type_, lambda t: values.get(t.name) if isinstance(t, TypeVar) else None)


def is_ground(type_: Type) -> bool:
    """Whether no type parameter occurs in it."""
    return not isinstance(type_, TypeVar) and all([is_ground(t) for t in type_arguments(type_)])


def depth(type_: Type) -> int:
    return 1 + max([depth(t) for t in type_arguments(type_)], default=0)
