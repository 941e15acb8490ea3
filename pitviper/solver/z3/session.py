"""A session with Z3, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from pitviper.base.record import replace
from pitviper.solver.known import KnownFacts
from pitviper.solver.model import Model
from pitviper.solver.session import ASSERT, PROVED, Answer, Path, Statistics
from pitviper.solver.witness import has_witness, needs_functions
from pitviper.solver.z3.engine import DISPROVED, INTERRUPTED, Reply, Z3Engine
from pitviper.solver.z3.library import SolverError
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.solver import require_limit
from pitviper.terms.term import Term


class Z3Session:
    """Implements `Solver`. A session belongs to one thread; `close` frees all it holds.

    Z3 is opened at the first question that needs it: many members of a program have none.
    """

    def __init__(self, options: Z3Options | None = None) -> None:
        self._options = options or Z3Options()
        self._statistics = Statistics()
        self._stopped = Event()
        self._closed = False
        self._declared: list[Term] = []
        self._witnesses = not self._options.models  # whether they count: NOTE(witness)
        self._engine: Z3Engine | None = None
        self._known = KnownFacts()
        if self._options.further:
            self._opened()  # options of a user may be wrong, which must be known at once

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        """A goal that stands on the path is proved without asking; `name` is for logs."""
        statistics = self._statistics
        statistics.queries += 1
        answer, _ = self._guarded(path, goal, limit)
        statistics.proved += answer.proved
        statistics.exhausted += answer.exhausted
        return answer

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        _, model = self._guarded(path, goal, limit, read=True)
        return model

    def examine(self, path: Path, goal: Term, limit: int = ASSERT) -> tuple[Answer, Model | None]:
        self._statistics.queries += 1
        return self._guarded(path, goal, limit, read=True)

    def declare(self, axioms: Sequence[Term]) -> None:
        self._require_open()
        self._witnesses = self._witnesses and all(map(needs_functions, axioms))
        if self._engine is None:
            self._declared += axioms
        else:
            self._engine.declare(axioms)

    def statistics(self) -> Statistics:
        self._require_open()
        engine = self._engine
        if engine is None:
            return replace(self._statistics)
        return replace(self._statistics, nodes=engine.nodes, resources=engine.resources())

    def reset(self) -> None:
        """Forget axioms and paths, keep the context.

        The order of Z3's internal numbers may differ from that of a new session, and with it the
        way a hard query takes. Open a new session where a run must not depend on earlier ones.
        """
        self._require_open()
        self._declared.clear()
        self._witnesses = not self._options.models
        if self._engine is not None:
            self._engine.restart()

    def interrupt(self) -> None:
        """Ends the check that is running and all later ones; from any thread, repeated at need."""
        self._stopped.set()
        if self._engine is not None:
            self._engine.interrupt()

    def close(self) -> None:
        self._closed = True
        if self._engine is not None:
            self._engine.close()

    def __enter__(self) -> Z3Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_engine"):
            self.close()

    def _guarded(self, path: Path, goal: Term, limit: int, *, read: bool = False) -> Reply:
        """An interrupt makes any call of the library fail; afterwards scopes cannot be trusted."""
        self._require_open()
        require_limit(limit)
        if self._stopped.is_set():
            return INTERRUPTED, None
        if self._engine is None and self._known.has(path, goal):
            self._statistics.without_solver += 1
            return PROVED, None
        if self._witnesses and not read and has_witness(path, goal):
            self._statistics.without_solver += 1
            return DISPROVED, None
        try:
            return self._opened().ask(path, goal, limit, read=read)
        except SolverError:
            if self._stopped.is_set():
                return INTERRUPTED, None
            raise

    def _opened(self) -> Z3Engine:
        if self._engine is None:
            self._engine = Z3Engine(self._options, self._statistics, self._stopped)
            self._engine.declare(self._declared)
            self._declared.clear()
        return self._engine

    def _require_open(self) -> None:
        if self._closed:
            raise SolverError("the session is closed")
