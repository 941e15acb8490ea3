"""Values of algebraic data types: constructors, destructors, discriminators."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import record
from pitviper.program.expr import Destruct
from pitviper.program.member import Program
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


@record
class Built:
    """A constructor of an instance of an ADT, with the types of its arguments there."""

    name: str
    args: tuple[Type, ...]


def constructors_of(kind: AdtType, program: Program) -> list[Built]:
    """The constructors, those without arguments of the same ADT first."""
    adt = program.adts[kind.name]
    types = dict(zip(adt.type_params, kind.args, strict=True))
    built = [
        Built(c.name, tuple([instantiate(p.type, types) for p in c.params]))
        for c in adt.constructors
    ]
    return sorted(built, key=lambda b: any(_mentions(arg, kind.name) for arg in b.args))


def _mentions(kind: Type, adt: str) -> bool:
    match kind:
        case AdtType(name, args):
            return name == adt or any(_mentions(arg, adt) for arg in args)
        case _:
            return False


def instantiate(kind: Type, types: Mapping[str, Type]) -> Type:
    """A type with its type parameters replaced."""
    match kind:
        case TypeVar(name):
            return types.get(name, kind)
        case SeqType(element):
            return SeqType(instantiate(element, types))
        case SetType(element):
            return SetType(instantiate(element, types))
        case MultisetType(element):
            return MultisetType(instantiate(element, types))
        case MapType(key, value):
            return MapType(instantiate(key, types), instantiate(value, types))
        case DomainType(name, args):
            return DomainType(name, tuple([instantiate(arg, types) for arg in args]))
        case AdtType(name, args):
            return AdtType(name, tuple([instantiate(arg, types) for arg in args]))
        case _:
            return kind


def place_of(e: Destruct, constructor: str, program: Program) -> int | None:
    """Which argument of a constructor a destructor reads, None if it belongs to another one."""
    kind = e.receiver.type
    assert isinstance(kind, AdtType)
    for candidate in program.adts[kind.name].constructors:
        if candidate.name == constructor:
            names = [parameter.name for parameter in candidate.params]
            return names.index(e.argument) if e.argument in names else None
    return None
