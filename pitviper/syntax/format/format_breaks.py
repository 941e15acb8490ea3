"""Where a line that is too long is broken: at the loosest operators or commas outside brackets.

All operators of the loosest kind are broken at once; commas only where the line is full.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from pitviper.syntax.format.items import STEP, WIDTH, Before, Items, Mark, Start

_HEAD, _COMMA, _CHOICE = range(3)
_RANKS = {
    "<==>": 3, "==>": 4, "--*": 5, "||": 6, "&&": 7, "==": 8, "!=": 8, "++": 9, "union": 9
}  # fmt: skip
"""Operators behind which a line may be broken, loosest first. Looser are the end of a head (that of
a quantifier, or what stands before `returns`), commas and conditionals."""
_BODY = (-1, _HEAD)
"""Before anything else, a body leaves the line with its braces."""
_LAST_RESORT = 1_000_000
"""The depth of commas outside brackets, between variables or measures."""
_BINDERS = frozenset({"forall", "exists", "forperm"})
_PREFIXES = frozenset({"let", "unfolding", "applying", "asserting"})
_OPENING = frozenset({Mark.OPEN, Mark.BLOCK_OPEN, Mark.BODY_OPEN})
_CLOSING = frozenset({Mark.CLOSE, Mark.BLOCK_CLOSE})


class Breaks:
    """Knows all places where the lines of some items could be broken.

    They and the widths are found once, so that breaking a long line into many stays cheap.
    """

    def __init__(self, items: Items) -> None:
        self._items = items
        places = sorted(_Scan().places(items))
        self._places = [place for place, _ in places]
        self._keys = [key for _, key in places]
        self._starts: list[int] = []
        self._ends: list[int] = []
        end = 0
        for text, before in zip(items.texts, items.before, strict=True):
            start = end + (before is not Before.NOTHING)
            end = start + len(text)
            self._starts.append(start)
            self._ends.append(end)

    def width(self, line: range) -> int:
        """The columns that these items take on one line, without a comment at its end."""
        return self._ends[self._stop(line) - 1] - self._starts[line.start]

    def choose(self, line: range, indent: int) -> list[int]:
        """The items before which to break the line, in order; none if there is no such place."""
        first = bisect_left(self._places, line.start + 1)
        last = bisect_left(self._places, self._stop(line))
        if first == last:
            return []
        loosest = min(self._keys[first:last])
        chosen = [at for at in range(first, last) if self._keys[at] == loosest]
        places = [self._places[at] for at in chosen]
        return self._filled(line, places, indent) if loosest[1] == _COMMA else places

    def _stop(self, line: range) -> int:
        stop = line.stop
        while stop > line.start + 1 and self._items.marks[stop - 1] is Mark.COMMENT:
            stop -= 1
        return stop

    def _filled(self, line: range, places: list[int], indent: int) -> list[int]:
        """Those of the places where the next part no longer fits on the line."""
        chosen: list[int] = []
        room = WIDTH - indent
        used, begin = 0, line.start
        for place in [*places, line.stop]:
            width = self.width(range(begin, place))
            if used and used + width > room:
                chosen.append(begin)
                used, room = 0, WIDTH - indent - STEP
            used += width + 1
            begin = place
        return chosen


@dataclass(slots=True)
class _Scan:
    """How deep the scan is: brackets count, and so do bodies of binders and right sides of wands.

    `inside` has, for each open bracket, the depth that binders and wands in it added so far;
    `binding` is positive between `forall` and its `::`. A place is the number of an item with the
    depth and the rank of what it follows: the smallest pair is the loosest.
    """

    depth: int = 0
    inside: list[int] = field(default_factory=lambda: [0])
    binding: int = 0
    found: list[tuple[int, tuple[int, int]]] = field(default_factory=list)
    opened: list[Mark] = field(default_factory=list)

    def places(self, items: Items) -> list[tuple[int, tuple[int, int]]]:
        texts, marks, starts = items.texts, items.marks, items.starts
        for at, text in enumerate(texts):
            if starts[at] is not Start.NOTHING:
                self._deepen(-self.inside[-1])
                self.binding = 0
            mark = marks[at]
            if mark is not Mark.PLAIN:
                self._bracket(at, mark)
            elif text == ",":
                self._comma(at + 1)
            elif text in _RANKS:
                if texts[at - 2] != "let":
                    self._operator(text, at + 1)
            elif text == "::":
                self._head(items, at + 1)
            else:
                self._word(text, at)
        return self.found

    def _bracket(self, at: int, mark: Mark) -> None:
        if mark in _OPENING:
            self.depth += 1
            self.inside.append(0)
            self.opened.append(mark)
            if mark is Mark.BODY_OPEN:
                self.found.append((at + 1, _BODY))
        elif mark in _CLOSING:
            if self.opened and self.opened.pop() is Mark.BODY_OPEN:
                self.found.append((at, _BODY))
            self.depth -= 1 + self.inside.pop()
            self.inside = self.inside or [0]
        elif mark is Mark.CHOICE:
            self.found.append((at, (self.depth, _CHOICE)))

    def _deepen(self, by: int) -> None:
        self.depth += by
        self.inside[-1] += by

    def _comma(self, place: int) -> None:
        outside = not self.opened or self.opened[-1] is Mark.BLOCK_OPEN
        if not self.binding:
            self._deepen(-self.inside[-1])
        depth = _LAST_RESORT if outside and not self.binding else self.depth
        self.found.append((place, (depth, _COMMA)))

    def _operator(self, text: str, place: int) -> None:
        self.found.append((place, (self.depth, _RANKS[text])))
        if text == "--*":
            self._deepen(1)

    def _head(self, items: Items, place: int) -> None:
        """Behind `::` and the triggers."""
        self.binding = max(self.binding - 1, 0)
        self._deepen(-1)
        while place < len(items.texts) and items.texts[place] == "{":
            place = _behind_group(items, place)
        self.found.append((place, (self.depth, _HEAD)))

    def _word(self, text: str, at: int) -> None:
        if text in _BINDERS:
            self._deepen(2)
            self.binding += 1
        elif text in _PREFIXES:
            self._deepen(1)
        elif text == "returns":
            self.found.append((at, (self.depth, _HEAD)))


def _behind_group(items: Items, opening: int) -> int:
    """The item behind a group in brackets."""
    depth = 0
    for at in range(opening, len(items.texts)):
        depth += (items.marks[at] in _OPENING) - (items.marks[at] in _CLOSING)
        if depth == 0:
            return at + 1
    return len(items.texts)
