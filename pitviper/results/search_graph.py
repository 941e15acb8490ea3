"""The search of an exploration as a graph: runs with what led to them, and what came out."""

from __future__ import annotations

from pitviper.base.record import record


@record
class Decided:
    """A condition of a path: in words of the source, for the solver (SMT-LIB), and if it held."""

    text: str
    term: str
    holds: bool
    kind: str
    file: str
    line: int


@record
class SearchNode:
    """An attempt of the search; `parent` is the run that it leaves at its last condition, or -1.

    `condition` is the path, `inputs` what was chosen, `outputs` the results of the method, if the
    run came to its end. An attempt without run has none of these.
    """

    number: int
    parent: int
    status: str
    detail: str = ""
    condition: tuple[Decided, ...] = ()
    inputs: tuple[tuple[str, str], ...] = ()
    outputs: tuple[tuple[str, str], ...] = ()
    id: str = ""
    line: int = 0


@record
class SearchGraph:
    """The search of one method."""

    method: str
    claim: str
    open: tuple[str, ...]
    nodes: tuple[SearchNode, ...]
