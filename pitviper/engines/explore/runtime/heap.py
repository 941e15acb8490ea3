"""Concrete heaps with permission amounts: what a method holds, and the values there.

A predicate instance has contents, a heap of its own. Contents of an instance of the input are not
there until somebody opens it; then they are the same for all copies of the instance. A wand
instance has a closure: what was packaged, if anybody knows.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pitviper.engines.explore.runtime.value import Value

if TYPE_CHECKING:
    from pitviper.engines.explore.runtime.nesting import Inside
    from pitviper.engines.explore.runtime.trial import Trial

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
    `horizon` counts the objects that the run had made when the instance was gained, `trial` is
    the part of the run that made it up. Who closed it has noted what is inside. An instance
    `is_whole` if all of it was held at some time.
    """

    __slots__ = ("heap", "horizon", "inside", "is_whole", "trial", "unit", "within")

    def __init__(self, heap: Heap | None, unit: Value, within: Within, horizon: int = 0) -> None:
        self.heap = heap
        self.horizon = horizon
        self.unit = unit
        self.within = within
        self.trial: Trial | None = None
        self.inside: Inside | None = None
        self.is_whole = False

    def opened(self) -> Heap:
        """The heap inside, to be filled."""
        self.heap = Heap(self.within, self.horizon)
        self.heap.is_part = not self.is_whole
        return self.heap


class Instance(NamedTuple):
    args: tuple[Value, ...]
    amount: Value
    contents: Contents


class Closure:
    """What a wand gives for its left-hand side: the script, what it needs, and its variables.

    `script` is empty where the wand was not packaged by this run: then it may be any such wand.
    What comes out depends on what is put in and on nothing else: `results` are the heaps that were
    put in so far, each with the one that came out. Nobody can tell what a `short` package gives.
    """

    __slots__ = ("captured", "footprint", "is_short", "results", "script")

    def __init__(self, script: str, footprint: Heap, captured: tuple[object, ...]) -> None:
        self.script = script
        self.footprint = footprint
        self.captured = captured
        self.is_short = False
        self.results: list[tuple[Heap, Heap]] = []


class WandInstance(NamedTuple):
    holes: tuple[Value, ...]
    closure: Closure


class Heap:
    """Cells by object and field, instances by predicate, wands by shape.

    Copies share what cannot change.

    `within` are the predicate instances that the heap is inside of. Values that are made up for
    it may be one of the first `horizon` objects that the run made; None for all. Where it
    `is_part`, nobody has all of it, so that a location may be in it more than once.
    """

    __slots__ = ("cells", "horizon", "instances", "is_part", "wands", "within")

    def __init__(self, within: Within = (), horizon: int | None = None) -> None:
        self.within = within
        self.horizon = horizon
        self.is_part = False
        self.cells: dict[Key, Cell] = {}
        self.instances: dict[str, list[Instance]] = {}
        self.wands: dict[str, list[WandInstance]] = {}

    @property
    def is_used(self) -> bool:
        """Whether anything is held."""
        parts = (*self.instances.values(), *self.wands.values())
        return bool(self.cells) or any(parts)

    def copy(self) -> Heap:
        made = Heap(self.within, self.horizon)
        made.cells = self.cells.copy()
        made.instances = {name: list(held) for name, held in self.instances.items()}
        if self.wands:
            made.wands = {shape: list(held) for shape, held in self.wands.items()}
        return made
