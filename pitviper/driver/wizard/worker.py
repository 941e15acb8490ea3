"""The process in which the wizard explores while the verifier works: one method after the other.

Between two runs it listens: what the verifier proves meanwhile is not attacked any more, and a
method that it proves altogether is left alone.
"""

from __future__ import annotations

import signal
import time
import traceback
from typing import TYPE_CHECKING, TypeAlias

from pitviper.base.deep_stack import run_deep
from pitviper.base.memory import limit_memory
from pitviper.base.record import record
from pitviper.driver.explore.explore import FullExplorer
from pitviper.driver.explore.functions import with_functions
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.work.transport import Files, from_bytes, to_bytes
from pitviper.engines.explore.search.extensions import Trust
from pitviper.results.exploration import MethodExploration

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MEMORY = 4 * 1024**3
"""Bytes of address space that the process may use."""

BEAT = 0.2
"""Seconds between two words about a search that goes on."""


@record
class Explore:
    """To the worker: what to do next."""

    method: str


@record
class Stop:
    """To the worker: nobody needs the method any more."""

    method: str


Order: TypeAlias = Explore | Stop | Trust


@record
class Alive:
    """From the worker: so many attempts were made for the method."""

    method: str
    attempts: int


@record
class Done:
    """From the worker: what is known about a method, None if it was stopped."""

    method: str
    result: MethodExploration | None


@record
class Broken:
    """From the worker: a bug of ours."""

    trace: str


Word: TypeAlias = Alive | Done | Broken


class _Stopped(Exception):
    """Ends the search that is going on."""


def serve(pipe: Connection, request: tuple[str, str], options: ExploreOptions) -> None:
    """Until the other side closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other side ends us
    limit_memory(MEMORY)
    run_deep(lambda: _Worker(pipe, request, options).serve())


class _Worker:
    def __init__(self, pipe: Connection, request: tuple[str, str], options: ExploreOptions) -> None:
        text, name = request
        front = load_text(text, name, options.check, options.library)
        front = with_functions(front, options.methods)
        assert front.program is not None
        self._pipe = pipe
        self._files = Files(front.program)
        self._explorer = FullExplorer(front.program, name, options)
        self._method = ""
        self._attempts = 0
        self._told = 0.0

    def serve(self) -> None:
        try:
            while True:
                self._take(self._next())
        except EOFError:
            return
        except Exception:
            self._tell(Broken(traceback.format_exc()))
            raise

    def _take(self, order: Order) -> None:
        match order:
            case Explore(method):
                self._tell(Done(method, self._explored(method)))
            case Trust():
                self._explorer.trust(order)
            case Stop():
                pass  # it was done before the word came

    def _explored(self, method: str) -> MethodExploration | None:
        self._method, self._attempts, self._told = method, 0, time.monotonic()
        try:
            return self._explorer.explore(method, self._pulse)
        except _Stopped:
            return None

    def _pulse(self) -> None:
        """Between two attempts."""
        self._attempts += 1
        while self._pipe.poll():
            order = self._next()
            if isinstance(order, Stop) and order.method == self._method:
                raise _Stopped
            if isinstance(order, Trust):
                self._explorer.trust(order)
        if time.monotonic() - self._told > BEAT:
            self._told = time.monotonic()
            self._tell(Alive(self._method, self._attempts))

    def _next(self) -> Order:
        order = from_bytes(self._pipe.recv_bytes(), self._files)
        assert isinstance(order, Explore | Stop | Trust)
        return order

    def _tell(self, word: Word) -> None:
        self._pipe.send_bytes(to_bytes(word))
