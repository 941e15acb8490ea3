"""What is known of the members of a program before their bodies are looked at."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.program.types import Type
from pitviper.source.span import Span


@record
class FunctionInfo:
    name: str
    params: tuple[Type, ...]
    result: Type
    has_precondition: bool


@record
class PredicateInfo:
    name: str
    params: tuple[Type, ...]
    abstract: bool


@record
class MethodInfo:
    name: str
    params: tuple[Type, ...]
    returns: tuple[Type, ...]


@record
class DomainFunctionInfo:
    """`type_params` are those of its domain; the other types may mention them."""

    name: str
    domain: str
    type_params: tuple[str, ...]
    params: tuple[Type, ...]
    result: Type


@record
class ConstructorInfo:
    """`type_params` are those of its ADT, whose type is the result."""

    name: str
    adt: str
    type_params: tuple[str, ...]
    params: tuple[Type, ...]
    result: Type


Callee: TypeAlias = FunctionInfo | PredicateInfo | MethodInfo | DomainFunctionInfo | ConstructorInfo
Generic: TypeAlias = DomainFunctionInfo | ConstructorInfo


@record
class TypeInfo:
    """A domain or an ADT; `type_params` is None where no bracket was written."""

    name: str
    type_params: tuple[str, ...] | None
    is_adt: bool

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.type_params or ()


@record
class Declared:
    """Where a global name is declared: `order` counts the members of the program."""

    span: Span
    order: int


@record
class Globals:
    """All global names. A name declared twice is in each table once, the first one."""

    names: dict[str, Declared] = field(default_factory=dict)
    fields: dict[str, Type] = field(default_factory=dict)
    callees: dict[str, Callee] = field(default_factory=dict)
    types: dict[str, TypeInfo] = field(default_factory=dict)
    destructors: dict[str, dict[str, Type]] = field(default_factory=dict)
    """Types of constructor arguments, by argument name and name of the ADT."""
    interpreted: set[str] = field(default_factory=set)
    """Domain functions that stand for functions of the solver."""

    def constructor_of_test(self, name: str) -> ConstructorInfo | None:
        """The constructor C that a discriminator `isC` asks about."""
        if not name.startswith("is"):
            return None
        callee = self.callees.get(name[2:])
        return callee if isinstance(callee, ConstructorInfo) else None
