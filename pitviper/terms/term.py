"""Interned terms: equal terms are one object, so `is` is equality at any depth.

NOTE(interning). A table holds its terms weakly: a term lives as long as somebody uses it, so a
long-lived server does not collect the terms of every program it ever saw. Applications are found in
a table of their symbol, with the argument tuple as the key; that tuple is needed anyway.
Measured on CPython 3.11, for applications of two arguments (new, existing): these tables 0.95 and
0.12 microseconds, a strong table 0.55 and 0.10, one WeakValueDictionary 2.0 and 0.25.

Classes here are not dataclasses for the same reason: setting a field of a frozen dataclass costs as
much as finding an existing term. `Final` lets the type checker guard the fields instead.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import Any, Final, TypeAlias, TypeVar, final
from weakref import ref

from pitviper.terms.sort import BOOL, INT, REAL, Sort, SortError, TermError
from pitviper.terms.symbol import Args, Symbol, Table

Value: TypeAlias = bool | int | Fraction
Triggers: TypeAlias = "tuple[tuple[Term, ...], ...]"


class Binder(Enum):
    FORALL = "forall"
    EXISTS = "exists"


class _Shared:
    """What all terms have in common: no copies."""

    __slots__ = ("__weakref__",)

    def __reduce__(self) -> str:
        raise TypeError("sorts and terms stay in their process: send plain data")


@final
class App(_Shared):
    """A symbol applied to arguments; a constant is an application to none.

    `free` lists the variables that occur unbound, in the order of their first occurrence.
    """

    __slots__ = ("args", "free", "sort", "symbol")

    def __init__(self, symbol: Symbol, args: Args, sort: Sort, free: tuple[Var, ...]) -> None:
        self.symbol: Final = symbol
        self.args: Final = args
        self.sort: Final = sort
        self.free: Final = free

    def __repr__(self) -> str:
        if not self.args:
            return self.symbol.name
        return f"({self.symbol.name} {' '.join(map(_brief, self.args))})"


@final
class Literal(_Shared):
    """A number or a truth value."""

    __slots__ = ("sort", "value")
    args: Final[Args] = ()
    free: Final[tuple[Var, ...]] = ()

    def __init__(self, value: Value, sort: Sort) -> None:
        self.value: Final = value
        self.sort: Final = sort

    def __repr__(self) -> str:
        return str(self.value)


@final
class Var(_Shared):
    """A variable that some quantifier binds. Symbols of a program are constants, not variables."""

    __slots__ = ("free", "name", "sort")
    args: Final[Args] = ()

    def __init__(self, name: str, sort: Sort) -> None:
        self.name: Final = name
        self.sort: Final = sort
        self.free: Final[tuple[Var, ...]] = (self,)

    def __repr__(self) -> str:
        return f"?{self.name}"


@final
class Quantified(_Shared):
    """A quantifier. `triggers` are alternatives, each a group of terms matched together.

    `name` identifies it in profiles and logs; a `weight` of None leaves the choice to the solver.
    `args` are all terms inside: the body, then the trigger terms.
    """

    __slots__ = ("args", "binder", "body", "free", "name", "triggers", "variables", "weight")
    sort: Final = BOOL

    def __init__(self, key: _QuantifierKey, free: tuple[Var, ...]) -> None:
        binder, variables, body, triggers, name, weight = key
        self.binder: Final = binder
        self.variables: Final = variables
        self.body: Final = body
        self.triggers: Final = triggers
        self.name: Final = name
        self.weight: Final = weight
        self.args: Final[Args] = (body, *(term for group in triggers for term in group))
        self.free: Final = free

    def __repr__(self) -> str:
        bound = " ".join(v.name for v in self.variables)
        return f"({self.binder.value} ({bound}) {_brief(self.body)})"


Term: TypeAlias = App | Literal | Var | Quantified

_QuantifierKey: TypeAlias = tuple[Binder, tuple[Var, ...], Term, Triggers, str, int | None]
_Key = TypeVar("_Key")
_Kept = TypeVar("_Kept", bound=_Shared)


class _Entry(ref[_Kept]):
    """A weak reference that knows its place in a table."""

    __slots__ = ("key", "table")
    key: object
    table: dict[Any, ref[_Kept]]

    def forget(self) -> None:
        """Called when the term is freed; uses nothing global, which may be gone at the very end."""
        if self.table.get(self.key) is self:
            del self.table[self.key]


def _remember(table: dict[_Key, ref[_Kept]], key: _Key, term: _Kept) -> _Kept:
    entry = _Entry(term, _Entry.forget)
    entry.table = table
    entry.key = key
    kept = table.setdefault(key, entry)()
    if kept is None:  # the entry of a term that is being freed was still in its place
        table[key] = entry
        return term
    return kept


def application(symbol: Symbol, args: Args) -> App:
    """The application itself, as it stands; `normal.make` simplifies first."""
    entry = symbol.terms.get(args)
    found = entry() if entry is not None else None
    if found is not None:
        return found
    return new_application(symbol, args, symbol.result_sort(args), symbol.terms)


def new_application(symbol: Symbol, args: Args, sort: Sort, table: Table) -> App:
    """For those who looked into `table` already."""
    free: tuple[Var, ...] = ()
    for arg in args:
        if arg.free and arg.free is not free:
            free = _union(free, arg.free)
    return _remember(table, args, App(symbol, args, sort, free))


_literals: dict[tuple[Value, Sort], ref[Literal]] = {}
_variables: dict[tuple[str, Sort], ref[Var]] = {}
_quantifiers: dict[_QuantifierKey, ref[Quantified]] = {}


def literal(value: Value, sort: Sort) -> Literal:
    if _LITERAL_TYPES.get(sort) is not type(value):
        raise SortError(f"{value!r} is not a literal of sort {sort}")
    key = (value, sort)
    entry = _literals.get(key)
    found = entry() if entry is not None else None
    return found if found is not None else _remember(_literals, key, Literal(value, sort))


_LITERAL_TYPES: Final = {INT: int, BOOL: bool, REAL: Fraction}

TRUE: Final = literal(value=True, sort=BOOL)
FALSE: Final = literal(value=False, sort=BOOL)


def variable(name: str, sort: Sort) -> Var:
    key = (name, sort)
    entry = _variables.get(key)
    found = entry() if entry is not None else None
    return found if found is not None else _remember(_variables, key, Var(name, sort))


def quantifier(key: _QuantifierKey) -> Quantified:
    """The quantifier itself; `build.forall` and `build.exists` simplify first."""
    entry = _quantifiers.get(key)
    found = entry() if entry is not None else None
    if found is not None:
        return found
    _, variables, body, triggers, name, _ = key
    if body.sort is not BOOL:
        raise SortError(f"body of quantifier {name} has sort {body.sort}")
    free = body.free
    for group in triggers:
        seen: tuple[Var, ...] = ()
        for term in group:
            seen = _union(seen, term.free)
        if not set(variables) <= set(seen):
            raise TermError(f"a trigger of quantifier {name} does not mention all its variables")
        free = _union(free, seen)
    free = tuple(v for v in free if v not in variables)
    return _remember(_quantifiers, key, Quantified(key, free))


def _union(first: tuple[Var, ...], second: tuple[Var, ...]) -> tuple[Var, ...]:
    if not first or first is second:
        return second
    extra = [v for v in second if v not in first]
    return (*first, *extra) if extra else first


def _brief(term: Term) -> str:
    """A term inside another one, for debugging: deep ones are cut off."""
    if isinstance(term, App) and any(arg.args for arg in term.args):
        return f"({term.symbol.name} ...)"
    return repr(term)
