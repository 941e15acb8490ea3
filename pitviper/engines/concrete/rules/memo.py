"""The results of functions that have been applied."""

from __future__ import annotations

from pitviper.base.record import field, record, struct
from pitviper.engines.concrete.heap.heap import Content, Resource, Snapshot
from pitviper.engines.concrete.values.unknown import Raw
from pitviper.engines.shared.values import Value
from pitviper.program.types import Type

Key = tuple[object, ...]


@record
class Applied:
    """An abstract function on one part of the heap: the part it may look at, and its value."""

    footprint: dict[Resource, Content]
    value: Raw


@struct
class Memo:
    """`defined` are applications of functions with bodies, None while one is being evaluated.

    `abstract` are those of functions without body, by name and arguments; `domain` those of domain
    functions without interpretation and of destructors on the wrong constructor. `wands` maps a
    wand and what is given to it to what it gives back. `joins` is the number of joined snapshots
    for which the abstract applications are known to be consistent.
    """

    defined: dict[Key, Raw | None] = field(default_factory=dict)
    abstract: dict[tuple[str, tuple[Value, ...]], list[Applied]] = field(default_factory=dict)
    domain: dict[tuple[str, tuple[Type, ...], tuple[Value, ...]], Raw] = field(default_factory=dict)
    wands: dict[Key, Snapshot] = field(default_factory=dict)
    joins: int = 0
    wand_count: int = 0

    def next_wand(self) -> int:
        self.wand_count += 1
        return self.wand_count
