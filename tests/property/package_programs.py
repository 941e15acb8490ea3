"""Random packages of small wands, in a state that is known up to a few truth values."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random

from tests.property.wand_meaning import (
    NONE,
    OBJECTS,
    PLACES,
    WRITE,
    Access,
    All,
    Amount,
    Amounts,
    Assertion,
    Choice,
    Condition,
    Conjunct,
    Object,
    Place,
    State,
    Value,
    World,
    amount_text,
    text_of,
)

AMOUNTS = (Fraction(1, 4), Fraction(1, 2), Fraction(1, 2), WRITE)
STEPS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), WRITE)


@dataclass(frozen=True)
class Claim:
    """That so much is left of a place, if `c` and the fields `b` had these values before."""

    world: World
    place: Place
    amount: Fraction


@dataclass(frozen=True)
class Program:
    """`claims` by the line on which each is asserted; `first` is the first such line."""

    text: str
    left: Assertion
    right: Assertion
    outer: Amounts
    worlds: tuple[World, ...]
    claims: dict[int, Claim]
    first: int

    def footprint(self, world: World, failed: set[int]) -> State:
        """What is not claimed to be left."""
        mine = [(line, c) for line, c in self.claims.items() if c.world is world]
        held = {
            place: max(
                [c.amount for at, c in mine if at not in failed and c.place == place] or [NONE]
            )
            for place in self.outer
        }
        taken = {place: amount - held[place] for place, amount in self.outer.items()}
        return State({place: amount for place, amount in taken.items() if amount}, world)


def package_program(seed: int) -> Program:
    draw = _Draw(Random(seed))
    outer = {p: draw.random.choice((*AMOUNTS, WRITE)) for p in PLACES if draw.likely(0.75)}
    draw.outer = tuple(outer) or PLACES
    draw.quantified = draw.likely(0.3)
    left, readable = draw.assertion(draw.random.randint(0, 3), (), 1)
    right, _ = draw.assertion(draw.random.randint(1, 3), (), 1)
    if draw.likely(0.5):
        right = (*[a for a in left if isinstance(a, Access) and a.amount.condition is None], *right)
    script = draw.script(readable, 2)
    known: dict[Place, Value] = {
        p: draw.random.choice((None, *OBJECTS)) for p in outer if p[1] == "r"
    }
    return _printed(left, right, script, outer, known)


@dataclass
class _Draw:
    random: Random
    outer: tuple[Place, ...] = PLACES
    quantified: bool = field(default=False)

    def likely(self, probability: float) -> bool:
        return self.random.random() < probability

    def condition(self, readable: tuple[Place, ...]) -> Condition:
        """Of `c`, or of a value that may be read."""
        positive = self.likely(0.8)
        if not readable or self.likely(0.15):
            return Condition(positive=positive)
        name, field_ = self.random.choice(readable)
        other = self.random.choice((None, *OBJECTS)) if field_ == "r" else None
        return Condition(Object(name), field_, other, positive)

    def amount(self, readable: tuple[Place, ...]) -> Amount:
        then = self.random.choice(AMOUNTS)
        if self.likely(0.75):
            return Amount(then)
        return Amount(then, self.condition(readable), self.random.choice((*AMOUNTS, NONE)))

    def assertion(
        self, length: int, readable: tuple[Place, ...], depth: int
    ) -> tuple[Assertion, tuple[Place, ...]]:
        """Conjuncts that read only what those before them give."""
        parts: list[Conjunct] = []
        for _ in range(length):
            part = self.conjunct(readable, depth)
            parts.append(part)
            match part:
                case Access(Object(name, False), field_, Amount(_, None)):
                    readable = (*readable, (name, field_))
        return tuple(parts), readable

    def conjunct(self, readable: tuple[Place, ...], depth: int) -> Conjunct:
        kind = self.random.random()
        if self.quantified and self.likely(0.25):
            names = tuple(sorted(self.random.sample(OBJECTS, self.random.randint(1, 3))))
            amount, condition = self.amount(readable), self.condition(readable)
            return All(names, self.random.choice("br"), amount, condition)
        if kind < 0.5 or not readable:
            return self.access(readable)
        if kind < 0.65 or not depth:
            return self.condition(readable)
        then, _ = self.assertion(self.random.randint(1, 2), readable, depth - 1)
        otherwise, _ = self.assertion(self.random.randint(0, 1), readable, depth - 1)
        return Choice(self.condition(readable), then, otherwise)

    def access(self, readable: tuple[Place, ...]) -> Access:
        references = [name for name, field_ in readable if field_ == "r"]
        if references and self.likely(0.3):
            target = Object(self.random.choice(references), through_r=True)
            return Access(target, self.random.choice("bbr"), self.amount(readable))
        name, field_ = self.random.choice(self.outer if self.likely(0.7) else PLACES)
        return Access(Object(name), field_, self.amount(readable))

    def script(self, readable: tuple[Place, ...], depth: int) -> list[str]:
        """Assertions that move something in, under conditions."""
        lines: list[str] = []
        for _ in range(self.random.choice((0, 0, 1, 2))):
            if depth and self.likely(0.4):
                then, other = (self.script(readable, depth - 1) for _ in range(2))
                lines += [f"if {self.condition(readable)} {{", *then, "} else {", *other, "}"]
            else:
                name, field_ = self.random.choice(self.outer)
                amount = Amount(self.random.choice(AMOUNTS[:2]))
                lines.append(f"assert {Access(Object(name), field_, amount)}")
        return lines


def _printed(
    left: Assertion,
    right: Assertion,
    script: list[str],
    outer: Amounts,
    known: dict[Place, Value],
) -> Program:
    flags = [place for place in outer if place[1] == "b"]
    lines = ["field b: Bool", "field r: Ref", ""]
    lines += ["method m(x: Ref, y: Ref, z: Ref, c: Bool, t: Int)"]
    lines += ["  requires x != y && y != z && x != z && x != null && y != null && z != null"]
    for (name, field_), amount in outer.items():
        value = f" && {name}.r == {known[name, 'r'] or 'null'}" if field_ == "r" else ""
        lines.append(f"  requires acc({name}.{field_}, {amount_text(amount)}){value}")
    lines += ["{", *[f"  var v{name}: Bool := {name}.b" for name, _ in flags]]
    lines += [f"  package {text_of(left)} --* {text_of(right)} {{", *script, "  }"]
    first, claims, found = len(lines) + 1, dict[int, Claim](), []
    for c, *values in product((False, True), repeat=len(flags) + 1):
        world = World({**known, **dict(zip(flags, values, strict=True))}, c)
        found.append(world)
        facts = [_literal("c", holds=c)]
        facts += [_literal(f"v{p[0]}", holds=v) for p, v in zip(flags, values, strict=True)]
        for place, amount in outer.items():
            for step in [s for s in STEPS if s <= amount]:
                condition = " && ".join([f"t == {len(claims)}", *facts])
                left_over = f"perm({place[0]}.{place[1]}) >= {amount_text(step)}"
                lines.append(f"  if ({condition}) {{ assert {left_over} }}")
                claims[len(lines)] = Claim(world, place, step)
    text = "\n".join([*lines, "}", ""])
    return Program(text, left, right, outer, tuple(found), claims, first)


def _literal(name: str, *, holds: bool) -> str:
    return name if holds else f"!{name}"
