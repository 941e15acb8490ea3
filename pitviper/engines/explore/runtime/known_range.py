"""What the conditions of a path say about whole numbers: the least and the largest each may be.

A loop up to a number that the precondition fixes asks the same question at every turn. All but one
side of it is excluded by what is known, so it is no decision: nobody has to be asked about it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from pitviper.terms.operators import AND, AT_MOST, EQUAL, LESS, NOT, OR, PLUS
from pitviper.terms.sort import INT
from pitviper.terms.term import App, Literal, Term

Range: TypeAlias = tuple[int | None, int | None]
"""The least and the largest number, None where nothing is known."""

ANY: Range = (None, None)


class KnownRanges:
    """Ranges of the terms that a path compares with numbers.

    `learn` is told conditions that hold for the values of the run; `decided` says whether another
    one follows from them.
    """

    __slots__ = ("_ranges",)

    def __init__(self) -> None:
        self._ranges: dict[Term, Range] = {}

    def learn(self, term: Term, *, holds: bool) -> None:
        """From here on the condition is known to hold, or not to."""
        if not isinstance(term, App):
            return
        symbol = term.symbol
        if symbol is NOT:
            self.learn(term.args[0], holds=not holds)
        elif symbol is (AND if holds else OR):
            for arg in term.args:
                self.learn(arg, holds=holds)
        else:
            compared = _compared(term)
            if compared is not None:
                number, low, high = compared
                known = self._ranges.get(number, ANY)
                self._ranges[number] = _narrowed(known, low, high, holds=holds)

    def decided(self, term: Term) -> bool | None:
        """Whether a condition holds, by what is known of the number that it is about."""
        if not self._ranges or not isinstance(term, App):
            return None
        compared = _compared(term)
        if compared is None:
            return None
        number, low, high = compared
        least, most = self._ranges.get(number, ANY)
        if (low is not None and most is not None and most < low) or (
            high is not None and least is not None and least > high
        ):
            return False
        above = low is None or (least is not None and least >= low)
        below = high is None or (most is not None and most <= high)
        return True if above and below else None


@lru_cache(maxsize=4096)
def _compared(term: App) -> tuple[Term, int | None, int | None] | None:
    """A comparison with a number, as the range in which something is where it holds."""
    if term.symbol not in (LESS, AT_MOST, EQUAL) or len(term.args) != 2:
        return None
    left, right = term.args
    if left.sort is not INT:
        return None
    if isinstance(right, Literal):
        base, offset = _without_number(left)
        number = int(right.value) - offset
        if term.symbol is EQUAL:
            return base, number, number
        return base, None, number - 1 if term.symbol is LESS else number
    if isinstance(left, Literal):
        base, offset = _without_number(right)
        number = int(left.value) - offset
        if term.symbol is EQUAL:
            return base, number, number
        return base, number + 1 if term.symbol is LESS else number, None
    return None


def _without_number(term: Term) -> tuple[Term, int]:
    """A sum as what is added to a number, and that number."""
    if isinstance(term, App) and term.symbol is PLUS and len(term.args) == 2:
        left, right = term.args
        if isinstance(left, Literal):
            return right, int(left.value)
        if isinstance(right, Literal):
            return left, int(right.value)
    return term, 0


def _narrowed(known: Range, low: int | None, high: int | None, *, holds: bool) -> Range:
    """A range, and what is known besides: a number is between two others, or is not."""
    least, most = known
    if not holds:
        if low is not None and low == high:
            least = low + 1 if least == low else least
            return least, low - 1 if most == low else most
        low, high = (None if high is None else high + 1), (None if low is None else low - 1)
    if low is not None and (least is None or low > least):
        least = low
    if high is not None and (most is None or high < most):
        most = high
    return least, most
