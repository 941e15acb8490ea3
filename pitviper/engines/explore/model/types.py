"""Types of the program model: nominal types, instances of generic ones, four built-in ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pitviper.base.record import field, record


@record
class Nominal:
    """A type with a name that is unique in its namespace."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}.{self.name}" if self.namespace else self.name


@record
class Generic:
    """An instance of a generic type."""

    definition: Nominal
    args: tuple[Type, ...]

    def __str__(self) -> str:
        return f"{self.definition}[{', '.join(map(str, self.args))}]"


@record
class Basic:
    """Built in, and not to be extended."""

    name: str

    def __str__(self) -> str:
        return self.name


Type: TypeAlias = Nominal | Generic | Basic

NULL = Basic("null")
"""Has one value, the reference to no object."""
OBJECT = Basic("object")
"""The root of all reference types; equality is identity."""
BOOLEAN = Basic("boolean")
INVALID = Basic("invalid")
"""Of terms that have no type: the type checker turns it into a message."""

INT = Nominal("", "int")
RATIONAL = Nominal("", "rational")
HEAP = Nominal("", "heap")

SEQ = Nominal("", "seq")
SET = Nominal("", "set")
MULTISET = Nominal("", "multiset")
MAP = Nominal("", "map")
ADT = "adt"
"""The namespace of algebraic data types."""
DOMAIN = "domain"
"""The namespace of types of which nothing is known but identity."""

SCALARS = (INT, BOOLEAN, RATIONAL)


def name_of(kind: Type) -> Nominal | None:
    """The nominal type behind a type, if there is one."""
    match kind:
        case Nominal():
            return kind
        case Generic(definition):
            return definition
        case _:
            return None


def is_token(kind: Type) -> bool:
    """Whether values of the type are mere identities, chosen by the solver."""
    name = name_of(kind)
    return name is not None and name.namespace == DOMAIN


def mentions_token(kind: Type) -> bool:
    """Whether values of the type are identities, or have such inside."""
    return is_token(kind) or (isinstance(kind, Generic) and any(map(mentions_token, kind.args)))


@record
class Hierarchy:
    """Direct supertypes by nominal type; every reference type extends `object`.

    `numbers` gives each type the number that stands for it in solver terms, and `subtypes` the
    set of numbers of a type with all its subtypes, as in section 2.4.2 of the paper. No object is
    of an `abstract` type and of none of its subtypes.
    """

    supertypes: Mapping[Nominal, tuple[Nominal, ...]] = field(default_factory=dict)
    abstract: frozenset[Nominal] = frozenset()

    def numbers(self) -> dict[Nominal, int]:
        return {kind: number for number, kind in enumerate(self.supertypes, 1)}

    def subtypes(self, kind: Nominal) -> frozenset[int]:
        numbers = self.numbers()
        return frozenset(n for other, n in numbers.items() if self.extends(other, kind))

    def concrete(self, kind: Type) -> tuple[int, ...]:
        """The numbers of types that an object of a type may have, in order."""
        numbers = self.numbers()
        fits = [t for t in numbers if t not in self.abstract and self.extends(t, kind)]
        return tuple([numbers[t] for t in fits])

    def named(self, number: int) -> Nominal:
        """The type with a number."""
        return list(self.supertypes)[number - 1]

    def extends(self, lower: Type, upper: Type) -> bool:
        """Whether a value of one type is a value of the other."""
        if lower == upper:
            return True
        is_reference = isinstance(lower, Nominal) and lower in self.supertypes
        if upper == OBJECT:
            return lower == NULL or is_reference
        if lower == NULL:
            return isinstance(upper, Nominal) and upper in self.supertypes
        if not isinstance(lower, Nominal):
            return False
        return any(self.extends(above, upper) for above in self.supertypes.get(lower, ()))


FLAT = Hierarchy()
"""No type but `object` has subtypes."""
