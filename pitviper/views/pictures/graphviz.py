"""DOT text as a picture, by the Graphviz library that `pygraphviz` brings along."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from typing import Literal

from pitviper.base.scratch import room_for_files, scratch_file

Format = Literal["svg", "png"]

_GROUP = re.compile(
    r'<g id="(?P<id>[^"]*)" class="(?P<kind>[^"]*)"(?P<more>[^>]*)>\s*<title>[^<]*</title>'
)


def rendered(dot: str, kind: Format) -> bytes:
    """Returns the picture as the content of a file; the library is loaded with the first one.

    UsageError where it cannot write its temporary files.
    """
    import pygraphviz

    with room_for_files(), _without_talk_of_fonts():  # the library makes some
        drawn: bytes = pygraphviz.AGraph(string=dot).draw(format=kind, prog="dot")
    return drawn


@contextmanager
def _without_talk_of_fonts() -> Iterator[None]:
    """What the font library says about files of the system helps nobody; all else is passed on.

    It writes to the standard error file of the process, whatever Python thinks of that.
    """
    try:
        kept = os.dup(2)
    except OSError:  # it is closed: nobody hears anything
        yield
        return
    with scratch_file() as said:
        if sys.stderr is not None:
            sys.stderr.flush()
        os.dup2(said.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            said.seek(0)
            for line in said:
                if not line.startswith(b"Fontconfig "):
                    os.write(2, line)


def svg_element(dot: str, titles: Mapping[str, str]) -> str:
    """Returns the picture as an element for a page that may hold others.

    It has no head of a file and no identifiers. `titles` says what people read who point at the
    node or edge with that `id`.
    """

    def titled(match: re.Match[str]) -> str:
        title = titles.get(match["id"], "")
        said = f"<title>{escape(title)}</title>" if title else ""
        return f'<g class="{match["kind"]}"{match["more"]}>{said}'

    text = rendered(dot, "svg").decode()
    text = re.sub(r"<!--.*?-->\n?", "", text[text.index("<svg") :], flags=re.DOTALL)
    return re.sub(r' id="[^"]*"', "", _GROUP.sub(titled, text))


def label_text(text: str) -> str:
    """Returns a text as part of a label in angle brackets; Graphviz would read `\\N` as a name."""
    return escape(text, quote=False).replace("\\", "\\\\")
