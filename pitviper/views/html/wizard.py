"""The colours of assertions as one HTML page: a list, and the source with the colours in it."""

from __future__ import annotations

from itertools import count, pairwise

from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.results.wording import shown_error
from pitviper.source.span import Span
from pitviper.views.html.page import Line, Piece, inputs, line_id, numbered_lines, page, values_text

_LOOKS = {
    Colour.RED: ("no", "✗", "inputs make it fail"),
    Colour.YELLOW: ("some", "?", "not proved, and no failing input is known"),
    Colour.UNREACHED: ("behind", "·", "something before it fails"),
    Colour.GREEN: ("yes", "✓", "proved"),
}
"""Worst first."""


def wizard_html(report: WizardReport, text: str) -> str:
    """The whole page; `text` is that of the file the report is about."""
    return page(
        "wizard.html",
        report=report,
        colours=list(_LOOKS),
        failures=[(place, inputs(place.test)) for place in report.with_colour(Colour.RED)],
        lines=_lines(report, text),
        href=_href,
        short=_short,
        values=_values,
        look=_look,
        check=_check,
    )


def _href(span: Span) -> str:
    return f"#{line_id(0, span.line)}"


def _look(colour: Colour) -> str:
    """The class of a badge: what nobody has said anything about has no colour."""
    return "faint" if colour is Colour.UNREACHED else colour.value


def _check(place: ColouredPlace) -> str:
    return shown_error(place.error, place.span)


def _values(place: ColouredPlace) -> str:
    return values_text(place.test) or "any input"


def _lines(report: WizardReport, text: str) -> list[Line]:
    """Each assertion has its colour, the mark of a line is the worst one that begins in it.

    Places in imported files are in the list only.
    """
    own = [place for place in report.places if str(place.span.file.path) == report.file]
    lines, start = [], 0
    for number, (_, shown) in zip(count(1), numbered_lines(text), strict=False):
        begun = [place for place in own if place.span.line == number]
        lines.append(_line(number, shown, begun, _pieces(shown, start, own)))
        start = text.find("\n", start) + 1
    return lines


def _line(number: int, text: str, places: list[ColouredPlace], pieces: list[Piece]) -> Line:
    name = line_id(0, number)
    if not places:
        return Line(name, number, text, pieces=pieces)
    kind, mark, title = next(_LOOKS[c] for c in _LOOKS if any(p.colour is c for p in places))
    told = [p for p in places if p.colour is not Colour.UNREACHED]  # all say the same
    remarks = [
        p for p in told if p.colour is not Colour.GREEN or p.spurious or p.by == "exploration"
    ]
    return Line(name, number, text, kind, mark, title, remarks, pieces)


def _pieces(text: str, start: int, places: list[ColouredPlace]) -> list[Piece]:
    """A line cut where colours change: the worst one counts where assertions overlap."""
    end = start + len(text)
    here = [p for p in places if p.span.start < end and p.span.end > start]
    if not here:
        return []
    edges = {offset for p in here for offset in (p.span.start, p.span.end)}
    cuts = sorted({start, end, *[edge for edge in edges if start < edge < end]})
    return [_piece(text[a - start : b - start], a, here) for a, b in pairwise(cuts)]


def _piece(text: str, offset: int, places: list[ColouredPlace]) -> Piece:
    found = [p.colour for p in places if p.span.start <= offset < p.span.end]
    if not found or not text.strip():
        return Piece(text)
    worst = next(colour for colour in _LOOKS if colour in found)
    return Piece(text, _look(worst), _LOOKS[worst][2])


def _short(text: str) -> str:
    first = text.strip().split("\n")[0]
    return first if len(first) <= 70 else f"{first[:69]}…"
