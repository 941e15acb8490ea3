"""DOT text as a picture, by the Graphviz library that the extra `pictures` brings along."""

from __future__ import annotations

from typing import Literal

Format = Literal["svg", "png"]


class NoPictures(Exception):
    """The library that draws is not installed."""


def rendered(dot: str, kind: Format) -> bytes:
    """The picture; NoPictures where it cannot be drawn."""
    try:
        import pygraphviz
    except ImportError as error:
        raise NoPictures(
            "pictures need the extra `pictures`: pip install 'pitviper[pictures]'"
            " (or use --dot and any Graphviz)"
        ) from error
    drawn: bytes = pygraphviz.AGraph(string=dot).draw(format=kind, prog="dot")
    return drawn
