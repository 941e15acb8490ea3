"""The names and numbers that stand for an algebraic data type in its domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.checking.types import rebuild
from pitviper.plugins.names import Names
from pitviper.program.expr import DomainApp, Expr
from pitviper.program.member import Adt, Program
from pitviper.program.types import INT, AdtType, DomainType, Type, TypeVar
from pitviper.source.span import Span

AsDomain: TypeAlias = Callable[[Type], Type]


@record
class Symbols:
    """Tags count the constructors of a type in alphabetic order."""

    tag_functions: Mapping[str, str]
    destructors: Mapping[tuple[str, str], str]
    tags: Mapping[str, int]

    def tag_of(self, value: Expr, span: Span) -> DomainApp:
        """`tag(value)` for a value of an encoded type."""
        domain = encoded_type(value.type)
        return DomainApp(
            domain.name, self.tag_functions[domain.name], domain.args, (value,), INT, span=span
        )

    def destruct(self, value: Expr, argument: str, result: Type, span: Span) -> DomainApp:
        """`get(value)` for a value of an encoded type."""
        domain = encoded_type(value.type)
        function = self.destructors[domain.name, argument]
        return DomainApp(domain.name, function, domain.args, (value,), result, span=span)


def symbols_of(program: Program, names: Names) -> Symbols:
    tag_functions: dict[str, str] = {}
    destructors: dict[tuple[str, str], str] = {}
    tags: dict[str, int] = {}
    for adt in program.adts.values():
        tag_functions[adt.name] = names.fresh(f"{adt.name}_tag")
        for constructor in adt.constructors:
            for parameter in constructor.params:
                name = names.fresh(f"get_{adt.name}_{parameter.name}")
                destructors[adt.name, parameter.name] = name
        tags.update(_tags(adt))
    return Symbols(tag_functions, destructors, tags)


def _tags(adt: Adt) -> dict[str, int]:
    return {name: tag for tag, name in enumerate(sorted([c.name for c in adt.constructors]))}


def construct(constructor: str, args: tuple[Expr, ...], result: Type, span: Span) -> DomainApp:
    """`C(args)` of an encoded type."""
    domain = encoded_type(result)
    return DomainApp(domain.name, constructor, domain.args, args, result, span=span)


def encoded_type(type_: Type) -> DomainType:
    if not isinstance(type_, DomainType):
        raise TypeError(f"{type_} does not stand for an algebraic data type")
    return type_


def type_encoder() -> AsDomain:
    """Replaces algebraic data types by the domains of the same name, remembering the answers."""
    known: dict[Type, Type] = {}

    def encode(type_: Type) -> Type:
        found = known.get(type_)
        if found is None:
            found = known[type_] = _domain_for(rebuild(type_, encode))
        return found

    return encode


def _domain_for(type_: Type) -> Type:
    return DomainType(type_.name, type_.args) if isinstance(type_, AdtType) else type_


def own_type(adt: Adt) -> DomainType:
    """The encoded type inside the domain: applied to its own parameters."""
    return DomainType(adt.name, tuple([TypeVar(name) for name in adt.type_params]))
