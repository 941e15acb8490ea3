"""The objects that a run has met."""

from __future__ import annotations

from pitviper.engines.shared.values import NULL, Ref, Value, references_in


class Objects:
    """`allocations` counts the objects made by `new` so far.

    A value that a program held before an allocation is different from the new object, even if
    the run decides on the value later. So each undecided value remembers the count at its birth
    as its *horizon*, and an object knows the allocation that made it (0: it was there before).
    """

    def __init__(self) -> None:
        self._births: dict[int, int] = {}
        self._generic = 0
        self.allocations = 0

    def known(self) -> list[Ref]:
        """All objects met so far, without null."""
        return [Ref(number) for number in sorted(self._births)]

    def note(self, value: Value) -> None:
        """A value from outside the run: its objects were there before."""
        for ref in references_in(value):
            if ref != NULL and not ref.is_generic:
                self._births.setdefault(ref.number, 0)

    def allocate(self) -> Ref:
        self.allocations += 1
        return self._add(self.allocations)

    def stranger(self) -> Ref:
        """An object that was there before, yet has not been met."""
        return self._add(0)

    def generic(self) -> Ref:
        """A stand-in for the objects that have not been met."""
        self._generic -= 1
        return Ref(self._generic)

    def existed(self, value: Value, horizon: int) -> bool:
        """Whether all objects in a value were there at a horizon."""
        return all(self._births.get(ref.number, 0) <= horizon for ref in references_in(value))

    def _add(self, birth: int) -> Ref:
        number = max(self._births, default=0) + 1
        self._births[number] = birth
        return Ref(number)
