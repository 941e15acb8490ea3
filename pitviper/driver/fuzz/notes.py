"""What a writer of random programs knows: its decisions, and roughly what is held where it is."""

from __future__ import annotations

from random import Random

from pitviper.base.record import record

REFS = ("x", "y", "z")
HALVES = ("1/2", "1/4", "3/4", "1/3")


@record
class Resource:
    """Something to hold, as text with `{x}` and `{y}` for the parameters; `amount` is text."""

    place: str
    amount: str

    def given(self, x: str, y: str = "y") -> Resource:
        return Resource(self.place.replace("{x}", x).replace("{y}", y), self.amount)

    @property
    def text(self) -> str:
        return (
            f"acc({self.place})" if self.amount == "write" else f"acc({self.place}, {self.amount})"
        )


@record
class PredicateShape:
    """A predicate that was written: `parts` are what an instance holds without a condition."""

    name: str
    arity: int
    parts: tuple[Resource, ...]


class Notes:
    """Of one program; `held` is what is known to be held, by place."""

    def __init__(self, random: Random, themes: tuple[str, ...]) -> None:
        self._random = random
        self._themes = themes
        self._predicates: list[PredicateShape] = []
        self._functions: list[str] = []  # with {x} for the reference they take
        self._wands: list[tuple[str, str]] = []
        self._ints = ["n", "m"]
        self._held: dict[str, str] = {}
        self._names = 0
        self._labels: list[str] = []
        self._moments = ["l"]
        self._sized = False
        self._list = ""
        self._callees: tuple[str, str] | None = None

    def _has(self, theme: str) -> bool:
        return theme in self._themes

    def _chance(self, part: float) -> bool:
        return self._random.random() < part

    def _any(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _fresh(self, hint: str) -> str:
        self._names += 1
        return f"{hint}{self._names}"

    def _instance(self, shape: PredicateShape, x: str, y: str) -> str:
        return f"{shape.name}({x}, {y})" if shape.arity == 2 else f"{shape.name}({x})"

    def _amount(self) -> str:
        if not self._has("amounts"):
            return self._any("write", "write", "1/2")
        return self._any("write", "write", "p", "wildcard", "(b ? write : 1/2)", "p / 2", *HALVES)

    def _gain(self, gained: Resource) -> None:
        before = self._held.get(gained.place)
        self._held[gained.place] = gained.amount if before is None else "write"

    def _some_held(self, *, ending: str = "", whole: bool = False) -> str | None:
        found = [
            place
            for place, amount in self._held.items()
            if place.endswith(ending) and (amount == "write" or not whole)
        ]
        if self._chance(0.05):
            return f"x{ending or '.f'}"
        return self._random.choice(found) if found else None
