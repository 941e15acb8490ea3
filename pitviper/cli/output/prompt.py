"""The prompt of a debugging session: line editing, history, completion."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitviper.driver.debug.debugging import DebugSession

PROMPT = "(pitviper) "
LONGEST_HISTORY = 1000


class Prompt:
    """Lines that the user types; the end of the input ends them, an interrupt only the line."""

    def __init__(self, session: DebugSession) -> None:
        self._session = session
        self._words: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[str]:
        with self._editing():
            while True:
                try:
                    yield input(PROMPT)
                except EOFError:
                    sys.stdout.write("\n")
                    return
                except KeyboardInterrupt:
                    sys.stdout.write("\n")

    @contextlib.contextmanager
    def _editing(self) -> Iterator[None]:
        """With GNU readline or its like, where Python has it."""
        try:
            import readline
        except ImportError:
            yield
            return
        history = _history_file()
        with contextlib.suppress(OSError):
            readline.read_history_file(history)
        readline.set_history_length(LONGEST_HISTORY)
        readline.set_completer(self._complete)
        readline.set_completer_delims(" \t\n()[]{},;+*/\\%<>=!&|?")
        readline.parse_and_bind("tab: complete")
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                history.parent.mkdir(parents=True, exist_ok=True)
                readline.write_history_file(history)

    def _complete(self, _: str, state: int) -> str | None:
        import readline

        if state == 0:
            line = readline.get_line_buffer()[: readline.get_endidx()]
            self._words = self._session.complete(line)
        return self._words[state] if state < len(self._words) else None


def _history_file() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "pitviper" / "debug_history"
