"""The contents of predicate instances.

An instance that was folded has the contents that went into it. One that was inhaled has contents
that nobody has looked at: they are decided when it is unfolded, and are then the same in all
states that hold this instance. So contents live in one table, and a heap holds their number.
"""

from __future__ import annotations

from pitviper.engines.concrete.heap.heap import Content, Resource, Snapshot


class Snapshots:
    def __init__(self) -> None:
        self._contents: list[dict[Resource, Content]] = []
        self._horizons: list[int] = []
        self._same: dict[int, int] = {}
        self._initial: set[int] = set()

    def fresh(self, horizon: int) -> Snapshot:
        """Contents that are still to be decided."""
        return self.holding({}, horizon)

    def holding(self, contents: dict[Resource, Content], horizon: int) -> Snapshot:
        self._contents.append(contents)
        self._horizons.append(horizon)
        return Snapshot(len(self._contents) - 1)

    def initial(self) -> Snapshot:
        """The contents of the heap that the run was given."""
        snapshot = self.fresh(0)
        self._initial.add(snapshot.number)
        return snapshot

    def is_initial(self, snapshot: Snapshot) -> bool:
        return self.find(snapshot).number in self._initial

    def find(self, snapshot: Snapshot) -> Snapshot:
        number = snapshot.number
        while number in self._same:
            number = self._same[number]
        return Snapshot(number)

    def contents(self, snapshot: Snapshot) -> dict[Resource, Content]:
        """The contents decided so far; to be added to."""
        return self._contents[self.find(snapshot).number]

    def horizon(self, snapshot: Snapshot) -> int:
        return self._horizons[self.find(snapshot).number]

    def inherit(self, part: Snapshot, whole: Snapshot) -> None:
        """Contents inside initial contents are initial, too."""
        if self.is_initial(whole):
            self._initial.add(part.number)

    @property
    def joins(self) -> int:
        """How many snapshots have turned out to be another."""
        return len(self._same)

    def join(self, a: Snapshot, b: Snapshot) -> list[tuple[Content, Content]]:
        """Make two snapshots one; the result are the pairs of contents that must agree for it."""
        one, other = self.find(a).number, self.find(b).number
        if one == other:
            return []
        gone, kept = max(one, other), min(one, other)
        self._same[gone] = kept
        self._horizons[kept] = min(self._horizons[kept], self._horizons[gone])
        into = self._contents[kept]
        pairs: list[tuple[Content, Content]] = []
        for resource, content in self._contents[gone].items():
            if resource in into:
                pairs.append((into[resource], content))
            else:
                into[resource] = content
        return pairs
