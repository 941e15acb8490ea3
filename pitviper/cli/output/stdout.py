"""Text on standard output: how it looks there, and who writes it."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitviper.views.terminal.excerpt import Page


def page_for(arguments: argparse.Namespace) -> Page:
    """How text looks on standard output."""
    from pitviper.views.terminal.excerpt import Page
    from pitviper.views.terminal.style import choose_painter, wants_links

    painter = choose_painter(arguments.color, sys.stdout)
    links = wants_links(arguments.color, sys.stdout)
    return Page(painter, _width(), links, columns(), sys.stdout.isatty())


def write(text: str) -> None:
    sys.stdout.write(text)


def write_line(text: str) -> None:
    sys.stdout.write(text + "\n")


def tell_written(path: object, arguments: argparse.Namespace) -> None:
    """Says that a file was written: to people, other forms of output have their own lines only."""
    if arguments.output == "text":
        write_line(f"  wrote {path}")


def flush() -> None:
    """What was written is seen now, also behind a pipe."""
    sys.stdout.flush()


def is_read_from_terminal() -> bool:
    """Whether somebody types what is read; standard input may be closed."""
    return sys.stdin is not None and sys.stdin.isatty()


def _width() -> int:
    """Characters of a program line that fit beside the line number; generous without terminal."""
    return max(40, columns() - 10) if sys.stdout.isatty() else 160


def columns() -> int:
    """The width of the terminal, or what `COLUMNS` says; of no terminal, that of a common one."""
    from pitviper.views.terminal.paragraph import COLUMNS

    said = os.environ.get("COLUMNS", "")
    if not sys.stdout.isatty():
        return int(said) if said.isdecimal() and said.isascii() and 0 < len(said) < 5 else COLUMNS
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or COLUMNS
    except OSError:
        return COLUMNS
