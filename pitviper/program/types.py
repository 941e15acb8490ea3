"""Types of the core language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class IntType:
    def __str__(self) -> str:
        return "Int"


@dataclass(frozen=True, slots=True)
class BoolType:
    def __str__(self) -> str:
        return "Bool"


@dataclass(frozen=True, slots=True)
class PermType:
    def __str__(self) -> str:
        return "Perm"


@dataclass(frozen=True, slots=True)
class RefType:
    def __str__(self) -> str:
        return "Ref"


@dataclass(frozen=True, slots=True)
class SeqType:
    element: Type

    def __str__(self) -> str:
        return f"Seq[{self.element}]"


@dataclass(frozen=True, slots=True)
class SetType:
    element: Type

    def __str__(self) -> str:
        return f"Set[{self.element}]"


@dataclass(frozen=True, slots=True)
class MultisetType:
    element: Type

    def __str__(self) -> str:
        return f"Multiset[{self.element}]"


@dataclass(frozen=True, slots=True)
class MapType:
    key: Type
    value: Type

    def __str__(self) -> str:
        return f"Map[{self.key},{self.value}]"


@dataclass(frozen=True, slots=True)
class DomainType:
    """An instance of a domain; `args` in the order of the domain's type parameters."""

    name: str
    args: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{','.join(map(str, self.args))}]" if self.args else self.name


@dataclass(frozen=True, slots=True)
class AdtType:
    """An instance of an ADT; the ADT plugin turns it into a DomainType."""

    name: str
    args: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{','.join(map(str, self.args))}]" if self.args else self.name


@dataclass(frozen=True, slots=True)
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
