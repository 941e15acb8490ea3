"""Collects the commands of a member while it is translated, and answers questions on the way.

NOTE(oracle). `proves` asks about what was emitted so far, goals of assertions included, at the
point where the next command would stand. An answer may decide how the translation goes on, never
whether the member holds: that is for the prover, which sees the finished procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.engines.vcg.ivl import language as ivl
from pitviper.engines.vcg.ivl.walk import Walk, walk_from
from pitviper.solver.session import CHECK, Path, Solver
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms.sort import Sort
from pitviper.terms.supply import Supply
from pitviper.terms.term import App, Term

_Opening: TypeAlias = tuple[str, tuple[ivl.Edge, ...]]


class SearchEnded(Exception):
    """A search by questions has cost more than it may: how to go on is not known."""

    def __init__(self, span: Span, said: str) -> None:
        super().__init__(said)
        self.span = span
        self.said = said


@record
class _Search:
    """The solver's resources at which a search ends."""

    end: int
    span: Span
    said: str


@struct
class _Graph:
    """A graph under construction; `seen` of its `log` were followed by the walk."""

    guard: Term
    outer: _Graph | None = None
    blocks: list[ivl.Block] = field(default_factory=list)
    opening: _Opening | None = None
    commands: list[ivl.Command] = field(default_factory=list)
    log: list[ivl.Command | _Opening] = field(default_factory=list)
    seen: int = 0
    walk: Walk | None = None

    @property
    def depth(self) -> int:
        return 0 if self.outer is None else self.outer.depth + 1

    def open(self, label: str, edges: tuple[ivl.Edge, ...]) -> None:
        self.close()
        self.opening = (label, edges)
        self.log.append(self.opening)

    def close(self) -> None:
        if self.opening is not None:
            self.blocks.append(ivl.Block(*self.opening, tuple(self.commands)))
            self.opening, self.commands = None, []

    def add(self, command: ivl.Command) -> None:
        self.commands.append(command)
        self.log.append(command)

    def arrive(self) -> Walk:
        """The walk, at the end of what was emitted."""
        if self.walk is None:
            self.walk = (
                walk_from(Path()) if self.outer is None else self.outer.arrive().aside(self.guard)
            )
        self.walk.resume()
        for entry in self.log[self.seen :]:
            if isinstance(entry, tuple):
                self.walk.enter(*entry)
            else:
                self.walk.follow(entry)
        self.seen = len(self.log)
        return self.walk


class Emitter:
    """One per member. A graph starts with an open block; `open_block` ends the one before.

    The solver must know the axioms of the member.
    """

    def __init__(self, name: str, supply: Supply, solver: Solver) -> None:
        self._name = name
        self._supply = supply
        self._solver = solver
        self._labels: dict[str, int] = {}
        self._graph = _Graph(tb.TRUE)
        self._graph.open(self.label("entry"), ())
        self.questions = 0
        self._search: _Search | None = None

    # ------------------------------------------------------------ commands

    def emit(self, command: ivl.Command) -> None:
        self._graph.add(command)

    def assume(self, fact: Term, guard: Term = tb.TRUE, origin: str = "") -> None:
        if fact is not tb.TRUE and guard is not tb.FALSE:
            self.emit(ivl.Assume(fact, guard, origin))

    def check(self, goal: Term, obligation: ivl.Obligation, guard: Term = tb.TRUE) -> None:
        """An assertion; a goal that is literally true needs none."""
        if goal is not tb.TRUE and guard is not tb.FALSE:
            self.emit(ivl.Assert(goal, obligation, guard))

    def lazily(
        self, build: Callable[[], Sequence[Term]], guard: Term = tb.TRUE, origin: str = ""
    ) -> None:
        if guard is not tb.FALSE:
            self.emit(ivl.Lazy(build, guard, origin))

    def fresh(self, hint: str, sort: Sort) -> App:
        """A new constant of which nothing is known."""
        constant = self._supply.constant(hint, sort)
        self.emit(ivl.Havoc(constant))
        return constant

    def name(self, hint: str, term: Term) -> Term:
        """A new constant for a term."""
        constant = self._supply.constant(hint, term.sort)
        self.emit(ivl.Assign(constant, term))
        return constant

    # ------------------------------------------------------------ blocks

    def label(self, hint: str) -> str:
        """A label that no other block has: a number is told apart from one that ends the hint."""
        number = self._labels.get(hint, 0)
        self._labels[hint] = number + 1
        return f"{hint}_{number}" if number else hint

    @property
    def current(self) -> str:
        """The label of the open block."""
        assert self._graph.opening is not None
        return self._graph.opening[0]

    @property
    def latest(self) -> ivl.Command:
        """The command that was emitted last in the open block."""
        return self._graph.commands[-1]

    def open_block(self, label: str, edges: tuple[ivl.Edge, ...]) -> None:
        """What follows belongs to a new block, entered from earlier blocks of the same graph."""
        self._graph.open(label, edges)

    @contextmanager
    def side(self, guard: Term = tb.TRUE, origin: str = "") -> Iterator[None]:
        """What is emitted inside is checked, but known only inside."""
        with self.trial(guard) as blocks:
            yield
        self.emit(ivl.Side(tuple(blocks), guard, origin))

    @contextmanager
    def trial(self, guard: Term = tb.TRUE) -> Iterator[list[ivl.Block]]:
        """As `side`, but nothing of it becomes part of the procedure; its blocks, when it ended."""
        outer, inner = self._graph, _Graph(guard, self._graph)
        self._graph = inner
        inner.open(self.label("side"), ())
        try:
            yield inner.blocks
        finally:
            inner.close()
            self._graph = outer

    def procedure(self) -> ivl.Procedure:
        """What was emitted; nothing can be added afterwards."""
        self._graph.close()
        return ivl.Procedure(self._name, tuple(self._graph.blocks))

    # ------------------------------------------------------------ questions

    @property
    def depth(self) -> int:
        """How many sides are around what is emitted next."""
        return self._graph.depth

    @contextmanager
    def search(self, limit: int, span: Span, what: str) -> Iterator[None]:
        """NOTE(search). Each question has its limit, a search of many needs one of its own: when
        the questions inside have cost more than `limit`, SearchEnded. An inner search is part of
        the outer one."""
        outer = self._search
        if outer is None:
            said = f"{what} used up its limit of {limit} solver resources"
            self._search = _Search(self._spent() + limit, span, said)
        try:
            yield
        finally:
            self._search = outer

    def _spent(self) -> int:
        return self._solver.statistics().resources

    def proves(
        self, goal: Term, limit: int = CHECK, *, lazily: bool = False, depth: int | None = None
    ) -> bool:
        """Whether the goal follows from what was emitted; `lazily` includes the lazy facts.

        With a `depth`, only what was emitted around the sides further inside counts.
        """
        if goal is tb.TRUE:
            return True
        graph = self._graph
        while depth is not None and graph.depth > depth and graph.outer is not None:
            graph = graph.outer
        walk = graph.arrive()
        if walk.ended:
            return True
        if lazily:
            walk.force()
        self.questions += 1
        proved = self._solver.entails(walk.here, goal, limit, f"{self._name} (oracle)").proved
        search = self._search
        if search is not None and self._spent() > search.end:
            raise SearchEnded(search.span, search.said)
        return proved
