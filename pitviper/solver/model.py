"""Values a solver gives to symbols: plain data, no solver object inside."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.terms.sort import Sort
from pitviper.terms.symbol import Function


@record
class Element:
    """A value of an uninterpreted sort; equal elements have equal names."""

    sort: Sort
    name: str


@record
class Structure:
    """A value of a data type."""

    constructor: str
    args: tuple[Value, ...] = ()


@record
class Text:
    """A value of any other sort, as the solver writes it."""

    text: str


Value: TypeAlias = bool | int | Fraction | Element | Structure | Text


@record
class FunctionTable:
    """Values for some arguments, and one for all others."""

    entries: Mapping[tuple[Value, ...], Value]
    default: Value | None = None

    def __call__(self, *args: Value) -> Value | None:
        return self.entries.get(args, self.default)


@record
class Model:
    """Symbols without a value here may have any."""

    constants: Mapping[Function, Value] = field(default_factory=dict)
    functions: Mapping[Function, FunctionTable] = field(default_factory=dict)
