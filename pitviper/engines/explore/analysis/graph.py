"""The control-flow graph of a method of the model: blocks, transitions, paths, loops, dead code."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.engines.explore.model.program import Branch, Call, Method, Return
from pitviper.engines.explore.model.term import Literal, Term

ENDS = ("unsupported", "stop")
"""Native methods that do not come back."""


@record
class Transition:
    """From the end of one block to another; `condition` is the branch's, `when` its value."""

    source: int
    target: int
    branch: int | None = None
    condition: Term | None = None
    when: bool = True


@record
class Block:
    """Instructions from `start` up to `end`, without jumps in between."""

    number: int
    start: int
    end: int


@record
class Graph:
    """`reachable` blocks in an order in which edges go forward, apart from `back` ones."""

    blocks: tuple[Block, ...]
    transitions: tuple[Transition, ...]
    reachable: tuple[int, ...]
    back: tuple[Transition, ...]
    outgoing: tuple[tuple[Transition, ...], ...] = ()

    def leaving(self, block: int) -> tuple[Transition, ...]:
        return self.outgoing[block]

    @property
    def loops(self) -> int:
        """The number of blocks that some edge goes back to."""
        return len({t.target for t in self.back})

    @property
    def paths(self) -> int | None:
        """The number of ways through the method; None if there are loops."""
        if self.back:
            return None
        ways: dict[int, int] = {}
        for number in reversed(self.reachable):
            leaving = self.leaving(number)
            ways[number] = sum(ways[t.target] for t in leaving) if leaving else 1
        return ways.get(0, 0)

    def dead_instructions(self) -> list[int]:
        alive = set(self.reachable)
        dead = [b for b in self.blocks if b.number not in alive]
        return [index for b in dead for index in range(b.start, b.end)]


def graph_of(method: Method) -> Graph:
    starts = _starts(method)
    number_at = {start: number for number, start in enumerate(starts)}
    ends = [*starts[1:], len(method.instructions)]
    blocks = tuple([Block(n, s, e) for n, (s, e) in enumerate(zip(starts, ends, strict=True))])
    outgoing = tuple([tuple(_leaving(block, method, number_at)) for block in blocks])
    order, back = _depth_first(outgoing)
    transitions = tuple([t for leaving in outgoing for t in leaving])
    return Graph(blocks, transitions, order, back, outgoing)


def _starts(method: Method) -> list[int]:
    starts = {0}
    for index, instruction in enumerate(method.instructions):
        if isinstance(instruction, Branch):
            starts |= {instruction.target, index + 1}
        elif isinstance(instruction, Return) or _is_end(instruction):
            starts.add(index + 1)
    return sorted(s for s in starts if s < len(method.instructions))


def _is_end(instruction: object) -> bool:
    return isinstance(instruction, Call) and instruction.native and instruction.method in ENDS


def _leaving(block: Block, method: Method, number_at: dict[int, int]) -> list[Transition]:
    last = block.end - 1
    instruction = method.instructions[last]
    if isinstance(instruction, Return) or _is_end(instruction):
        return []
    if isinstance(instruction, Branch):
        target = number_at[instruction.target]
        if isinstance(instruction.condition, Literal):
            return [Transition(block.number, target)]
        here = (last, instruction.condition)
        return [
            Transition(block.number, target, *here, when=True),
            Transition(block.number, number_at[last + 1], *here, when=False),
        ]
    return [Transition(block.number, number_at[block.end])]


def _depth_first(
    leaving: tuple[tuple[Transition, ...], ...],
) -> tuple[tuple[int, ...], tuple[Transition, ...]]:
    """Reverse post-order of the reachable blocks, and the transitions that go back."""
    post: list[int] = []
    back: list[Transition] = []
    active, seen = {0}, {0}
    stack = [(0, iter(leaving[0]))] if leaving else []
    while stack:
        block, rest = stack[-1]
        step = next(rest, None)
        if step is None:
            stack.pop()
            active.discard(block)
            post.append(block)
        elif step.target in active:
            back.append(step)
        elif step.target not in seen:
            seen.add(step.target)
            active.add(step.target)
            stack.append((step.target, iter(leaving[step.target])))
    return tuple(reversed(post)), tuple(back)
