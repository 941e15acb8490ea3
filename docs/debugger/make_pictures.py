"""Draws the sessions of `docs/debugger.md` as they look in a terminal.

    python docs/debugger/make_pictures.py

Each `examples/debugger/NAME.session` is run on `NAME.vpr`; the picture is `docs/debugger/NAME.svg`.
"""

from __future__ import annotations

import io
from pathlib import Path

from pitviper.driver.debugging import open_debugger
from rich.console import Console
from rich.text import Text

from pitviper.views.terminal.debugger import DebuggerView
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import coloured

HERE = Path(__file__).parent
PROGRAMS = HERE.parents[1] / "examples" / "debugger"
WIDTH = 122


def session_text(name: str) -> str:
    """What the terminal shows, with colours."""
    session = open_debugger(PROGRAMS / f"{name}.vpr")
    view = DebuggerView(Page(coloured))
    parts = []
    for line in (PROGRAMS / f"{name}.session").read_text(encoding="utf-8").splitlines():
        parts.append(f"\x1b[1;32m(pitviper)\x1b[0m {line}\n")
        parts += [view.text(reply) for reply in session.execute(line)]
    return "".join(parts).rstrip("\n")


def draw(name: str) -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(session_text(name)))
    title = f"pitviper debug {name}.vpr"
    svg = console.export_svg(title=title, unique_id=name)
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    for script in sorted(PROGRAMS.glob("*.session")):
        draw(script.stem)
