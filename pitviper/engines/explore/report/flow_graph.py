"""The control-flow graph of a method for people: statements of the source, not instructions.

All instructions of a statement are one node, whatever branches they have among themselves;
statements that always follow each other are one block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pitviper.base.record import field, record, struct
from pitviper.engines.explore.analysis.entry_facts import MethodFacts, method_facts
from pitviper.engines.explore.analysis.graph import ENDS, Graph, graph_of
from pitviper.engines.explore.analysis.knowledge import NOTHING, Knowledge
from pitviper.engines.explore.model.program import (
    Branch,
    Call,
    Constraint,
    Instruction,
    Method,
    Return,
)
from pitviper.engines.explore.model.term import Literal
from pitviper.engines.explore.runtime.ending import Site
from pitviper.results.exploration import Picture, PictureBlock, PictureEdge, Unreached
from pitviper.source.span import NO_SPAN, Span

WIDEST = 44
MOST_LINES = 9
MOST_FACTS = 4
START, END = -1, -2
"""The nodes before the first statement and behind the last one."""


@record
class Counts:
    """How many runs came to each instruction, took each side of a branch, and failed there.

    `is_complete` says that there is no other way than those that were run.
    """

    covered: Mapping[Site, int]
    edges: Mapping[tuple[str, int, int], int]
    failed: Mapping[Site, int]
    is_explored: bool = True
    is_complete: bool = False

    def why_not(self, runs: int, known: Unreached) -> Unreached | None:
        """Why no run came to a place, of which something is known without a run."""
        if runs or not self.is_explored:
            return None
        is_excluded = known is Unreached.OPEN and self.is_complete
        return Unreached.EXCLUDED if is_excluded else known


@struct
class _Node:
    """A statement, or several in a row."""

    lines: dict[str, None]
    first: int
    runs: int = 0
    fails: bool = False
    after: dict[int, tuple[str, int]] = field(default_factory=dict)


def conditions_of(body: Method, counts: Counts) -> list[tuple[Span, int, int]]:
    """Statements with a condition: in how many runs it held, and in how many it did not."""
    found = []
    for node in _statements(body, counts).values():
        sides = {label: runs for label, runs in node.after.values() if label}
        if len(sides) == 2:
            found.append((body.instructions[node.first].span, sides["true"], sides["false"]))
    return found


def picture_of(
    body: Method, graph: Graph, counts: Counts, admitted: Knowledge = NOTHING
) -> Picture:
    """A picture with what runs did; `admitted` is what the precondition says of the inputs."""
    nodes = _statements(body, counts)
    _merge(nodes)
    known = method_facts(body, graph, admitted)
    facts = _facts(graph, known)
    dead, left_out = _dead(graph, method_facts(body, graph)), _dead(graph, known)

    def why(*keys: int) -> Unreached:
        firsts = {nodes[key].first for key in keys}
        if not firsts.isdisjoint(dead):
            return Unreached.DEAD
        return Unreached.OPEN if firsts.isdisjoint(left_out) else Unreached.EXCLUDED

    numbers = {key: n for n, key in enumerate(nodes)}
    blocks = [
        PictureBlock(
            numbers[key],
            _shown(node.lines),
            node.runs,
            node.fails,
            facts.get(node.first, ()),
            counts.why_not(node.runs, why(key)),
        )
        for key, node in nodes.items()
    ]
    edges = [
        PictureEdge(numbers[key], numbers[to], label, runs, counts.why_not(runs, why(key, to)))
        for key, node in nodes.items()
        for to, (label, runs) in node.after.items()
    ]
    return Picture(body.name, tuple(blocks), tuple(edges), counts.is_explored)


def plain_picture(body: Method) -> Picture:
    """The picture of a method that nobody has explored."""
    return picture_of(body, graph_of(body), Counts({}, {}, {}, is_explored=False))


# ---------------------------------------------------------------- statements


def is_whole(span: Span, method: Method) -> bool:
    """Whether a place is a whole declaration: instructions of no line in particular.

    A method of the program begins with such an instruction; names of others have a space in them.
    """
    is_own = " " not in method.name and span == method.instructions[0].span
    return is_own or span is NO_SPAN


def is_jump(instruction: Instruction) -> bool:
    """Whether it only leads elsewhere: such an instruction belongs to no statement."""
    return isinstance(instruction, Branch) and isinstance(instruction.condition, Literal)


def _end(index: int, steps: list[_Steps], jumps: set[int]) -> int:
    """Where jumps from an instruction lead to, in the end."""
    seen: set[int] = set()
    while index in jumps and index not in seen:
        seen.add(index)
        index = steps[index][0][0]
    return index


def _keys(body: Method) -> list[int]:
    """For each instruction, the statement it belongs to: that of the first one there."""
    first: dict[Span, int] = {}
    found: list[int] = []
    for index, instruction in enumerate(body.instructions):
        if is_whole(instruction.span, body):
            found.append(END if first else START)
        else:
            found.append(first.setdefault(instruction.span, index))
    return found


_Steps = list[tuple[int, int, int | None]]
"""Where an instruction leads to: the next one, how many runs went there, the side of a branch."""


def _successors(body: Method, index: int, counts: Counts) -> _Steps:
    instruction = body.instructions[index]
    here = counts.covered.get((body.name, index), 0)
    is_end = isinstance(instruction, Call) and instruction.native and instruction.method in ENDS
    if isinstance(instruction, Return) or is_end:
        return []
    if not isinstance(instruction, Branch):
        return [(index + 1, min(here, counts.covered.get((body.name, index + 1), 0)), None)]
    if isinstance(instruction.condition, Literal):
        return [(instruction.target, here, None)]
    jumped, on = (counts.edges.get((body.name, index, side), 0) for side in (1, 0))
    return [(instruction.target, jumped, 1), (index + 1, on, 0)]


def _statements(body: Method, counts: Counts) -> dict[int, _Node]:
    keys = _keys(body)
    jumps = {n for n, i in enumerate(body.instructions) if is_jump(i)}
    steps = [_successors(body, index, counts) for index in range(len(keys))]
    steps = [[(_end(to, steps, jumps), runs, side) for to, runs, side in s] for s in steps]
    return _nodes(body, keys, steps, counts)


def _nodes(body: Method, keys: list[int], steps: list[_Steps], counts: Counts) -> dict[int, _Node]:
    """The statements that can be reached from the first one, in their order."""
    members: dict[int, list[int]] = {}
    for index, key in enumerate(keys):
        members.setdefault(key, []).append(index)
    reached = _reached(0, steps, lambda _: True)
    found: dict[int, _Node] = {}
    for key, own in members.items():
        alive = [index for index in own if index in reached]
        if not alive:
            continue
        node = found[key] = _Node(_lines(body, key, alive), alive[0])
        node.runs = max(counts.covered.get((body.name, i), 0) for i in alive)
        node.fails = any(counts.failed.get((body.name, i)) for i in alive)
        for index in alive:
            for target, runs, _ in steps[index]:
                if keys[target] != key:
                    before = node.after.get(keys[target], ("", 0))[1]
                    node.after[keys[target]] = ("", max(runs, before))
        _label(node, key, alive, keys, steps)
    return found


def _lines(body: Method, key: int, own: list[int]) -> dict[str, None]:
    if key == START:
        return {f"method {body.name}"[:WIDEST]: None}
    if key != END:
        return {_line(body.instructions[own[0]].span): None}
    blamed = [i.blame for n in own if isinstance(i := body.instructions[n], Constraint)]
    clauses = [b.span for b in blamed if b is not None and b.error == "postcondition.violated"]
    return {"return": None, **{_line(span): None for span in clauses}}


def _line(span: Span) -> str:
    text = span.text.strip().split("\n")[0].rstrip(" {")
    said = f"{span.line}: {text}"
    return said if len(said) <= WIDEST else f"{said[: WIDEST - 1]}…"


def _label(node: _Node, key: int, own: list[int], keys: list[int], steps: list[_Steps]) -> None:
    """Which statement follows if the condition holds: branches jump if it does not."""
    if len(node.after) < 2:
        return
    for index in own:
        if len(steps[index]) < 2:
            continue
        jump, on = (
            {keys[i] for i in _reached(target, steps, lambda i: keys[i] == key)} - {key}
            for target, _, _ in steps[index]
        )
        if jump and on and not jump & on:
            for to, (_, runs) in list(node.after.items()):
                node.after[to] = ("false" if to in jump else "true", runs)


def _reached(start: int, steps: list[_Steps], goes_on: Callable[[int], bool]) -> set[int]:
    """Instructions that are reached, looking on from those for which `goes_on`."""
    found, todo = {start}, [start]
    while todo:
        index = todo.pop()
        if not goes_on(index):
            continue
        for target, _, _ in steps[index]:
            if target not in found:
                found.add(target)
                todo.append(target)
    return found


# ---------------------------------------------------------------- blocks


def _merge(nodes: dict[int, _Node]) -> None:
    """Statements of which one always follows the other become one block."""
    changed = True
    while changed:
        changed = False
        into: dict[int, int] = {}
        for node in nodes.values():
            for to in node.after:
                into[to] = into.get(to, 0) + 1
        for key, node in list(nodes.items()):
            if key not in nodes or key == START:
                continue
            while len(node.after) == 1:
                (to,) = node.after
                other = nodes[to]
                if into[to] != 1 or to in (key, END) or bool(other.runs) != bool(node.runs):
                    break
                node.lines.update(other.lines)
                node.after, node.fails = other.after, node.fails or other.fails
                del nodes[to]
                changed = True


def _shown(lines: Iterable[str]) -> tuple[str, ...]:
    found = list(lines)
    if len(found) <= MOST_LINES:
        return tuple(found)
    hidden = len(found) - MOST_LINES + 1
    return (*found[: MOST_LINES - 2], f"… {hidden} more …", found[-1])


def _facts(graph: Graph, facts: MethodFacts) -> dict[int, tuple[str, ...]]:
    """What is known whenever a block is entered, by its first instruction, in terms of the
    program's variables."""
    found = {}
    for number, known in facts.entries.items():
        found[graph.blocks[number].start] = tuple(known.texts()[:MOST_FACTS])
    return found


def _dead(graph: Graph, facts: MethodFacts) -> set[int]:
    """Instructions of blocks that what is known leaves no way to."""
    blocks = [b for b in graph.blocks if b.number not in facts.entries]
    return {index for block in blocks for index in range(block.start, block.end)}
