"""What a worker process does: solve and run entries that are sent to it, tell about each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pitviper.driver.deep_stack import run_deep
from pitviper.driver.explore import Explorer
from pitviper.driver.explore_options import ExploreOptions
from pitviper.driver.explore_summary import Trace, trace_of
from pitviper.driver.frontend import load_text
from pitviper.explore.engine import START, Node, Search
from pitviper.explore.frontier import Entry
from pitviper.explore.inputs import Recorder
from pitviper.explore.minimise import minimised
from pitviper.explore.runtime.run import Assignment, Site, Status
from pitviper.results.exploration import ExploredRun
from pitviper.source.record import record

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

NOTHING = Assignment()

MEMORY = 4 * 1024**3
"""Bytes of address space that a worker may use."""


@record
class Task:
    """An entry as plain data: a run's values and the decision to flip (None: the same again).

    `known` decisions were told to the solver before that run. `local` is the entry's number in the
    worker that made it, which then need not repeat the run. `tries` counts workers that died
    of it.
    """

    method: str
    number: int
    parent: int
    assignment: Assignment | None = None
    flipped: int | None = None
    local: int | None = None
    known: int = 0
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of an entry; `successors` are numbers in this worker and flipped decisions."""

    run: ExploredRun
    trace: Trace
    assignment: Assignment = NOTHING
    successors: tuple[tuple[int, int | None], ...] = field(default=())
    known: int = 0


class _Kept:
    """A frontier that only collects: the host decides what comes next."""

    def __init__(self) -> None:
        self.entries: dict[int, Entry] = {}
        self.new: list[Entry] = []

    def add(self, entry: Entry) -> None:
        self.entries[entry.number] = entry
        self.new.append(entry)

    def next(self) -> Entry:
        raise LookupError("the host decides what comes next")

    def __len__(self) -> int:
        return len(self.entries)


def serve(pipe: Connection, request: tuple[str, str], options: ExploreOptions) -> None:
    """Until the host closes the pipe."""
    run_deep(lambda: _serve(pipe, request, options))


def _serve(pipe: Connection, request: tuple[str, str], options: ExploreOptions) -> None:
    _limit_memory()
    text, name = request
    front = load_text(text, name, options.check, options.library)
    assert front.program is not None
    explorer = Explorer(front.program, name, options)
    work: _Work | None = None
    while True:
        try:
            task: Task = pipe.recv()
        except EOFError:
            return
        if work is None or work.method != task.method:
            work = _Work(explorer, task.method)
        pipe.send(work.answer(task))


def _limit_memory() -> None:
    """Where the system has such limits; a worker beyond dies, and is reported."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class _Work:
    """The search of one method, as far as this worker has to do with it."""

    def __init__(self, explorer: Explorer, method: str) -> None:
        self.method = method
        self._recorder: Recorder = explorer.recorder(method)
        self._search = explorer.search(method)
        self._kept = _Kept()
        self._search.frontier = self._kept
        self._failed: dict[Site | None, None] = {}

    def answer(self, task: Task) -> Reply:
        kept = self._kept
        kept.new.clear()
        entry = None if task.local is None else kept.entries.pop(task.local, None)
        if entry is None:
            entry = _repeated(task, self._search)
        node = self._search.step(entry)
        successors = tuple([(e.number, e.flipped) for e in kept.new])
        shown = node
        if node.status is Status.FAILED and node.site not in self._failed:
            self._failed[node.site] = None
            shown = minimised(self._search, node)
        record = self._recorder.record(shown)
        return Reply(record, trace_of(node.run), node.assignment, successors, entry.bound)


def _repeated(task: Task, search: Search) -> Entry:
    """The entry that another worker made: its run is repeated to have the path."""
    if task.assignment is None:
        return Entry(0, -1, START, (), None, 0)
    first = Entry(0, -1, START, (), None, 0)
    node: Node = search.run(first, task.assignment, given=task.known)
    wanted = [e for e in search.successors(node, first) if e.flipped == task.flipped]
    if not wanted:
        raise RuntimeError("a run that was repeated took another path")
    return wanted[0]
