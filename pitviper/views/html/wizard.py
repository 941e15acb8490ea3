"""The colours of assertions as one HTML page: a list, and the source with the colours in it."""

from __future__ import annotations

from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.results.wording import shown_error
from pitviper.source.span import Span
from pitviper.views.html.page import Line, inputs, line_id, numbered_lines, page, values_text

_LOOKS = {
    Colour.RED: ("no", "✗", "inputs make it fail"),
    Colour.YELLOW: ("some", "?", "not proved, and no failing input is known"),
    Colour.UNREACHED: ("some", "·", "something before it fails"),
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
    """The colour of a line is the worst one in it; places in imported files are in the list."""
    found: dict[int, list[ColouredPlace]] = {}
    for place in report.places:
        if str(place.span.file.path) == report.file:
            found.setdefault(place.span.line, []).append(place)
    return [_line(number, line, found.get(number, [])) for number, line in numbered_lines(text)]


def _line(number: int, text: str, places: list[ColouredPlace]) -> Line:
    if not places:
        return Line(line_id(0, number), number, text)
    kind, mark, title = next(_LOOKS[c] for c in _LOOKS if any(p.colour is c for p in places))
    remarks = [
        p for p in places if p.colour is not Colour.GREEN or p.spurious or p.by == "exploration"
    ]
    return Line(line_id(0, number), number, text, kind, mark, title, remarks)


def _short(text: str) -> str:
    first = text.strip().split("\n")[0]
    return first if len(first) <= 70 else f"{first[:69]}…"
