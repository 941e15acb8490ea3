"""From sorts and symbols back to what they stand for in the typed program."""

from __future__ import annotations

from pitviper.base.record import names_of
from pitviper.encoding.symbols import Symbols
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.multisets import Multisets
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets
from pitviper.encoding.theories.snapshot_maps import SnapshotMaps
from pitviper.program.types import BOOL as BOOL_TYPE
from pitviper.program.types import INT as INT_TYPE
from pitviper.program.types import PERM as PERM_TYPE
from pitviper.program.types import REF as REF_TYPE
from pitviper.program.types import Type
from pitviper.terms.sort import BOOL, INT, PERM, REF, Sort
from pitviper.terms.symbol import Function

Theory = Sequences | Sets | Multisets | Maps


class Meanings:
    """Tables that are made when they are first needed, and again when the symbols have grown."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._size = -1
        self._types: dict[Sort, Type] = {}
        self._domains: dict[Function, tuple[str, str, tuple[Type, ...]]] = {}
        self._functions: dict[Function, str] = {}
        self._collections: dict[Function, tuple[Theory, str]] = {}
        self._looks: dict[Function, tuple[str, SnapshotMaps]] = {}

    def type_of(self, sort: Sort) -> Type | None:
        """The type whose values have the sort; None for snapshots, maps of values and the like."""
        self._refresh()
        return self._types.get(sort)

    def domain_function(self, symbol: Function) -> tuple[str, str, tuple[Type, ...]] | None:
        """The domain, the function and the type arguments."""
        self._refresh()
        return self._domains.get(symbol)

    def function(self, symbol: Function) -> str | None:
        """The heap-dependent function, in its full or limited form."""
        self._refresh()
        return self._functions.get(symbol)

    def collection(self, symbol: Function) -> tuple[Theory, str] | None:
        """The theory that a symbol belongs to, and its name there: `append`, `contains`."""
        self._refresh()
        return self._collections.get(symbol)

    def look(self, symbol: Function) -> str | None:
        """The field whose values the symbol looks up in a map: `val`."""
        self._refresh()
        found = self._looks.get(symbol)
        kind, _, name = found[0].partition(" ") if found is not None else ("", "", "")
        return name if kind == "field" else None

    def _refresh(self) -> None:
        symbols = self._symbols
        size = symbols.size
        if size == self._size:
            return
        self._types = {INT: INT_TYPE, BOOL: BOOL_TYPE, PERM: PERM_TYPE, REF: REF_TYPE}
        self._types |= symbols.types()
        self._domains = {
            symbols.domain_function(instance.domain, f.name, instance.args): (
                instance.domain,
                f.name,
                instance.args,
            )
            for instance in list(symbols.instances)
            for f in symbols.program.domains[instance.domain].functions
        }
        self._functions = {}
        for name in symbols.program.functions:
            found = symbols.function(name)
            self._functions[found.full] = self._functions[found.limited] = name
        self._collections = {}
        tables = (symbols.sequences, symbols.sets, symbols.multisets, symbols.maps)
        for theory in [theory for table in tables for theory in table.values()]:
            self._collections |= _members(theory)
        self._looks = {maps.look: (name, maps) for name, maps in symbols.snapshot_maps.items()}
        self._size = symbols.size


def _members(theory: Theory) -> dict[Function, tuple[Theory, str]]:
    values = [(name, getattr(theory, name)) for name in names_of(theory)]
    return {value: (theory, name) for name, value in values if isinstance(value, Function)}
