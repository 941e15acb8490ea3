"""Members and the program as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from pitviper.base.qualified import is_qualified
from pitviper.base.record import field, record
from pitviper.program.assertion import Assertion
from pitviper.program.expr import Expr, Var
from pitviper.program.node import Annotation, Node
from pitviper.program.stmt import Block, Decreases
from pitviper.program.types import Type
from pitviper.source.span import NO_SPAN


@record
class Declaration(Node):
    """What all members have; the span covers the whole declaration, annotations included."""

    name: str
    annotations: tuple[Annotation, ...] = field(default=(), kw_only=True)


@record
class Field(Declaration):
    type: Type


@record(weakref_slot=True)
class Method(Declaration):
    params: tuple[Var, ...]
    returns: tuple[Var, ...]
    preconditions: tuple[Assertion, ...]
    postconditions: tuple[Assertion, ...]
    decreases: tuple[Decreases, ...]
    body: Block | None


def is_brought_along(member: Declaration) -> bool:
    """Whether a language has added a member that nobody wrote, such as the length of an array."""
    return member.span == NO_SPAN and is_qualified(member.name)


@record(weakref_slot=True)
class Function(Declaration):
    """`measured`: what body and contract apply is proved to have a smaller measure, always."""

    params: tuple[Var, ...]
    result: Type
    preconditions: tuple[Assertion, ...]
    postconditions: tuple[Expr, ...]
    decreases: tuple[Decreases, ...]
    body: Expr | None
    measured: bool = False


@record(weakref_slot=True)
class Predicate(Declaration):
    params: tuple[Var, ...]
    body: Assertion | None


@record
class DomainFunction(Declaration):
    """Unnamed parameters have been given names. `interpretation` is solver text."""

    params: tuple[Var, ...]
    result: Type
    unique: bool
    interpretation: str | None


@record
class Axiom(Node):
    name: str | None
    body: Expr


@record
class Domain(Declaration):
    """`interpretations` is None for an ordinary domain, else pairs such as (SMTLIB, text)."""

    type_params: tuple[str, ...]
    interpretations: tuple[tuple[str, str], ...] | None
    functions: tuple[DomainFunction, ...]
    axioms: tuple[Axiom, ...]


@record
class Constructor(Declaration):
    params: tuple[Var, ...]


@record
class Derivation(Node):
    """`derives { name[type_arg] without f, g }`."""

    name: str
    type_arg: Type | None
    without: tuple[str, ...]


@record
class Adt(Declaration):
    type_params: tuple[str, ...]
    constructors: tuple[Constructor, ...]
    derivations: tuple[Derivation, ...]


Member: TypeAlias = Field | Method | Function | Predicate | Domain | Adt


@record
class Program:
    """All members by name, each table in source order (imports where they were imported)."""

    fields: Mapping[str, Field]
    methods: Mapping[str, Method]
    functions: Mapping[str, Function]
    predicates: Mapping[str, Predicate]
    domains: Mapping[str, Domain]
    adts: Mapping[str, Adt]


def all_members(program: Program) -> Iterator[Member]:
    """All members, table by table, in source order."""
    yield from program.fields.values()
    yield from program.domains.values()
    yield from program.adts.values()
    yield from program.functions.values()
    yield from program.predicates.values()
    yield from program.methods.values()
