"""Concrete heaps with permission amounts: what a method holds, and the values there.

A predicate instance has contents, a heap of its own. Contents of an instance of the input are not
there until somebody opens it; then they are the same for all copies of the instance.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from pitviper.explore.runtime.value import Value

ZERO = Fraction(0)
ONE = Fraction(1)

Key: TypeAlias = tuple[int, str]
"""An object's number and a field."""


Within: TypeAlias = tuple[tuple[str, tuple[Value, ...]], ...]
"""Predicate instances, from the outside in."""


class Cell(NamedTuple):
    amount: Value
    value: Value


class Contents:
    """What is inside of a predicate instance of amount `unit`; None until it is known.

    `within` are the instances around, this one included: none of them is inside of it again.
    `horizon` counts the objects that the run had made when the instance was gained.
    """

    __slots__ = ("heap", "horizon", "unit", "within")

    def __init__(self, heap: Heap | None, unit: Value, within: Within, horizon: int = 0) -> None:
        self.heap = heap
        self.horizon = horizon
        self.unit = unit
        self.within = within


class Instance(NamedTuple):
    args: tuple[Value, ...]
    amount: Value
    contents: Contents


class Heap:
    """Cells by object and field, instances by predicate; copies share what cannot change.

    `within` are the predicate instances that the heap is inside of. Values that are made up for
    it may be one of the first `horizon` objects that the run made; None for all.
    """

    __slots__ = ("cells", "horizon", "instances", "within")

    def __init__(self, within: Within = (), horizon: int | None = None) -> None:
        self.within = within
        self.horizon = horizon
        self.cells: dict[Key, Cell] = {}
        self.instances: dict[str, list[Instance]] = {}

    def copy(self) -> Heap:
        made = Heap(self.within, self.horizon)
        made.cells = self.cells.copy()
        made.instances = {name: list(held) for name, held in self.instances.items()}
        return made
