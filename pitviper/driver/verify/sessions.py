"""The solver sessions of one run: their limit, their log, and the end of their time."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO
from weakref import WeakSet

from pitviper.base.time_box import left_of
from pitviper.solver.model import Model
from pitviper.solver.recording import Log, Recording
from pitviper.solver.session import ASSERT, Answer, Path, Solver, Statistics
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.term import Term

if TYPE_CHECKING:
    from pitviper.driver.verify.profiling import Profiler


PATIENCE = 0.4
"""Seconds that a question has to end at the end of the time: not every one heeds an interrupt."""


class Stopped(Exception):
    """The run was stopped from outside; what is under way ends without an answer."""


class Sessions:
    """Opens a session for each member, one at a time; `stop` may come from any thread.

    `limit` is what a proof obligation may cost, in solver resources; questions that only decide
    how to go on keep their own, smaller limits. As a context, the sessions of a run stop after
    `timeout` seconds, counted from the making of this object; `left` are the seconds of these
    that are left, where the run began earlier. A `profiler` takes notes of all of them.
    """

    def __init__(
        self,
        limit: int = ASSERT,
        timeout: float | None = None,
        log: SolverLog | None = None,
        *,
        left: float | None = None,
        profiler: Profiler | None = None,
    ) -> None:
        self.limit = limit
        self._timeout = timeout
        if left is None and timeout is not None:
            left = left_of(timeout)
        self._deadline = None if left is None else time.monotonic() + left
        self._log = log
        self._profiler = profiler
        self._current: Z3Session | None = None
        self._further: WeakSet[Z3Session] = WeakSet()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self.stopped: str | None = None
        """Why there will be no further answer."""
        self.resources = 0
        """What the sessions that were closed have cost."""

    def __enter__(self) -> Sessions:
        if self._deadline is not None:
            left = max(0.0, self._deadline - time.monotonic())
            self._timer = threading.Timer(left, self._time_is_over)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.close()

    def open(self) -> Solver:
        """A session of its own for what comes next; the one before is closed."""
        self.close()
        session = self.new_session() if self._profiler is None else self._profiler.session()
        with self._lock:
            self._current = session
        if self._log is None:
            return _Watched(session, self)
        return _Watched(Recording(session, self._log.section()), self)

    def new_session(self) -> Z3Session:
        """What the sessions are made of."""
        return Z3Session()

    def heed(self, session: Z3Session) -> Z3Session:
        """The session, which somebody else has opened and which ends with these."""
        with self._lock:
            self._further.add(session)
        if self.stopped is not None:
            session.interrupt()
        return session

    @property
    def given_up(self) -> float | None:
        """When nobody waits any longer, on the clock `time.monotonic`; None without a timeout."""
        return None if self._deadline is None else self._deadline + PATIENCE

    @property
    def over_text(self) -> str:
        return f"the time for the run is over ({self._timeout or 0:g} s)"

    def note(self, title: str) -> None:
        """A title in the log, and in the profile, for what comes next."""
        if self._log is not None:
            self._log.note(title)
        if self._profiler is not None:
            self._profiler.started(title)

    def close(self) -> None:
        with self._lock:
            if self._current is not None:
                self.resources += self._current.statistics().resources
                self._current.close()
                self._current = None

    def abandon(self) -> None:
        """Leaves the session to the thread that is at work in it: closing it would end that one."""
        self.stop(self.over_text)
        with self._lock:
            self._current = None

    def stop(self, why: str) -> None:
        """Ends the question under way and all later ones."""
        self.stopped = self.stopped or why
        with self._lock:
            for session in (self._current, *self._further):
                if session is not None:
                    session.interrupt()

    def require_going(self) -> None:
        if self.stopped is not None:
            raise Stopped(self.stopped)

    def limited(self, limit: int) -> int:
        """Obligations have the limit of this run; nothing else may cost more than they."""
        return self.limit if limit >= ASSERT else min(limit, self.limit)

    def _time_is_over(self) -> None:
        self.stop(self.over_text)


class _Watched:
    """Implements `Solver`: another one, with the limit of the run, until the run is stopped."""

    def __init__(self, solver: Solver, sessions: Sessions) -> None:
        self._solver = solver
        self._sessions = sessions

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        sessions = self._sessions
        if sessions.stopped is not None:
            sessions.require_going()
        answer = self._solver.entails(path, goal, sessions.limited(limit), name)
        if sessions.stopped is not None:
            sessions.require_going()
        return answer

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        self._sessions.require_going()
        model = self._solver.model(path, goal, self._sessions.limited(limit))
        self._sessions.require_going()
        return model

    def declare(self, axioms: Sequence[Term]) -> None:
        self._sessions.require_going()
        self._solver.declare(axioms)

    def statistics(self) -> Statistics:
        return self._solver.statistics()


class SolverLog:
    """Sections share nothing, so each can be cut out and replayed alone."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._sections = 0

    def note(self, title: str) -> None:
        """A title for what comes next."""
        self._file.write(f"\n; ==== {' '.join(title.split())}\n")

    def section(self) -> Log:
        if self._sections:
            self._file.write("(reset)\n")
        self._sections += 1
        return Log(self._file, Z3Options().settings())
