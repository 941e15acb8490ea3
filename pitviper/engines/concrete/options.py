"""What can be chosen about a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from pitviper.base.record import field, record
from pitviper.engines.shared.values import Ref, Value

Meaning = Callable[[tuple[Value, ...]], Value | None]
"""A domain function: arguments to result, None where it is not given."""


class Loops(Enum):
    """ITERATE: run the loop as it is, with only the permissions of the invariant in the body.

    ARBITRARY: start one iteration in an arbitrary state that satisfies the invariant, as verifiers
    do; such a run ends at the end of the iteration or goes on behind the loop.
    """

    ITERATE = "iterate"
    ARBITRARY = "arbitrary"


class Calls(Enum):
    """CONTRACT: a call does whatever the contract allows. INLINE: it runs the body, if any."""

    CONTRACT = "contract"
    INLINE = "inline"


@record
class Options:
    """`depth` limits nested applications of functions and inlined calls.

    `respect_function_pre_perm_amounts`: else only zero or not counts inside functions.
    """

    loops: Loops = Loops.ITERATE
    calls: Calls = Calls.CONTRACT
    steps: int = 20_000
    depth: int = 40
    respect_function_pre_perm_amounts: bool = False
    assume_injectivity_on_inhale: bool = False


@record
class Interpretation:
    """What domains mean: their functions, and the names of the domains whose axioms these satisfy.

    Domain functions that no axiom mentions need no meaning: they are given values by the tape.
    """

    functions: Mapping[str, Meaning] = field(default_factory=dict)
    domains: frozenset[str] = frozenset()


@record
class Inputs:
    """Where a run starts. Arguments and field values that are not given are left to the tape.

    `fields` are values only: permissions to them come from the precondition.
    """

    arguments: Mapping[str, Value] = field(default_factory=dict)
    fields: Mapping[tuple[Ref, str], Value] = field(default_factory=dict)
    interpretation: Interpretation = field(default_factory=Interpretation)


def meaning_of(table: Mapping[tuple[Value, ...], Value]) -> Meaning:
    """A domain function given by a table."""
    return table.get


@record
class Tape:
    """Each decision takes the next number; behind the last one `then` repeats, or the tape is over.

    What a number means depends on the question: it counts through the possible answers, and the
    simplest answer has number 0.
    """

    numbers: tuple[int, ...] = ()
    then: int | None = None


EMPTY_TAPE = Tape()
ZEROES = Tape(then=0)
"""The simplest answer to every question."""


class TapeReader:
    """A tape with the place that has been reached on it."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.position = 0

    def next(self) -> int | None:
        """The next number, None at the end of the tape."""
        at = self.position
        numbers = self._tape.numbers
        number = numbers[at] if at < len(numbers) else self._tape.then
        if number is not None:
            self.position += 1
        return number
