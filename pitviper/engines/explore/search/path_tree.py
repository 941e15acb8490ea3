"""Names of paths, and the order of runs in a report: the same whoever found them, and when."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import record
from pitviper.engines.explore.runtime.value import Decision

AGAIN = "r"
"""Ends the name of a path that is solved again with more known."""


def path_name(decisions: Sequence[Decision]) -> str:
    """One letter a decision. Paths part at a decision, so different paths have different names."""
    return "".join(["1" if d.taken else "0" for d in decisions])


def side_name(path: str, flipped: int | None) -> str:
    """The path that leaves another one at a decision; None for the same once more."""
    if flipped is None:
        return path + AGAIN
    return path[:flipped] + ("0" if path[flipped] == "1" else "1")


@record
class Placed:
    """Where a run stands in a report; `parent` is a number, or -1 for the first run."""

    index: int
    parent: int


def arranged(paths: Sequence[str], is_run: Sequence[bool]) -> list[Placed]:
    """Attempts by their numbers: runs come first, among them those on short paths.

    The parent of an attempt is the first run on the other side of the decision where it leaves
    all that come before it.
    """
    order = sorted(range(len(paths)), key=lambda i: (not is_run[i], len(paths[i]), paths[i]))
    number = {index: n for n, index in enumerate(order)}
    parents = _parents([(paths[index], number[index]) for index in order])
    return [Placed(index, parents.get(number[index], -1)) for index in order]


def _parents(attempts: list[tuple[str, int]]) -> dict[int, int]:
    """Neighbours in alphabetical order are joined, those with most in common first.

    Of two groups that are joined the one with the larger first number hangs below the other.
    """
    found: dict[int, int] = {}
    groups: list[tuple[int, int]] = []  # common length with the group before, and first number
    before = ""

    def join() -> None:
        (_, last), (length, first) = groups.pop(), groups.pop()
        found[max(first, last)] = min(first, last)
        groups.append((length, min(first, last)))

    for path, number in sorted(attempts):
        length = _common(before, path)
        while len(groups) > 1 and groups[-1][0] > length:
            join()
        groups.append((length, number))
        before = path
    while len(groups) > 1:
        join()
    return found


def _common(one: str, other: str) -> int:
    """The length of what two paths share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low
