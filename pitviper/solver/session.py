"""What engines see of a solver: a path, a question, an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, NoReturn, Protocol

from pitviper.base.record import record, struct
from pitviper.solver.limits import ASSERT as ASSERT
from pitviper.solver.limits import CHECK as CHECK
from pitviper.solver.limits import END as END
from pitviper.solver.limits import SATURATE as SATURATE
from pitviper.solver.limits import SPLIT as SPLIT
from pitviper.solver.limits import SUBSET as SUBSET
from pitviper.solver.model import Model
from pitviper.terms.operators import AND
from pitviper.terms.term import TRUE, App, Term


class FactKind(Enum):
    PLAIN = "plain"
    DEFINITION = "definition"  # constrains only its own new symbol: true in every extension
    GLOBAL = "global"  # a closed definition that may leave branches and quantifiers
    BRANCH = "branch"  # the condition that opens a layer


@record(eq=False)
class Path:
    """The facts of one execution path, newest last; siblings share their older part.

    The empty path is `Path()`. `provenance` says where a fact comes from; the solver ignores it.
    """

    older: Path | None = None
    fact: Term = TRUE
    kind: FactKind = FactKind.BRANCH
    provenance: object = None
    length: int = 0

    def assume(
        self, fact: Term, kind: FactKind = FactKind.PLAIN, provenance: object = None
    ) -> Path:
        """The path with one more fact; conjuncts are facts of their own, `true` is none."""
        if isinstance(fact, App) and fact.symbol is AND:
            path = self
            for conjunct in fact.args:
                path = Path(path, conjunct, kind, provenance, path.length + 1)
            return path
        return self if fact is TRUE else Path(self, fact, kind, provenance, self.length + 1)

    def assume_all(self, facts: Iterable[Term]) -> Path:
        """Returns the path with more facts, in order."""
        path = self
        for fact in facts:
            path = path.assume(fact)
        return path

    def noting(self, provenance: object) -> Path:
        """The path with an entry that claims nothing: it only tells that something happened."""
        return Path(self, TRUE, FactKind.PLAIN, provenance, self.length + 1)

    def branch(self, condition: Term, provenance: object = None) -> Path:
        """The path with a new layer, under its branch condition."""
        return Path(self, condition, FactKind.BRANCH, provenance, self.length + 1)

    def since(self, older: Path) -> list[Path]:
        """The entries after `older`, oldest first; each entry is the path that ends with it."""
        entries: list[Path] = []
        node: Path | None = self
        while node is not None and node is not older and node.length > older.length:
            entries.append(node)
            node = node.older
        if node is not older and (node is None or node.length or older.length):
            raise ValueError("not an older part of this path")
        return entries[::-1]

    def __iter__(self) -> Iterator[Path]:
        """All entries, oldest first."""
        return iter(self.since(_EMPTY))

    def conditions(self) -> list[Term]:
        """The branch conditions, outermost first."""
        return [entry.fact for entry in self if entry.kind is FactKind.BRANCH]


_EMPTY: Final = Path()


@record
class Answer:
    """`unknown` is the solver's reason for giving up, None if it found a counterexample or a proof.

    `exhausted` tells apart the two ways of not knowing: true if a resource limit ended the search,
    so that more resources might give a proof; false if the search ended with a candidate for a
    counterexample, which only quantifiers or arithmetic beyond the solver could still rule out.
    """

    proved: bool
    unknown: str | None = None
    exhausted: bool = False

    def __bool__(self) -> NoReturn:
        raise TypeError("use proves() or refutes(): they say what unknown means")


PROVED: Final = Answer(proved=True)


class SolverTrouble(Exception):
    """A solver that was chosen by the user cannot go on; the text says why."""


class Solver(Protocol):
    """A session with a solver. Nobody pushes or pops: questions come with their path."""

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        """Whether the goal follows from the path; `name` leads from a log to its obligation."""
        ...

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        """Values under which the path holds and the goal does not, as far as the solver knows."""
        ...

    def declare(self, axioms: Sequence[Term]) -> None:
        """Background facts, true on every path from now on."""
        ...

    def statistics(self) -> Statistics: ...


class ModelSolver(Solver, Protocol):
    """A session that is asked for models of what does not follow."""

    def examine(self, path: Path, goal: Term, limit: int = ASSERT) -> tuple[Answer, Model | None]:
        """`entails` and `model` in one question."""
        ...


@struct
class Statistics:
    """`resources` counts solver steps, the unit of limits; seconds are for people."""

    queries: int = 0
    proved: int = 0
    exhausted: int = 0
    without_solver: int = 0
    assertions: int = 0
    pushes: int = 0
    pops: int = 0
    nodes: int = 0
    resources: int = 0
    seconds: float = 0.0
