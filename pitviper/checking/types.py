"""Types while they are inferred: holes, the types of assertions, unification."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

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
from pitviper.source.record import record


@record
class Hole(TypeVar):
    """A type still to be found, for a type parameter of `domain` if that is given."""

    domain: str | None = None
    parameter: str = ""

    def __str__(self) -> str:
        return "_"


@record
class Marker(TypeVar):
    """A type that no program can write."""

    def __str__(self) -> str:
        return self.name


ERROR = Marker("<error>")
"""The type of what has been reported already: it fits everywhere."""
IMPURE = Marker("<impure>")
WAND = Marker("<wand>")
PREDICATE = Marker("<predicate>")

ASSERTION_TYPES: frozenset[Type] = frozenset({IMPURE, WAND, PREDICATE})

Substitution: TypeAlias = Mapping[str, Type]
"""Holes by name; a value may contain holes that are keys as well."""

NOTHING: Substitution = {}


def apply(t: Type, s: Substitution) -> Type:
    """`t` with the holes that `s` knows filled in; type parameters by name alike."""
    match t:
        case TypeVar(name):
            found = s.get(name)
            return t if found is None or found is t else apply(found, s)
        case SeqType(element):
            return SeqType(apply(element, s))
        case SetType(element):
            return SetType(apply(element, s))
        case MultisetType(element):
            return MultisetType(apply(element, s))
        case MapType(key, value):
            return MapType(apply(key, s), apply(value, s))
        case DomainType(name, args) if args:
            return DomainType(name, tuple(apply(a, s) for a in args))
        case AdtType(name, args) if args:
            return AdtType(name, tuple(apply(a, s) for a in args))
        case _:
            return t


def instantiate(t: Type, arguments: Mapping[str, Type]) -> Type:
    """`t` with type parameters replaced, once: the arguments may mention parameters themselves."""
    match t:
        case TypeVar(name):
            return arguments.get(name, t)
        case SeqType(element):
            return SeqType(instantiate(element, arguments))
        case SetType(element):
            return SetType(instantiate(element, arguments))
        case MultisetType(element):
            return MultisetType(instantiate(element, arguments))
        case MapType(key, value):
            return MapType(instantiate(key, arguments), instantiate(value, arguments))
        case DomainType(name, args) if args:
            return DomainType(name, tuple(instantiate(a, arguments) for a in args))
        case AdtType(name, args) if args:
            return AdtType(name, tuple(instantiate(a, arguments) for a in args))
        case _:
            return t


def has_holes(t: Type) -> bool:
    return bool(holes_of(t))


def holes_of(t: Type) -> list[str]:
    """The names of the holes in `t`."""
    if isinstance(t, Hole):
        return [t.name]
    parts = _parts(t)
    return [] if parts is None else [name for part in parts[1] for name in holes_of(part)]


def unify(a: Type, b: Type, s: Substitution) -> Substitution | None:
    """The smallest extension of `s` that makes both types equal, if there is one."""
    if a is b:
        return s
    a, b = _known(a, s), _known(b, s)
    if a is b or a is ERROR or b is ERROR or a == b:
        return s
    if isinstance(a, Hole):
        return _bind(a, b, s)
    if isinstance(b, Hole):
        return _bind(b, a, s)
    parts_a, parts_b = _parts(a), _parts(b)
    if parts_a is None or parts_b is None or parts_a[0] != parts_b[0]:
        return None
    return unify_all(parts_a[1], parts_b[1], s)


def unify_all(
    left: tuple[Type, ...], right: tuple[Type, ...], s: Substitution
) -> Substitution | None:
    if len(left) != len(right):
        return None
    for a, b in zip(left, right, strict=True):
        extended = unify(a, b, s)
        if extended is None:
            return None
        s = extended
    return s


def merge(s: Substitution, t: Substitution) -> Substitution | None:
    """Both substitutions together; None where they contradict each other."""
    if not t or s is t:
        return s
    if not s:
        return t
    for name, value in t.items():
        both = unify(s[name], value, s) if name in s else {**s, name: value}
        if both is None:
            return None
        s = both
    return s


def _known(t: Type, s: Substitution) -> Type:
    while isinstance(t, Hole):
        found = s.get(t.name)
        if found is None:
            return t
        t = found
    return t


def _bind(hole: Hole, t: Type, s: Substitution) -> Substitution | None:
    if hole.name in holes_of(apply(t, s)):
        return None
    return {**s, hole.name: t}


def _parts(t: Type) -> tuple[object, tuple[Type, ...]] | None:
    """Head and arguments of a type that has arguments."""
    match t:
        case SeqType(element) | SetType(element) | MultisetType(element):
            return type(t), (element,)
        case MapType(key, value):
            return MapType, (key, value)
        case DomainType(name, args):
            return (DomainType, name), args
        case AdtType(name, args):
            return (AdtType, name), args
        case _:
            return None
