"""Items to text: indents each line, and breaks the ones that are too long.

The indentation follows from brackets and line starts alone, and a line that was broken here is
broken at the same places in the next run. So arranging the result again changes nothing.
"""

from __future__ import annotations

from bisect import bisect_left

from pitviper.base.record import field, struct
from pitviper.syntax.format.items import STEP, WIDTH, Before, Items, Mark, Start


@struct
class _Frame:
    """An open bracket, or the whole file.

    `outer` is the indentation of its closing bracket, `unit` that of the units in it, `inner` that
    of the lines that continue a unit, which stand `deeper` steps further in behind a broken `==>`
    or `::`. `broken`: a line ended in it. `aligned`: a line ended right behind the bracket, so the
    lines that continue its content stand right below that. `hanging`: the next line is the right
    side of an equality. `headed`: the last line ended with the head of a quantifier.
    """

    outer: int
    unit: int
    inner: int
    deeper: int = 0
    broken: bool = False
    aligned: bool = False
    hanging: bool = False
    headed: bool = False


def lay_out(items: Items, indent: int = 0) -> str:
    """The text of the items; units outside brackets are indented by `indent`.

    Items that start no unit are the expression of a body whose braces stand on other lines.
    """
    frame = _Frame(indent, indent, indent + STEP)
    if items.starts and items.starts[0] is Start.NOTHING:
        frame = _Frame(indent, indent, indent, broken=True, aligned=True)
    layout = _Layout(items, Breaks(items), [frame])
    at = 0
    while at < len(items.texts):
        at = layout.next_line(at)
    return "\n".join(layout.lines)


@struct
class _Layout:
    """`stops` are the ends of the parts into which a long line was broken, the next one last;
    `token` is the first item at or behind the last line start that is no comment."""

    items: Items
    breaks: Breaks
    frames: list[_Frame]
    stops: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    token: int = 0

    def next_line(self, at: int) -> int:
        """Writes the line that starts with the item `at`; the first item of the next one."""
        indent = self._indent(at)
        line = range(at, self._stop(at))
        while indent + self.breaks.width(line) > WIDTH and at not in self.items.fixed:
            places = self.breaks.choose(line, indent)
            if not places:
                break
            self.stops += [line.stop, *places[:0:-1]]
            line = range(at, places[0])
        if self.items.before[at] is Before.EMPTY_LINE:
            self.lines.append("")
        self._write(line, indent)
        self._follow(line, indent)
        return line.stop

    def _stop(self, at: int) -> int:
        if self.stops:
            return self.stops.pop()
        before = self.items.before
        stop = at + 1
        while stop < len(before) and before[stop] < Before.LINE:
            stop += 1
        return stop

    def _indent(self, at: int) -> int:
        """The indentation of a line that starts with this item."""
        marks = self.items.marks
        token = max(at, self.token)
        while token < len(marks) - 1 and marks[token] is Mark.COMMENT:
            token += 1
        self.token = token
        mark, start, frame = marks[token], self.items.starts[token], self.frames[-1]
        if start is Start.UNIT or mark is Mark.BLOCK_OPEN or mark is Mark.BODY_OPEN:
            return frame.unit
        if start is Start.CLAUSE:
            return frame.unit + STEP
        if mark is Mark.BLOCK_CLOSE:
            return frame.outer if token == at else frame.unit
        if mark is Mark.CLOSE and token == at:
            return frame.outer
        if mark is Mark.CHOICE and frame.aligned:
            frame.deeper = max(frame.deeper, 1)
        return frame.inner + STEP * (frame.deeper + frame.hanging)

    def _write(self, line: range, indent: int) -> None:
        items = self.items
        parts = [" " * indent, items.texts[line.start]]
        if line.start in items.columns:
            parts[1] = _shifted(parts[1], indent - items.columns[line.start])
        for at in line[1:]:
            if items.before[at]:
                parts.append(" ")
            parts.append(items.texts[at])
        self.lines.append("".join(parts) if len(parts) > 2 or parts[1] else "")

    def _follow(self, line: range, indent: int) -> None:
        """What the items of a line, and its end, do to the frames."""
        items, frames = self.items, self.frames
        last = -1
        for at in line:
            mark = items.marks[at]
            if mark is Mark.COMMENT:
                continue
            last = at
            if items.starts[at] is not Start.NOTHING:
                _start(frames[-1], items.starts[at])
            if mark is not Mark.PLAIN:
                self._bracket(mark, indent)
            elif items.texts[at] == ",":
                frames[-1].deeper = 0
        if last >= 0:
            _end_line(frames[-1], items.texts[last], items.marks[last])

    def _bracket(self, mark: Mark, indent: int) -> None:
        frames = self.frames
        if mark is Mark.OPEN:
            frames.append(_Frame(indent, indent + STEP, indent + STEP))
        elif mark is Mark.BLOCK_OPEN:
            unit = frames[-1].unit
            frames.append(_Frame(unit, unit + STEP, unit + 2 * STEP))
        elif mark is Mark.BODY_OPEN:
            unit = frames[-1].unit
            frames.append(_Frame(unit, unit + STEP, unit + STEP))
        elif mark is Mark.CLOSE or mark is Mark.BLOCK_CLOSE:
            if len(frames) > 1:
                frames.pop()
            if mark is Mark.BLOCK_CLOSE:
                _start(frames[-1], Start.UNIT)


def _start(frame: _Frame, start: Start) -> None:
    frame.inner = frame.unit + STEP * start
    frame.deeper = 0
    frame.broken = frame.aligned = frame.hanging = False


def _end_line(frame: _Frame, text: str, mark: Mark) -> None:
    """A line ended behind this token: how far are the next lines of the frame indented?"""
    trigger = text == "}" and mark is Mark.CLOSE
    if mark is Mark.OPEN or mark is Mark.BODY_OPEN:
        frame.aligned = True
    elif frame.broken and (text in ("==>", "::") or (trigger and not frame.headed)):
        frame.deeper += 1
    equality = frame.broken and text in ("==", "!=")
    frame.hanging = equality or (frame.hanging and text == "++")
    frame.headed = trigger or text == "::"
    frame.broken = True


def _shifted(comment: str, by: int) -> str:
    """A comment of several lines, moved together with its first line."""
    first, *others = comment.split("\n")
    return "\n".join([first, *(_shifted_line(line, by) for line in others)])


def _shifted_line(line: str, by: int) -> str:
    bare = line.lstrip(" ")
    if not bare or bare.startswith("\t"):
        return line
    return " " * max(len(line) - len(bare) + by, 0) + bare


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


@struct
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
