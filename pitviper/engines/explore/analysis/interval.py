"""Intervals of integers, open to one or both sides."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import record


@record
class Interval:
    """All integers from `low` to `high`; None is no bound. Never empty."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        low = "" if self.low is None else str(self.low)
        high = "" if self.high is None else str(self.high)
        return low if low and low == high else f"{low}..{high}"


ALL = Interval()


def exactly(number: int) -> Interval:
    return Interval(number, number)


def hull(one: Interval, other: Interval) -> Interval:
    """The smallest interval around both."""
    if one is other:
        return one
    return Interval(_both(min, one.low, other.low), _both(max, one.high, other.high))


def meet(one: Interval, other: Interval) -> Interval | None:
    """What is in both; None if that is nothing."""
    low, high = _tight(max, one.low, other.low), _tight(min, one.high, other.high)
    if low is not None and high is not None and low > high:
        return None
    return Interval(low, high)


def widened(before: Interval, after: Interval) -> Interval:
    """Bounds that moved are given up, so that a loop is looked at only a few times."""
    low = before.low if after.low == before.low else None
    high = before.high if after.high == before.high else None
    return Interval(low, high)


def plus(one: Interval, other: Interval) -> Interval:
    return Interval(_sum(one.low, other.low), _sum(one.high, other.high))


def negated(one: Interval) -> Interval:
    low = None if one.high is None else -one.high
    return Interval(low, None if one.low is None else -one.low)


def times(one: Interval, other: Interval) -> Interval:
    """Exact for bounded factors; without a bound on one of them only signs are known."""
    mine = [bound for bound in (one.low, one.high) if bound is not None]
    theirs = [bound for bound in (other.low, other.high) if bound is not None]
    if len(mine) == len(theirs) == 2:
        products = [a * b for a in mine for b in theirs]
        return Interval(min(products), max(products))
    if _is_natural(one) and _is_natural(other):
        return Interval(0, None)
    return ALL


def is_less(one: Interval, other: Interval) -> bool | None:
    """Whether each number of one is below each of the other; None if that depends."""
    if one.high is not None and other.low is not None and one.high < other.low:
        return True
    if one.low is not None and other.high is not None and one.low >= other.high:
        return False
    return None


def is_equal(one: Interval, other: Interval) -> bool | None:
    if meet(one, other) is None:
        return False
    return True if one == other and one.low is not None and one.low == one.high else None


def _is_natural(one: Interval) -> bool:
    return one.low is not None and one.low >= 0


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _both(pick: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else pick(one, other)


def _tight(pick: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return pick(one, other)
