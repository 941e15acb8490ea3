"""Colours of assertions, as verifier and exploration together give them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from pitviper.base.record import record
from pitviper.servers.lsp.protocol.positions import position_in_lines
from pitviper.servers.work.worker import Line


@record
class Painted:
    """An assertion and its colour: green, yellow, red, or `not reached`."""

    range: lsp.Range
    colour: str
    message: str
    member: str


@record
class Colours:
    """What verifier and exploration say of the assertions of one text.

    `marked` is the text with marks at assertions that exploration proved, None where there are
    none to write.
    """

    text: str
    places: tuple[Painted, ...]
    marked: str | None

    def diagnostics(self) -> list[lsp.Diagnostic]:
        """Returns what is red, for editors that paint nothing: with inputs that make it fail."""
        return [
            lsp.Diagnostic(
                painted.range,
                f"exploration: {painted.message}",
                severity=lsp.DiagnosticSeverity.Information,
                code="explored.red",
                source="pitviper",
                data={"member": painted.member},
            )
            for painted in self.places
            if painted.colour == "red"
        ]


def colours_of(text: str, path: Path, answer: Line) -> Colours:
    """Returns the answer of a worker with places of the protocol."""
    lines, here = text.split("\n"), str(path.absolute())
    painted = []
    for item in answer["places"]:
        place: dict[str, Any] = item["place"]
        if place["file"] == here:
            start, end = (position_in_lines(lines, *place[side]) for side in ("start", "end"))
            where = lsp.Range(start, end)
            painted.append(Painted(where, item["colour"], item["message"], item["member"]))
    return Colours(text, tuple(painted), answer["marked"])
