"""Types of the core language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from pitviper.base.record import record


@record
class IntType:
    def __str__(self) -> str:
        return "Int"


@record
class BoolType:
    def __str__(self) -> str:
        return "Bool"


@record
class PermType:
    def __str__(self) -> str:
        return "Perm"


@record
class RefType:
    def __str__(self) -> str:
        return "Ref"


@record
class SeqType:
    element: Type

    def __str__(self) -> str:
        return f"Seq[{self.element}]"


@record
class SetType:
    element: Type

    def __str__(self) -> str:
        return f"Set[{self.element}]"


@record
class MultisetType:
    element: Type

    def __str__(self) -> str:
        return f"Multiset[{self.element}]"


@record
class MapType:
    key: Type
    value: Type

    def __str__(self) -> str:
        return f"Map[{self.key},{self.value}]"


@record
class DomainType:
    """An instance of a domain; `args` in the order of the domain's type parameters."""

    name: str
    args: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{','.join(map(str, self.args))}]" if self.args else self.name


@record
class AdtType:
    """An instance of an ADT; the ADT plugin turns it into a DomainType."""

    name: str
    args: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{','.join(map(str, self.args))}]" if self.args else self.name


@record
class TypeVar:
    """A type parameter, inside the domain or ADT that declares it."""

    name: str

    def __str__(self) -> str:
        return self.name


Type: TypeAlias = (
    IntType | BoolType | PermType | RefType
    | SeqType | SetType | MultisetType | MapType | DomainType | AdtType | TypeVar
)  # fmt: skip

INT = IntType()
BOOL = BoolType()
PERM = PermType()
REF = RefType()

STATE = DomainType("state of the heap")
"""The type of functions whose value is all that their precondition gives access to (`untouched`).

No program can write it: two such values are equal if the parts of two heaps are.
"""


def arguments_of(t: Type) -> tuple[Type, ...]:
    """The types that `t` is made of."""
    match t:
        case DomainType(_, args) | AdtType(_, args):
            return args
        case SeqType(element) | SetType(element) | MultisetType(element):
            return (element,)
        case MapType(key, value):
            return key, value
        case _:
            return ()


def same_head(a: Type, b: Type) -> bool:
    """Do types differ at most in their arguments?"""
    if a.__class__ is not b.__class__:
        return False
    if isinstance(a, (DomainType, AdtType)) and isinstance(b, (DomainType, AdtType)):
        return a.name == b.name and len(a.args) == len(b.args)
    return not isinstance(a, TypeVar) or a == b


def types_in(t: Type) -> Iterator[Type]:
    """`t` and all types inside of it."""
    yield t
    for part in arguments_of(t):
        yield from types_in(part)


def rebuild(t: Type, change: Callable[[Type], Type]) -> Type:
    """`t` with its arguments changed."""
    match t:
        case DomainType(name, args):
            return DomainType(name, tuple([change(arg) for arg in args])) if args else t
        case AdtType(name, args):
            return AdtType(name, tuple([change(arg) for arg in args])) if args else t
        case SeqType(element):
            return SeqType(change(element))
        case SetType(element):
            return SetType(change(element))
        case MultisetType(element):
            return MultisetType(change(element))
        case MapType(key, value):
            return MapType(change(key), change(value))
        case _:
            return t


def instantiate(t: Type, arguments: Mapping[str, Type]) -> Type:
    """`t` with type parameters replaced, once: the arguments may mention parameters themselves."""
    if isinstance(t, TypeVar):
        return arguments.get(t.name, t)
    return rebuild(t, lambda part: instantiate(part, arguments))
