"""Exploration beside the verifier, in other processes; a thread hears what they find.

NOTE(host). Workers that explore are not forked by this process, which waits for the verifier, but
by a host that it has forked before: see `explorers.py`. It ends them when this process is no more.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Sequence
from typing import Protocol

from pitviper.base.usage_error import UsageError
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.wizard.explorers import (
    Alive,
    Begin,
    Broken,
    Done,
    ExplorerHost,
    Failing,
    Finished,
    Halt,
    Order,
    Stop,
)
from pitviper.driver.work.process import ChildProcess, Gone, can_fork, load_solver
from pitviper.driver.work.transport import Files, from_bytes, to_bytes
from pitviper.engines.explore.search.extensions import Trust
from pitviper.results.exploration import TIME_IS_OVER, ExploredRun, MethodExploration
from pitviper.results.verdict import MemberOutcome

_hearing = threading.RLock()
"""Held by the thread that hears, which may load modules and write: the verifier's processes are
forked meanwhile, and would inherit locks that nobody gives back."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_hearing.acquire,
        after_in_parent=_hearing.release,
        after_in_child=_hearing.release,
    )


class InternalError(Exception):
    """A bug of ours in a process; the text is its trace."""


class BackgroundExploration:
    """Explores methods in other processes; the verifier's thread says what it has proved.

    `begin` starts, `finish` waits and gives what was found; in between, `stop` and `trust` save
    work.
    """

    def __init__(
        self,
        front: FrontEnd,
        options: ExploreOptions,
        watch: WizardWatch,
        until: float | None = None,
    ) -> None:
        """Nobody waits longer than `until`, on the clock `time.monotonic`, and a moment."""
        assert front.program is not None
        if not can_fork():
            raise UsageError("the wizard needs a system that can fork processes")
        load_solver()
        self._watch = watch
        self._until = until
        self.was_late = False
        self._is_killed = False
        self._files = Files(front.program)
        self._found: dict[str, MethodExploration] = {}
        self._begun: tuple[str, ...] = ()
        self._stopped: dict[str, None] = {}
        self.is_gone = False
        self._errors: list[BaseException] = []
        self._thread: threading.Thread | None = None
        self.host = ChildProcess(lambda *pipes: ExplorerHost(front, options, pipes).live())

    def begin(self, methods: Sequence[str]) -> None:
        self._found, self._begun = {}, tuple(methods)
        self._send(Begin(tuple(methods)))
        self._thread = threading.Thread(target=self._hear, daemon=True)
        self._thread.start()

    def finish(self) -> dict[str, MethodExploration]:
        """Returns what is known about the methods that were not stopped."""
        assert self._thread is not None
        while self._thread.is_alive():
            self._thread.join(0.1)
            self._look_at_the_clock()
        if self._errors:
            raise self._errors[0]
        if self.is_gone and not self._is_killed:
            for method in self._begun:
                if method not in self._stopped:
                    self._found.setdefault(method, MethodExploration(method, open=(GONE,)))
        return self._found

    def _look_at_the_clock(self) -> None:
        """When time is over, all have a moment to say what they know."""
        if self._until is None or time.monotonic() < self._until:
            return
        if not self.was_late:
            self.was_late = True
            self._send(Halt(TIME_IS_OVER))
        elif time.monotonic() >= self._until + MOMENT:
            self.kill()

    def halt(self) -> dict[str, MethodExploration]:
        """Returns what is known so far; nothing goes on."""
        if self._thread is None:
            return {}
        self._send(Halt())
        return self.finish()

    def kill(self) -> None:
        """Ends the processes, whatever they do."""
        if not self._is_killed:
            self._is_killed = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.host.pid, signal.SIGKILL)

    def stop(self, method: str) -> None:
        """Nobody needs to know more about the method."""
        self._stopped[method] = None
        self._send(Stop(method))

    def trust(self, trust: Trust) -> None:
        """Checks of a member are proved: nobody attacks them from now on."""
        self._send(trust)

    def close(self) -> None:
        self.host.hang_up()
        if self._thread is not None:
            self._thread.join(GRACE)
        self.host.death()

    def _hear(self) -> None:
        """In the thread, until the methods of a turn are done."""
        try:
            while self._heard(self.host.receive()):
                pass
        except Gone:  # somebody has killed it, which costs what it was at
            self.is_gone = True
        except BaseException as error:  # told by `finish`, in the thread of the caller
            self._errors.append(error)

    def _heard(self, message: bytes) -> bool:
        """Hears one message; nobody forks in the middle of that."""
        with _hearing:
            return self._take(from_bytes(message, self._files))

    def _take(self, word: object) -> bool:
        """Hears one word; False if it is the last one."""
        match word:
            case Alive(method, attempts):
                self._watch.exploring(method, attempts)
            case Failing(method, run):
                self._watch.failing(method, run)
            case Done(method, result):
                if result is not None:
                    self._found[method] = result
                self._watch.explored(method)
            case Finished():
                return False
            case Broken(trace, refused):
                raise UsageError(trace) if refused else InternalError(trace)
            case _:
                raise InternalError(f"an unknown word {word!r}")
        return True

    def _send(self, order: Order) -> None:
        with contextlib.suppress(Gone):  # the thread finds out
            self.host.send(to_bytes(order))


GONE = "crashed: the process that explores is gone"
"""Why methods stay open when somebody has killed it."""

MOMENT = 0.5
"""Seconds that the other processes have to say what they know when time is over."""

GRACE = 2.0
"""Seconds that the thread has to hear that its host is gone."""


class WizardWatch(Protocol):
    """Is told how both sides go on, from several threads, one at a time for each side."""

    def started(self, member: str, done: int, total: int) -> None: ...

    def finished(self, outcome: MemberOutcome) -> None: ...

    def turn(self, number: int, methods: int) -> None: ...

    def exploring(self, method: str, attempts: int) -> None: ...

    def explored(self, method: str) -> None: ...

    def failing(self, method: str, run: ExploredRun) -> None: ...


class NobodyWatches:
    """Looks away."""

    def started(self, member: str, done: int, total: int) -> None:
        return

    def finished(self, outcome: MemberOutcome) -> None:
        return

    def turn(self, number: int, methods: int) -> None:
        return

    def exploring(self, method: str, attempts: int) -> None:
        return

    def explored(self, method: str) -> None:
        return

    def failing(self, method: str, run: ExploredRun) -> None:
        return
