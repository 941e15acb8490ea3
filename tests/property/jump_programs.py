"""Random methods with jumps, and what they do for all values of their truth-valued arguments."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TypeAlias

Values: TypeAlias = dict[str, int]
"""Truth values are 0 and 1."""

NUMBERS, FLAGS = ("r", "s"), ("c", "d", "e")


@dataclass(frozen=True)
class Test:
    """A flag, or a comparison of a number."""

    name: str
    sign: str
    number: int

    def __str__(self) -> str:
        if self.name in FLAGS:
            return self.name if self.number else f"!{self.name}"
        return f"{self.name} {self.sign} {self.number}"

    def holds(self, values: Values) -> bool:
        value = values[self.name]
        found = {
            "==": value == self.number,
            "!=": value != self.number,
            "<=": value <= self.number,
            ">": value > self.number,
        }
        return found[self.sign]


@dataclass(frozen=True)
class Set:
    name: str
    source: str | None
    number: int

    def __str__(self) -> str:
        value = self.number if self.source is None else f"{self.source} + {self.number}"
        return f"{self.name} := {value}"


@dataclass(frozen=True)
class Jump:
    label: str


@dataclass(frozen=True)
class Label:
    name: str


@dataclass(frozen=True)
class If:
    test: Test
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True)
class Assume:
    test: Test


@dataclass(frozen=True)
class Package:
    """A script with branches of its own, which changes nothing."""

    test: Test


Statement: TypeAlias = Set | Jump | Label | If | Assume | Package


@dataclass(frozen=True)
class JumpProgram:
    body: tuple[Statement, ...]
    claim: Test

    @property
    def text(self) -> str:
        lines = ["method m(c: Bool, d: Bool, e: Bool) {", "var r: Int := 0", "var s: Int := 0"]
        return "\n".join([*lines, *_lines(self.body), f"assert {self.claim}", "}"])

    @property
    def is_right(self) -> bool:
        """Whether the claim holds at the end of every run."""
        for flags in product((0, 1), repeat=len(FLAGS)):
            values = {**dict(zip(FLAGS, flags, strict=True)), "r": 0, "s": 0}
            if _run(self.body, values) and not self.claim.holds(values):
                return False
        return True


def jump_program(seed: int) -> JumpProgram:
    draw = _Draw(Random(seed))
    labels = [f"l{number}" for number in range(draw.random.randint(1, 3))]
    body: list[Statement] = []
    for at, label in enumerate(labels):
        body += [*draw.block(3, labels[at:]), Label(label)]
    body += draw.block(3, [])
    sign = draw.random.choice(("==", "!=", "<=", ">"))
    return JumpProgram(
        tuple(body), Test(draw.random.choice(NUMBERS), sign, draw.random.randint(0, 4))
    )


@dataclass(frozen=True)
class _Draw:
    random: Random

    def condition(self) -> Test:
        if self.random.random() < 0.6:
            return Test(self.random.choice(FLAGS), "==", self.random.randint(0, 1))
        sign = self.random.choice(("==", "<=", ">"))
        return Test(self.random.choice(NUMBERS), sign, self.random.randint(0, 3))

    def block(self, depth: int, labels: list[str]) -> list[Statement]:
        return [self.statement(depth, labels) for _ in range(self.random.randint(1, 3))]

    def statement(self, depth: int, labels: list[str]) -> Statement:
        chance = self.random.random()
        if chance < 0.2 or (not depth and not labels):
            source = self.random.choice((None, None, *NUMBERS))
            most = 3 if source is None else 1
            return Set(self.random.choice(NUMBERS), source, self.random.randint(0, most))
        if depth and chance < 0.6:
            then, otherwise = (tuple(self.block(depth - 1, labels)) for _ in range(2))
            return If(self.condition(), then, otherwise if self.random.random() < 0.7 else ())
        if labels and chance < 0.9:
            return Jump(self.random.choice(labels))
        return Package(self.condition()) if chance < 0.95 else Assume(self.condition())


def _lines(body: tuple[Statement, ...]) -> list[str]:
    lines: list[str] = []
    for s in body:
        match s:
            case Jump(label):
                lines.append(f"goto {label}")
            case Label(name):
                lines.append(f"label {name}")
            case Assume(test):
                lines.append(f"assume {test}")
            case Package(test):
                lines.append(f"package true --* true {{ if ({test}) {{ }} else {{ }} }}")
            case If(test, then, otherwise):
                lines += [f"if ({test}) {{", *_lines(then), "} else {", *_lines(otherwise), "}"]
            case Set():
                lines.append(str(s))
    return lines


def _run(body: tuple[Statement, ...], values: Values) -> bool:
    """Whether the run gets to the end."""
    at = 0
    while at < len(body):
        stop = _step(body[at], values)
        if stop is None:
            at += 1
        elif isinstance(stop, Jump):
            at = body.index(Label(stop.label))
        else:
            return False
    return True


def _step(s: Statement, values: Values) -> Jump | Assume | None:
    """What ended the statement before its end."""
    match s:
        case Set(name, source, number):
            values[name] = number + (0 if source is None else values[source])
        case If(test, then, otherwise):
            for inner in then if test.holds(values) else otherwise:
                stop = _step(inner, values)
                if stop is not None:
                    return stop
        case Jump():
            return s
        case Assume(test):
            return None if test.holds(values) else s
    return None
