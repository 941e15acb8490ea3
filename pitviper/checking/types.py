"""Types while they are inferred: holes, the types of assertions, unification."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.program.types import Type, TypeVar, arguments_of, rebuild, same_head


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
    """`t` with the holes filled in that `s` knows."""
    if isinstance(t, TypeVar):
        found = s.get(t.name)
        return t if found is None else apply(found, s)
    return rebuild(t, lambda part: apply(part, s))


def has_holes(t: Type) -> bool:
    return bool(holes_of(t))


def holes_of(t: Type) -> list[str]:
    """The names of the holes in `t`."""
    if isinstance(t, Hole):
        return [t.name]
    return [name for part in arguments_of(t) for name in holes_of(part)]


def unify(a: Type, b: Type, s: Substitution) -> Substitution | None:
    """The smallest extension of `s` that makes both types equal, if there is one."""
    if a is b:
        return s
    a, b = _known(a, s), _known(b, s)
    if a is b or a is ERROR or b is ERROR or a == b:
        return s
    if isinstance(b, Hole) and not (isinstance(a, Hole) and a.domain is None):
        return _bind(b, a, s)
    if isinstance(a, Hole):
        return _bind(a, b, s)
    if not same_head(a, b):
        return None
    for left, right in zip(arguments_of(a), arguments_of(b), strict=True):
        extended = unify(left, right, s)
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
        both = unify(Hole(name), value, s)
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
