"""What is known about a method without running it: plain data."""

from __future__ import annotations

from pitviper.base.record import record


@record
class StaticBlock:
    """Instructions without jumps in between.

    `lines` are those of the source with their numbers; `known` holds whenever a run enters the
    block, `left` whenever it leaves it. Where `reachable` is False, no run comes here.
    """

    number: int
    lines: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    reachable: bool = True


@record
class StaticEdge:
    """A transition; `feasible` is False where what is known rules it out."""

    source: int
    target: int
    condition: str = ""
    feasible: bool = True


@record
class StaticMethod:
    """`paths` is None where loops make them endless; `left` are those that known facts leave.

    `decided` counts branches and checks that need no solver. `any_value` are variables that may be
    read before they are assigned, `versions` says how many values single assignment gives each
    variable.
    """

    method: str
    blocks: tuple[StaticBlock, ...] = ()
    edges: tuple[StaticEdge, ...] = ()
    loops: tuple[int, ...] = ()
    paths: int | None = None
    left: int | None = None
    decided: int = 0
    dead_lines: tuple[int, ...] = ()
    any_value: tuple[str, ...] = ()
    versions: tuple[tuple[str, int], ...] = ()
