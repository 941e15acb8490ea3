"""Wraps a session: keeps a record of every question, writes a log that other solvers can replay.

NOTE(replay). The log needs no options on the command line: `z3 FILE` gives the answers of the
session. Options and limits in it are those of Z3; other solvers say that they do not support them.
The limit is spelled :RLIMIT, which only Z3 takes for :rlimit; cvc5 has an option of that name with
another meaning. It is lifted after each check, because it would count the commands in between. The
first push makes Z3's command line use its incremental solver from the start.
Nothing in the log depends on time, so the same run writes the same log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Protocol, TextIO

from pitviper.base.record import record
from pitviper.solver.model import Model
from pitviper.solver.session import ASSERT, Answer, FactKind, Path, Solver, Statistics
from pitviper.terms.build import negate
from pitviper.terms.operators import AND
from pitviper.terms.smtlib import Script
from pitviper.terms.term import FALSE, TRUE, App, Term


@record
class Query:
    """One question; seconds include everything that it made the session do."""

    name: str
    limit: int
    answer: Answer
    seconds: float


class Log:
    """A `Sink` that writes what it is told as SMT-LIB text."""

    def __init__(self, file: TextIO, settings: Mapping[str, str]) -> None:
        self._file = file
        self._script = Script(self._line)
        self._line("(set-option :global-declarations true)")
        for name, value in settings.items():
            self._line(f"(set-option :{name} {value})")
        self._line("(set-logic ALL)")
        self._line("(push 1)\n(pop 1)")

    def push(self) -> None:
        self._line("(push 1)")

    def pop(self, count: int) -> None:
        self._line(f"(pop {count})")

    def add(self, fact: Term) -> None:
        text = self._script.term(fact)
        self._line(f"(assert {text})")

    def check(self, name: str, limit: int) -> None:
        self._line(f"(set-option :RLIMIT {limit})")
        self._line(f'(echo "{name.translate(_ECHO)}")')
        self._line("(check-sat)")
        self._line("(set-option :RLIMIT 0)")

    def note(self, text: str) -> None:
        self._line(f"; {' '.join(text.split())}")

    def flush(self) -> None:
        self._file.flush()

    def _line(self, text: str) -> None:
        self._file.write(f"{text}\n")


_ECHO = str.maketrans({'"': "'", "\n": " ", "\r": " "})


class Recording:
    """Implements `Solver` by asking another one; `log` may be left out."""

    def __init__(self, solver: Solver, log: Log | None = None) -> None:
        self._solver = solver
        self._log = log
        self._scopes = Scopes(log) if log is not None else None
        self.queries: list[Query] = []

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        start = perf_counter()
        answer = self._solver.entails(path, goal, limit, name)
        self.queries.append(Query(name, limit, answer, perf_counter() - start))
        self._write(path, goal, limit, name)
        if self._log is not None:
            self._log.note("proved" if answer.proved else f"not proved {answer.unknown or ''}")
            self._log.flush()
        return answer

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        model = self._solver.model(path, goal, limit)
        self._write(path, goal, limit, "model")
        return model

    def declare(self, axioms: Sequence[Term]) -> None:
        self._solver.declare(axioms)
        if self._log is not None and self._scopes is not None:
            self._scopes.leave()
            for axiom in axioms:
                self._log.add(axiom)

    def statistics(self) -> Statistics:
        return self._solver.statistics()

    def slowest(self, count: int) -> list[Query]:
        """The queries that took most time, slowest first."""
        return sorted(self.queries, key=lambda query: -query.seconds)[:count]

    def _write(self, path: Path, goal: Term, limit: int, name: str) -> None:
        log, scopes = self._log, self._scopes
        if log is None or scopes is None:
            return
        scopes.move_to(path)
        if scopes.holds(goal):
            log.note(f"{name}: stands on the path")
        elif goal is FALSE:
            log.check(name, limit)
        else:
            log.push()
            log.add(negate(goal))
            log.check(name, limit)
            log.pop(1)


class Declared:
    """Implements `Solver` by asking another one; `axioms` are those in force."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self.axioms: list[Term] = []

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        return self._solver.entails(path, goal, limit, name)

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        return self._solver.model(path, goal, limit)

    def declare(self, axioms: Sequence[Term]) -> None:
        self.axioms += axioms
        self._solver.declare(axioms)

    def statistics(self) -> Statistics:
        return self._solver.statistics()


class Refusals(Declared):
    """`refused` has the last question of each name that was not proved: what was known, and what
    was to be proved."""

    def __init__(self, solver: Solver) -> None:
        super().__init__(solver)
        self.refused: dict[str, tuple[Path, Term]] = {}

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        answer = super().entails(path, goal, limit, name)
        if name and not answer.proved:
            self.refused[name] = path, goal
        return answer


class Sink(Protocol):
    """The part of a solver that scopes drive."""

    def push(self) -> None: ...

    def pop(self, count: int) -> None: ...

    def add(self, fact: Term) -> None: ...


class Scopes:
    """What a session holds: a path, cut into scopes, and the set of its facts."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._held: list[Path] = []
        self._known: dict[Term, None] = {}
        self._starts: list[tuple[int, int]] = []  # lengths of held, known where a scope opened
        self._returned = True  # whether the next fact opens a scope

    def ahead(self, path: Path) -> list[Path]:
        """The entries of the path that the session does not hold, newest first."""
        fresh: list[Path] = []
        held, node = self._held, path
        while node.length > len(held) or (node.length and held[node.length - 1] is not node):
            fresh.append(node)
            assert node.older is not None
            node = node.older
        return fresh

    def move_to(self, path: Path) -> None:
        """Make the session hold exactly this path."""
        fresh = self.ahead(path)
        common = path.length - len(fresh)
        if common < len(self._held):
            self._return_to(common)
        for entry in reversed(fresh):
            if self._returned or entry.kind is FactKind.BRANCH:
                self._open()
            self._hold(entry)

    def holds(self, goal: Term) -> bool:
        """Whether the goal is true or one of the facts, or a conjunction of such."""
        if goal in self._known or goal is TRUE:
            return True
        if isinstance(goal, App) and goal.symbol is AND:
            return all(conjunct in self._known for conjunct in goal.args)
        return False

    def leave(self) -> None:
        """Hold nothing; for what must be said outside of all paths."""
        if self._starts:
            self._return_to(0)

    def _return_to(self, length: int) -> None:
        """Give up the scopes with facts beyond the length, but keep what they hold before it."""
        held, known = self._held, self._known
        start, known_start, scopes = len(held), len(known), 0
        while start > length:
            start, known_start = self._starts.pop()
            scopes += 1
        again = held[start:length]
        del held[start:]
        while len(known) > known_start:
            known.popitem()
        self._sink.pop(scopes)
        if again:
            self._open()
            for entry in again:
                self._hold(entry)
        self._returned = True

    def _open(self) -> None:
        self._starts.append((len(self._held), len(self._known)))
        self._sink.push()
        self._returned = False

    def _hold(self, entry: Path) -> None:
        fact = entry.fact
        if fact not in self._known:
            self._sink.add(fact)
            self._known[fact] = None
            if isinstance(fact, App) and fact.symbol is AND:
                self._known.update(dict.fromkeys(fact.args))
        self._held.append(entry)
