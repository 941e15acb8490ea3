"""Orders of termination measures: library domains that a program uses without importing them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pitviper.checking.declarations import Globals
from pitviper.checking.imports import LIBRARY, splice_imports
from pitviper.program.expr import PREDICATE_INSTANCE
from pitviper.program.types import (
    BOOL,
    INT,
    PERM,
    REF,
    MultisetType,
    SeqType,
    SetType,
    Type,
)
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
