"""The prompt of a debugging session: line editing, history, completion."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator

from pitviper.cli.output import stdout
from pitviper.driver.cache.folder import own_folder
from pitviper.driver.debug.debugging import DebugSession
from pitviper.results.debugging import Quit
from pitviper.views.json.debugger import reply_json
from pitviper.views.terminal.debugger import DebuggerView, Shown
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import Style

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
        folder = own_folder("XDG_STATE_HOME", ".local/state")
        history = None if folder is None else folder / "debug_history"
        if history is not None:
            with contextlib.suppress(OSError):
                readline.read_history_file(history)
        readline.set_history_length(LONGEST_HISTORY)
        readline.set_completer(self._complete)
        readline.set_completer_delims(" \t\n()[]{},;+*/\\%<>=!&|?")
        readline.parse_and_bind("tab: complete")
        try:
            yield
        finally:
            if history is not None:
                with contextlib.suppress(OSError):
                    history.parent.mkdir(parents=True, exist_ok=True)
                    readline.write_history_file(history)

    def _complete(self, _: str, state: int) -> str | None:
        import readline

        if state == 0:
            line = readline.get_line_buffer()[: readline.get_endidx()]
            self._words = self._session.complete(line)
        return self._words[state] if state < len(self._words) else None


class Writer:
    """Text for people, or JSON lines; scripts show each command before its answer."""

    def __init__(self, session: DebugSession, page: Page, *, as_json: bool) -> None:
        self._session = session
        self._page = page
        self._as_json = as_json

    def greet(self) -> None:
        """What there is to work on."""
        self._answer("errors")
        stdout.write_line("`choose N` to work on an error, `help` for all commands, `quit` to end")
        debugger = self._session.debugger
        if debugger is not None and len(debugger.obligations) == 1:
            self._answer("show")

    def run(self, commands: Iterable[str], *, echo: bool) -> int:
        """One command after the other, until `quit` or the end; returns how many there were."""
        number = 0
        for number, line in enumerate(commands, 1):
            if echo and not self._as_json:
                stdout.write_line(self._page.paint(Style.DIM, f"(pitviper) {line}"))
            try:
                over = self._answer(line)
            except KeyboardInterrupt:
                if echo:
                    raise
                over = False
                stdout.write_line("interrupted")
            if over:
                return number
        return number

    def _answer(self, line: str) -> bool:
        """True if the session is over."""
        replies = self._session.execute(line)
        if self._as_json:
            for reply in replies:
                stdout.write_line(reply_json(line, reply))
        else:
            stdout.write("".join([self._view().text(reply) for reply in replies]))
        sys.stdout.flush()
        return any(isinstance(reply, Quit) for reply in replies)

    def _view(self) -> DebuggerView:
        debugger = self._session.debugger
        if debugger is None:
            return DebuggerView(self._page)
        config = debugger.config
        return DebuggerView(self._page, Shown(config.internal, config.depth, config.depths))
