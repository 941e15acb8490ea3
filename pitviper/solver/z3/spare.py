"""A context of Z3 that is made by another thread before somebody needs it.

NOTE(spare). A new context writes two tables of 8.5 MB, which takes longer than most questions of a
small member, and the first ones of a process have to get that memory from the system. A context in
which nothing was done is like any other one, whoever made it and when: so answers do not depend on
whether there was one in store. Whoever finds none makes its own and waits for nobody.

One thread of a process makes them all: Z3 adds up what a thread has allocated only now and then,
and what a thread has not told when it ends is never counted, though freed memory is. While it is at
work it holds `making`, as does whoever forks: the library of a new process is not left in the
middle of a call. A context in store goes along into that process, where nobody makes further ones
until told to: workers have their processors for themselves.
"""

from __future__ import annotations

import atexit
import os
from _queue import SimpleQueue
from _thread import start_new_thread  # that of `threading` waits until the new one runs
from threading import Lock
from typing import Final

from pitviper.solver.z3.library import SolverError, Z3Context, is_memory_limited
from pitviper.solver.z3.options import Z3Options, solver_settings
from pitviper.solver.z3.solver import new_solver

SETTINGS: Final = {"type_check": "false"}
"""Of contexts in store, as of all in which nobody looks for mistakes of ours."""


class _Store:
    """At most one context; `goes_on` while another one is made for one that was taken."""

    def __init__(self) -> None:
        self.making: Final = Lock()
        self.ready: Final[list[Z3Context]] = []
        self.asked = False
        self.goes_on = False
        self._wanted: SimpleQueue[None] | None = None
        """What the thread waits for; None while there is no thread."""

    def ask(self) -> None:
        """Nothing happens where there is no room for a thread."""
        if self.asked or self.ready or is_memory_limited():
            return
        if self._wanted is None and not self._start():
            return
        assert self._wanted is not None
        self.asked = True
        self._wanted.put(None)

    def _start(self) -> bool:
        wanted: SimpleQueue[None] = SimpleQueue()
        try:
            start_new_thread(self._serve, (wanted,))
        except RuntimeError:  # "can't start new thread"
            return False
        self._wanted = wanted
        return True

    def _serve(self, wanted: SimpleQueue[None]) -> None:
        while True:
            wanted.get()
            with self.making:
                self._make()

    def _make(self) -> None:
        try:
            self.ready.append(_new_context())
        except (SolverError, MemoryError):
            return  # whoever needs one makes it, and is told
        finally:
            self.asked = False

    def forked(self) -> None:
        """In a new process there is no thread but the one that has forked it."""
        self.asked = self.goes_on = False
        self._wanted = None
        self.making.release()


def _new_context() -> Z3Context:
    """With the solver that is wanted first; most of its parts are made for its first scope."""
    made, settings = Z3Context(SETTINGS), solver_settings(Z3Options())
    solver = new_solver(made, settings)
    made.lib.solver_push(made.pointer, solver)
    made.lib.solver_pop(made.pointer, solver, 1)
    made.checked()
    made.keep_solver(settings, solver)
    return made


_store: Final = _Store()

ENDING: Final = 10.0
"""Seconds that the end of a process waits: it comes while no thread is in the middle of a call of
the library, and none begins one any more."""

atexit.register(_store.making.acquire, timeout=ENDING)

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_store.making.acquire,
        after_in_parent=_store.making.release,
        after_in_child=_store.forked,
    )


def prepare_contexts(*, several: bool) -> None:
    """Has a context made, by another thread, unless one is in store.

    `several` means that another one will be needed when this one was taken. Where memory is limited
    by somebody, contexts that nobody needs would count: none is made.
    """
    _store.goes_on = several
    _store.ask()


def take_context() -> Z3Context:
    """A context in which nothing was done."""
    try:
        taken = _store.ready.pop()
    except IndexError:
        taken = _new_context()
    if _store.goes_on:
        _store.ask()
    return taken
