"""Names in Boogie text: legal, different for different things."""

from __future__ import annotations

import re
from typing import Final

from pitviper.terms.sort import Sort, SortKind
from pitviper.terms.symbol import Function
from pitviper.terms.term import Var

_KEYWORDS: Final = frozenset(
    """assert assume async atomic axiom bool break call complete const cone div else ensures exists
    extends false finite forall forward free function goto havoc if implementation int invariant
    iterator lambda left mod modifies old par procedure real requires return returns right stable
    then this true type unique var where while yield yields""".split()
)
_ILLEGAL: Final = re.compile(r"[^A-Za-z0-9_.$#'~^?]")
_BITS: Final = re.compile(r"\(_ BitVec (\d+)\)\Z")


class BoogieNames:
    """Gives each symbol, variable and sort one name. Bound variables never share one."""

    def __init__(self) -> None:
        self._given: dict[object, str] = {}
        self._taken: dict[str, int] = {}

    def of_function(self, symbol: Function) -> str:
        return self._name(symbol, symbol.name)

    def of_variable(self, variable: Var) -> str:
        return self._name(variable, f"{variable.name}'")

    def of_sort(self, sort: Sort) -> str:
        match sort.kind:
            case SortKind.INT:
                return "int"
            case SortKind.BOOL:
                return "bool"
            case SortKind.REAL:
                return "real"
            case SortKind.ARRAY:
                *domain, range_ = map(self.of_sort, sort.parts)
                return f"[{', '.join(domain)}]{range_}"
            case _:
                bits = bit_width(sort)
                return f"bv{bits}" if bits is not None else self._name(sort, sort.name)

    def new(self, hint: str) -> str:
        """A name for something that has none inside."""
        return self._name(object(), hint)

    def _name(self, thing: object, hint: str) -> str:
        known = self._given.get(thing)
        if known is None:
            known = self._given[thing] = self._fresh(hint)
        return known

    def _fresh(self, hint: str) -> str:
        base = _ILLEGAL.sub("~", hint.replace("@", "#"))
        if not base[:1].isalpha() or base in _KEYWORDS or re.match(r"bv\d+\Z", base):
            base = f"${base}"
        number = self._taken.get(base, 0)
        self._taken[base] = number + 1
        return f"{base}^{number}" if number else base


def bit_width(sort: Sort) -> int | None:
    """The number of bits, if this is a sort of bit vectors."""
    found = _BITS.match(sort.name) if sort.kind is SortKind.TEXT else None
    return int(found[1]) if found else None
