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


class Cell(NamedTuple):
    amount: Value
    value: Value


class Contents:
    """What is inside of a predicate instance of amount `unit`; None until it is known.

    `origin` tells the instances apart whose contents nobody has opened.
    """

    __slots__ = ("heap", "origin", "unit")

    def __init__(self, heap: Heap | None, unit: Value, origin: int) -> None:
        self.heap = heap
        self.unit = unit
        self.origin = origin


class Instance(NamedTuple):
    args: tuple[Value, ...]
    amount: Value
    contents: Contents


class Heap:
    """Cells by object and field, instances by predicate; copies share what cannot change."""

    __slots__ = ("cells", "instances")

    def __init__(self) -> None:
        self.cells: dict[Key, Cell] = {}
        self.instances: dict[str, list[Instance]] = {}

    def copy(self) -> Heap:
        made = Heap()
        made.cells = self.cells.copy()
        made.instances = {name: list(held) for name, held in self.instances.items()}
        return made
