"""The inputs of a run: what the solver chose, and what the run has asked for so far."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from pitviper.base.record import field, record
from pitviper.engines.explore.model.types import BOOLEAN, INT, OBJECT, RATIONAL, Type, is_token
from pitviper.engines.explore.runtime.value import Array, Lazy, Scalar, Sym, Value
from pitviper.terms import build
from pitviper.terms.sort import BOOL, REAL, Sort
from pitviper.terms.sort import INT as INT_SORT
from pitviper.terms.term import Term

if TYPE_CHECKING:
    from pitviper.engines.explore.runtime.heap import Contents

Footprint: TypeAlias = tuple[tuple[int, str], ...]
"""Places in a heap: objects with fields, and predicates of which there is an instance."""

Chosen: TypeAlias = "tuple[tuple[Value, ...], list[Contents], Value]"
"""Arguments, the inside of predicate instances, and the value of a function for them."""

Table: TypeAlias = tuple[Mapping[tuple[Scalar, ...], Scalar], Scalar]
"""Values for some arguments, and one for all others."""


@record
class Assignment:
    """What the solver chose: plain data, enough to repeat a run."""

    values: Mapping[str, Scalar] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)


class Inputs:
    """`values` are the inputs by name; `symbols` are all unknowns, also those that no input shows.

    `tables` are the values of functions that the solver chose, `shaped` those of functions whose
    arguments are told apart by their shape, `arrays` those whose places were looked at, by the
    function that gives the places. `objects`
    counts the objects of the input that were met, `made` those that the run allocated;
    `has_told_objects` says that a quantifier is about all of them. `types` are the numbers of the
    types of objects, where the language has several.
    """

    __slots__ = (
        "_amounts", "arrays", "assignment", "has_told_objects", "made", "objects", "shaped",
        "symbols", "tables", "types", "values",
    )  # fmt: skip

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.symbols: dict[str, tuple[Type, Scalar]] = {}
        self.values: dict[str, Value] = {}
        self.tables: dict[tuple[str, tuple[Scalar, ...]], Scalar] = {}
        self.arrays: dict[str, list[Array]] = {}
        self.shaped: dict[tuple[str, Footprint], list[Chosen]] = {}
        self.types: dict[int, Value] = {}
        self.objects = 0
        self.made = 0
        self.has_told_objects = False
        self._amounts = 0

    def new(self, kind: Type, hint: str, horizon: int | None) -> Value:
        """Returns an input of a name like `hint`: a symbol, or something undecided with a shape."""
        name = hint if hint not in self.symbols else f"{hint}#{len(self.symbols)}"
        while name in self.symbols:
            name += "'"
        scalar = scalar_of(kind)
        if scalar is None:
            self.symbols[name] = (kind, 0)
            lazy = self.values[name] = Lazy(kind, name, self.made if horizon is None else horizon)
            return lazy
        value = self.assignment.values.get(name, scalar.default)
        if scalar.sort is REAL:
            value = self._amount(name)
        elif scalar.sort is BOOL:
            value = bool(value)
        self.symbols[name] = (kind, value)
        made = self.values[name] = Sym(value, unknown(name, scalar.sort))
        return made

    def number(self, name: str, default: int) -> int:
        """Returns the number from 0 on that was chosen for a symbol."""
        return max(0, int(self.assignment.values.get(name, default)))

    @property
    def rest_on_axioms(self) -> bool:
        """Whether there are values that axioms may say something about."""
        return bool(self.tables) or any(is_token(kind) for kind, _ in self.symbols.values())

    def _amount(self, name: str) -> Fraction:
        """Each smaller than those before it, first: a wildcard must fit into what is held."""
        self._amounts += 1
        chosen = self.assignment.values.get(name)
        return Fraction(1, 4 ** min(self._amounts, 12)) if chosen is None else Fraction(chosen)


@record
class ScalarKind:
    """How numbers and truth values of a type are said; `default` is used until a condition
    mentions them: an amount is best a small positive one."""

    sort: Sort
    default: Scalar
    is_token: bool = False


SCALARS: Final = {
    INT: ScalarKind(INT_SORT, 0),
    BOOLEAN: ScalarKind(BOOL, default=False),
    RATIONAL: ScalarKind(REAL, Fraction(1, 4)),
}

TOKEN: Final = ScalarKind(INT_SORT, 0, is_token=True)


@lru_cache(maxsize=1024)
def scalar_of(kind: Type) -> ScalarKind | None:
    """None for types whose values have a shape; tokens are integers."""
    return SCALARS.get(kind) or (TOKEN if is_token(kind) else None)


@lru_cache(maxsize=4096)
def unknown(name: str, sort: Sort) -> Term:
    """Returns the symbol of an input: the same names come with every run."""
    return build.constant(name, sort)


def sort_of(kind: Type) -> Sort:
    """Returns the sort of a number or truth value; references and tokens are integers."""
    scalar = SCALARS.get(kind)
    return INT_SORT if scalar is None else scalar.sort


def is_guarded(kind: Type) -> bool:
    """Whether values of a type are numbers, but numbers need not be values of it."""
    return kind == OBJECT or is_token(kind)


def is_of(kind: Type, term: Term) -> Term:
    """That a number stands for a value of a type: there may be fewer of these than numbers."""
    return build.apply(build.function(f"%is {kind}", (INT_SORT,), BOOL), term)
