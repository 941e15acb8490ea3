"""A session with Z3, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Event
from typing import Final, TypeAlias

from pitviper.solver.model import Model
from pitviper.solver.scopes import Scopes
from pitviper.solver.session import ASSERT, PROVED, Answer, Path
from pitviper.solver.statistics import Statistics
from pitviper.solver.z3_library import SolverError, Z3Context
from pitviper.solver.z3_model import ModelReader
from pitviper.solver.z3_options import Z3Options
from pitviper.solver.z3_solver import UNKNOWN, UNSAT, Z3Solver
from pitviper.solver.z3_symbols import Z3Symbols
from pitviper.solver.z3_terms import Z3Terms
from pitviper.terms.build import negate
from pitviper.terms.term import FALSE, Term

_Reply: TypeAlias = tuple[Answer, Model | None]

_DISPROVED: Final = Answer(proved=False)
_INTERRUPTED: Final = Answer(proved=False, unknown="interrupted", exhausted=True)


class Z3Session:
    """Implements `Solver`. A session belongs to one thread; `close` frees all it holds."""

    def __init__(self, options: Z3Options | None = None) -> None:
        self._options = options or Z3Options()
        self._z3 = Z3Context({"type_check": str(self._options.type_check).lower()})
        self._symbols = Z3Symbols(self._z3)
        self._terms = Z3Terms(self._z3, self._symbols)
        self._statistics = Statistics()
        self._stopped = Event()
        self._start()

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        """A goal that stands on the path is proved without asking; `name` is for logs."""
        self._open()
        statistics = self._statistics
        statistics.queries += 1
        answer, _ = self._guarded(path, goal, limit)
        statistics.proved += answer.proved
        statistics.exhausted += answer.exhausted
        return answer

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        self._open()
        _, model = self._guarded(path, goal, limit, read=True)
        return model

    def declare(self, axioms: Sequence[Term]) -> None:
        self._open()
        self._scopes.leave()
        for axiom in axioms:
            self._solver.add(axiom)

    def statistics(self) -> Statistics:
        self._open()
        return replace(
            self._statistics, nodes=self._terms.nodes, resources=self._solver.resources()
        )

    def reset(self) -> None:
        """Forget axioms and paths, keep the context: 8 ms faster than a new session.

        The order of Z3's internal numbers may differ from that of a new session, and with it the
        way a hard query takes. Open a new session where a run must not depend on earlier ones.
        """
        self._open()
        self._terms.clear()
        self._solver.close()
        self._start()

    def interrupt(self) -> None:
        """Ends the check that is running and all later ones; from any thread, repeated at need."""
        self._stopped.set()
        if self._z3.pointer is not None:
            self._z3.lib.interrupt(self._z3.pointer)

    def close(self) -> None:
        if self._z3.pointer is not None:
            self._terms.clear()
            self._solver.close()
            self._z3.close()

    def __enter__(self) -> Z3Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_solver"):
            self.close()

    def _guarded(self, path: Path, goal: Term, limit: int, *, read: bool = False) -> _Reply:
        """An interrupt makes any call of the library fail; afterwards scopes cannot be trusted."""
        if self._stopped.is_set():
            return _INTERRUPTED, None
        try:
            return self._ask(path, goal, limit, read=read)
        except SolverError:
            if self._stopped.is_set():
                return _INTERRUPTED, None
            raise

    def _ask(self, path: Path, goal: Term, limit: int, *, read: bool) -> _Reply:
        """Whether the path with the negated goal is unsatisfiable; `false` needs no scope."""
        self._scopes.move_to(path)
        if self._scopes.holds(goal):
            self._statistics.without_solver += 1
            return PROVED, None
        if goal is FALSE:
            return self._check(limit, read=read)
        self._solver.push()
        try:
            self._solver.add(negate(goal))
            return self._check(limit, read=read)
        finally:
            self._solver.pop(1)
            self._terms.trim()

    def _check(self, limit: int, *, read: bool) -> _Reply:
        answer = self._answer(self._solver.check(limit))
        if read and not answer.proved and not answer.exhausted:
            return answer, self._read_model()
        return answer, None

    def _answer(self, result: int) -> Answer:
        """Only "incomplete" means that the search came to an end; other reasons cut it short."""
        if result == UNSAT:
            return PROVED
        if result != UNKNOWN:
            return _DISPROVED
        reason = self._solver.reason()
        return Answer(proved=False, unknown=reason, exhausted="incomplete" not in reason)

    def _read_model(self) -> Model | None:
        handle = self._solver.take_model()
        if handle is None:
            return None
        try:
            return ModelReader(self._z3, self._symbols, handle).read()
        finally:
            self._z3.lib.model_dec_ref(self._z3.pointer, handle)

    def _start(self) -> None:
        self._solver = Z3Solver(self._z3, self._terms, self._statistics)
        self._solver.configure({"ctrl_c": "false", **self._options.settings()})
        self._scopes = Scopes(self._solver)

    def _open(self) -> None:
        if self._z3.pointer is None:
            raise SolverError("the session is closed")
