"""Types as written in the source: names become types."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.checking.context import Context
from pitviper.checking.types import ERROR
from pitviper.program.types import (
    BOOL,
    INT,
    PERM,
    REF,
    AdtType,
    DomainType,
    MapType,
    MultisetType,
    SeqType,
    SetType,
    Type,
    TypeVar,
)
from pitviper.syntax import tree

_PLAIN: dict[str, Type] = {
    "Int": INT,
    "Bool": BOOL,
    "Ref": REF,
    "Perm": PERM,
    "Rational": PERM,
}
_COLLECTIONS: dict[str, Callable[[Type], Type]] = {
    "Seq": SeqType,
    "Set": SetType,
    "Multiset": MultisetType,
}


def resolve(t: tree.TypeName, cx: Context) -> Type:
    """The type that a name stands for; an unknown one is reported."""
    if t.args is None:
        plain = _PLAIN.get(t.name)
        if plain is not None:
            return plain
    args = tuple([resolve(arg, cx) for arg in t.args or ()])
    if t.name in _COLLECTIONS and len(args) == 1:
        return _COLLECTIONS[t.name](args[0])
    if t.name == "Map" and len(args) == 2:
        return MapType(*args)
    domain = cx.domain
    if domain is not None and t.args is None and t.name in domain.parameters:
        return TypeVar(t.name)
    return _declared(t, args, cx)


def _declared(t: tree.TypeName, args: tuple[Type, ...], cx: Context) -> Type:
    """An unknown type is reported and stays a type of its own, equal to no other."""
    info = cx.table.types.get(t.name)
    if info is None:
        help_text = cx.suggest(t.name, cx.table.types, _PLAIN, (*_COLLECTIONS, "Map"))
        cx.error(t.span, f"undeclared type `{t.name}`", help=help_text)
        return DomainType(t.name, args)
    wanted = None if info.type_params is None else len(info.type_params)
    given = None if t.args is None else len(t.args)
    if wanted != given:
        cx.error(t.span, _wrong_arguments(t.name, wanted, given))
        return ERROR
    return AdtType(t.name, args) if info.is_adt else DomainType(t.name, args)


def _wrong_arguments(name: str, wanted: int | None, given: int | None) -> str:
    if wanted is None:
        return f"wrong number of type arguments: `{name}` takes no type arguments"
    if given is None:
        example = "[...]" if wanted else "[]"
        return f"wrong number of type arguments: write `{name}{example}` with {wanted} of them"
    return f"wrong number of type arguments: `{name}` takes {wanted}, found {given}"
