"""Orders of termination measures: library domains that a program uses without importing them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pitviper.checking.declarations import Globals
from pitviper.checking.imports import LIBRARY, splice_imports
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program.expr import PREDICATE_INSTANCE
from pitviper.program.types import (
    BOOL,
    INT,
    PERM,
    REF,
    AdtType,
    DomainType,
    MultisetType,
    SeqType,
    SetType,
    Type,
    TypeVar,
)
from pitviper.program.walk import descendants
from pitviper.source.file import SourceFile
from pitviper.source.span import NO_SPAN
from pitviper.syntax import tree

_SUFFIX = "WellFoundedOrder"


def missing_orders(measures: list[Type], table: Globals) -> tuple[tree.Member, ...]:
    """The domains to add for measures of these types: those the program does not have."""
    files: dict[str, None] = {}
    for t in measures:
        file, domains = _order_of(t)
        if not any(f"{domain}{_SUFFIX}" in table.types for domain in domains):
            files[file] = None
    missing = [
        member
        for member in _library(tuple(files))
        if isinstance(member, tree.Domain) and member.name.name not in table.types
    ]
    if any(name in table.names for member in missing for name in _names(member)):
        return ()
    return tuple(missing)


def misnamed_order(domain: m.Domain) -> Type | None:
    """A type that the domain orders although its name does not say so."""
    for axiom in domain.axioms:
        for node in descendants(axiom):
            if isinstance(node, x.DomainApp) and node.domain == _SUFFIX and node.type_args:
                t = node.type_args[0]
                names = (f"{name}{_SUFFIX}" for name in _order_of(t)[1])
                if not isinstance(t, TypeVar) and domain.name not in (*names, _own_name(t)):
                    return t
    return None


def _own_name(t: Type) -> str:
    match t:
        case DomainType(name) | AdtType(name):
            return f"{name}{_SUFFIX}"
        case _:
            return f"{type(t).__name__.removesuffix('Type')}{_SUFFIX}"


def _order_of(t: Type) -> tuple[str, tuple[str, ...]]:
    """The library file with the order of a type, and how a domain with it may be called."""
    for known, name in ((INT, "int"), (BOOL, "bool"), (REF, "ref")):
        if t is known:
            return name, (str(known),)
    if t is PERM:
        return "perm", ("Perm", "Rational")
    if t == PREDICATE_INSTANCE:
        return "predicate_instance", ("PredicateInstances",)
    match t:
        case SeqType():
            return "seq", ("Seq",)
        case SetType():
            return "set", ("Set",)
        case MultisetType():
            return "multiset", ("MultiSet",)
        case _:
            return "declaration", ("",)


def _names(domain: tree.Domain) -> list[str]:
    """The global names of a domain."""
    inside = [part.name.name for part in domain.members if part.name is not None]
    return [domain.name.name, *inside]


@cache
def _library(files: tuple[str, ...]) -> tuple[tree.Member, ...]:
    """The members of files in `decreases/` with what they import."""
    imports = tuple(
        [tree.Import(f"decreases/{name}.vpr", library=True, span=NO_SPAN) for name in files]
    )
    source = SourceFile(LIBRARY / "orders.vpr", "")
    return splice_imports(tree.File(imports, span=NO_SPAN), source, _read).members


def _read(path: Path) -> SourceFile | str:
    return SourceFile(path, path.read_text(encoding="utf-8"))
