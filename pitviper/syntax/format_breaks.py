"""Where a line that is too long is broken: at the loosest operators or commas outside brackets.

All operators of the loosest kind are broken at once; commas only where the line is full.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pitviper.syntax.format_items import STEP, WIDTH, Items, Mark

_RANKS = {"<==>": 2, "==>": 3, "--*": 4, "||": 5, "&&": 6, "::": 9}
"""Operators behind which a line may be broken, loosest first."""
_COMMA, _CHOICE = 0, 1
_BINDERS = frozenset({"forall", "exists", "forperm"})
_OPENING = frozenset({Mark.OPEN, Mark.BLOCK_OPEN, Mark.BODY_OPEN})
_CLOSING = frozenset({Mark.CLOSE, Mark.BLOCK_CLOSE})


@dataclass(slots=True)
class _Scan:
    """How deep the scan is: brackets count, and so do bodies of binders and right sides of wands.

    `inside` has, for each open bracket, the depth that binders and wands in it added so far;
    `binding` is positive between `forall` and its `::`.
    """

    depth: int = 0
    inside: list[int] = field(default_factory=lambda: [0])
    binding: int = 0
    found: list[tuple[int, int, int]] = field(default_factory=list)

    def open(self) -> None:
        self.depth += 1
        self.inside.append(0)

    def close(self) -> None:
        self.depth -= 1 + self.inside.pop()
        self.inside = self.inside or [0]

    def deepen(self, by: int) -> None:
        self.depth += by
        self.inside[-1] += by

    def comma(self, at: int) -> None:
        if not self.binding:
            self.deepen(-self.inside[-1])
        self.found.append((self.depth, _COMMA, at))

    def operator(self, text: str, at: int) -> None:
        if text == "::":
            self.binding = max(self.binding - 1, 0)
            self.deepen(-1)
        self.found.append((self.depth, _RANKS[text], at))
        if text == "--*":
            self.deepen(1)


def choose_breaks(items: Items, line: range, indent: int) -> list[int]:
    """The items of `line` before which to break it, in order; none if there is no such place."""
    body = _inline_body(items, line)
    if body:
        return body
    found = [c for c in _candidates(items, line) if line.start < c[2] < line.stop]
    if not found:
        return []
    depth, rank, _ = min(found)
    places = [at for d, r, at in found if d == depth and r == rank]
    return _filled(items, line, places, indent) if rank == _COMMA else places


def _inline_body(items: Items, line: range) -> list[int]:
    """Behind the `{` and before the `}` of a body that stands on the line with its braces."""
    marks = items.marks
    for at in line:
        if marks[at] is Mark.BODY_OPEN and at + 1 < line.stop:
            closing = [k for k in range(at, line.stop) if marks[k] is Mark.BLOCK_CLOSE]
            return [at + 1, closing[-1]] if closing else []
    return []


def _candidates(items: Items, line: range) -> list[tuple[int, int, int]]:
    """Depth, rank and item of each place where the line could be broken."""
    texts, marks = items.texts, items.marks
    stop = line.stop
    while stop > line.start and marks[stop - 1] is Mark.COMMENT:
        stop -= 1
    scan = _Scan()
    for at in range(line.start, stop):
        text, mark = texts[at], marks[at]
        if mark in _OPENING:
            scan.open()
        elif mark in _CLOSING:
            scan.close()
        elif mark is Mark.CHOICE:
            scan.found.append((scan.depth, _CHOICE, at))
        elif text == ",":
            scan.comma(at + 1)
        elif text in _BINDERS:
            scan.deepen(2)
            scan.binding += 1
        elif text in _RANKS:
            scan.operator(text, at + 1)
    return [c for c in scan.found if c[2] < stop]


def _filled(items: Items, line: range, places: list[int], indent: int) -> list[int]:
    """Those of the places where the next part no longer fits on the line."""
    chosen: list[int] = []
    room = WIDTH - indent
    used, begin = 0, line.start
    for place in [*places, line.stop]:
        width = width_of(items, range(begin, place))
        if used and used + width > room:
            chosen.append(begin)
            used, room = 0, WIDTH - indent - STEP
        used += width + 1
        begin = place
    return chosen


def width_of(items: Items, line: range) -> int:
    """The columns that these items take on a line, without a comment at its end."""
    start, stop = line.start, line.stop
    if stop > start + 1 and items.marks[stop - 1] is Mark.COMMENT:
        stop -= 1
    return sum(map(len, items.texts[start:stop])) + sum(items.before[start + 1 : stop])
