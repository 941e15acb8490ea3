"""What the debugger asks of those who started it: solvers, and runs of the whole verifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TextIO, runtime_checkable

from pitviper.base.record import record
from pitviper.results.counterexample import Result
from pitviper.results.debugging import ErrorView
from pitviper.solver.recording import Log
from pitviper.solver.session import Path, Solver
from pitviper.terms.term import Term


class Unavailable(Exception):
    """Something that is not installed, or cannot be done here; the text says what to do."""


@record
class SolverSettings:
    """The solver by its name, options in its own notation, and a limit in its resources."""

    name: str = "z3"
    options: tuple[tuple[str, str], ...] = ()
    limit: int | None = None


@runtime_checkable
class Interruptible(Protocol):
    """A session whose question can be ended from another thread; it answers none after that."""

    def interrupt(self) -> None: ...


class Tools(Protocol):
    """Implemented by the driver."""

    def open_solver(self, settings: SolverSettings) -> Solver:
        """A session of its own; `Unavailable` if there is none."""
        ...

    def default_limit(self, solver: str) -> int: ...

    def open_log(self, out: TextIO) -> Log:
        """Starts an SMT-LIB text with the settings of the default solver."""
        ...

    def ghost_statements(self, error: ErrorView) -> Sequence[str]:
        """Fold and unfold statements with which the member verifies up to this error."""
        ...

    def reduced_program(self, error: ErrorView) -> str:
        """A small program that shows the same failure."""
        ...

    def counterexample(
        self, error: ErrorView, path: Path, goal: Term | None, text: str
    ) -> tuple[Result, ...]:
        """Concrete states of a path in which the goal, which reads like the text, does not hold, or
        why there are none."""
        ...
