"""Where a run takes its decisions from: a list of numbers that can be played again."""

from __future__ import annotations

from pitviper.base.record import record


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
