"""Small assertions and wands, and what they mean in concrete states of three objects.

A wand holds in a footprint if the footprint together with any compatible left-hand state satisfies
the right-hand side. There are so few states here that all of them can be tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

OBJECTS = ("x", "y", "z")
Place: TypeAlias = tuple[str, str]
"""An object and a field: `b` has truth values, `r` has objects or null."""
Value: TypeAlias = bool | str | None
Amounts: TypeAlias = dict[Place, Fraction]

PLACES: tuple[Place, ...] = tuple([(o, f) for o in OBJECTS for f in ("b", "r")])
NONE, WRITE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class World:
    """The values of all places, and that of the parameter `c`."""

    values: dict[Place, Value]
    c: bool


def worlds(*, c: bool) -> list[World]:
    domains = [(False, True) if field == "b" else (None, *OBJECTS) for _, field in PLACES]
    return [World(dict(zip(PLACES, vs, strict=True)), c) for vs in product(*domains)]


@dataclass(frozen=True)
class Object:
    """A variable, or what the field `r` of one has."""

    name: str
    through_r: bool = False

    def __str__(self) -> str:
        return f"{self.name}.r" if self.through_r else self.name

    def meaning(self, world: World) -> str | None:
        found = world.values[self.name, "r"] if self.through_r else self.name
        return found if isinstance(found, str) else None


@dataclass(frozen=True)
class Condition:
    """`c` if there is no object; else `object.b`, or `object.r == other`; perhaps negated."""

    object: Object | None = None
    field: str = "b"
    other: str | None = None
    positive: bool = True

    def __str__(self) -> str:
        text = "c" if self.object is None else f"{self.object}.{self.field}"
        if self.object is not None and self.field == "r":
            text += f" == {self.other or 'null'}"
        return f"({text})" if self.positive else f"!({text})"

    def holds(self, world: World) -> bool:
        if self.object is None:
            return world.c is self.positive
        target = self.object.meaning(world)
        wanted = self.other if self.field == "r" else True
        found = target is not None and world.values[target, self.field] == wanted
        return found is self.positive


@dataclass(frozen=True)
class Amount:
    """One amount, or one of two."""

    then: Fraction
    condition: Condition | None = None
    otherwise: Fraction = NONE

    def __str__(self) -> str:
        if self.condition is None:
            return amount_text(self.then)
        both = f"{amount_text(self.then)} : {amount_text(self.otherwise)}"
        return f"({self.condition} ? {both})"

    def meaning(self, world: World) -> Fraction:
        chosen = self.condition is None or self.condition.holds(world)
        return self.then if chosen else self.otherwise


def amount_text(amount: Fraction) -> str:
    return {NONE: "none", WRITE: "write"}.get(amount, str(amount))


@dataclass(frozen=True)
class Access:
    object: Object
    field: str
    amount: Amount

    def __str__(self) -> str:
        return f"acc({self.object}.{self.field}, {self.amount})"


@dataclass(frozen=True)
class All:
    """The same permission to several objects, under a condition."""

    names: tuple[str, ...]
    field: str
    amount: Amount
    condition: Condition

    def __str__(self) -> str:
        chosen = f"o in Set({', '.join(self.names)}) && {self.condition}"
        return f"(forall o: Ref :: {chosen} ==> acc(o.{self.field}, {self.amount}))"


@dataclass(frozen=True)
class Choice:
    condition: Condition
    then: Assertion
    otherwise: Assertion

    def __str__(self) -> str:
        if not self.otherwise:
            return f"({self.condition} ==> {text_of(self.then)})"
        return f"({self.condition} ? {text_of(self.then)} : {text_of(self.otherwise)})"


Conjunct: TypeAlias = Condition | Access | All | Choice
Assertion: TypeAlias = tuple[Conjunct, ...]


def text_of(assertion: Assertion) -> str:
    return f"({' && '.join(map(str, assertion))})" if assertion else "true"


def needed(assertion: Assertion, world: World, amounts: Amounts) -> bool:
    """Adds the permissions that are asked for; the result says whether all else holds."""
    for part in assertion:
        match part:
            case Condition():
                fine = part.holds(world)
            case Access(obj, field, amount):
                fine = _add(amounts, obj.meaning(world), field, amount.meaning(world))
            case All(names, field, amount, condition):
                chosen = names if condition.holds(world) else ()
                fine = all([_add(amounts, o, field, amount.meaning(world)) for o in chosen])
            case Choice(condition, then, otherwise):
                fine = needed(then if condition.holds(world) else otherwise, world, amounts)
        if not fine:
            return False
    return True


def _add(amounts: Amounts, target: str | None, field: str, amount: Fraction) -> bool:
    if amount and target is not None:
        amounts[target, field] = amounts.get((target, field), NONE) + amount
    return not amount or target is not None


@dataclass(frozen=True)
class State:
    """What is held, and values there."""

    amounts: Amounts
    world: World


def counterexample(left: Assertion, right: Assertion, footprint: State) -> State | None:
    """A left-hand state that is compatible with the footprint, and does not do with it."""
    for world in worlds(c=footprint.world.c):
        held: Amounts = {}
        if needed(left, world, held) and _compatible(held, world, footprint):
            together = _together(held, world, footprint)
            wanted: Amounts = {}
            if not needed(right, together.world, wanted) or not _covers(together.amounts, wanted):
                return State(held, world)
    return None


def _compatible(held: Amounts, world: World, footprint: State) -> bool:
    for place, amount in held.items():
        other = footprint.amounts.get(place, NONE)
        if amount + other > WRITE:
            return False
        if amount and other and world.values[place] != footprint.world.values[place]:
            return False
    return True


def _together(held: Amounts, world: World, footprint: State) -> State:
    amounts, values = dict(held), dict(world.values)
    for place, amount in footprint.amounts.items():
        amounts[place] = amounts.get(place, NONE) + amount
        if amount:
            values[place] = footprint.world.values[place]
    return State(amounts, World(values, world.c))


def _covers(held: Amounts, wanted: Amounts) -> bool:
    return all(held.get(place, NONE) >= amount for place, amount in wanted.items())
