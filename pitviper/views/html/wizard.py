"""The colours of assertions as one HTML page: a list, and the source with the colours in it."""

from __future__ import annotations

from html import escape

from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.views.html.inputs import inputs_html
from pitviper.views.html.page import badge, code, page, table
from pitviper.views.html.source import LineLook, line_id, source_table

_KINDS = {Colour.RED: "no", Colour.YELLOW: "some", Colour.GREEN: "yes"}
_MEANINGS = {
    Colour.RED: "inputs make it fail",
    Colour.YELLOW: "neither proved nor refuted",
    Colour.GREEN: "proved",
}
_WORST = (Colour.RED, Colour.YELLOW, Colour.GREEN)


def wizard_html(report: WizardReport, text: str) -> str:
    """The whole page; `text` is that of the file the report is about."""
    counts = " ".join(badge(c.value, f"{len(report.with_colour(c))} {c.value}") for c in _WORST)
    parts = [
        f"<h1>Assertions of {code(report.file)}</h1>",
        f"<p>{counts}</p>",
        table(
            ("colour", "line", "assertion", "check", "why"),
            [_row(p, report) for p in report.places],
        ),
        *[f"<p>The verifier did not decide {code(name)}.</p>" for name in report.undecided],
        *[
            f'<p>Now proved as well: <a href="#{line_id(0, span.line)}">line {span.line}</a>, '
            f"{code(_short(span.text))}.</p>"
            for span in report.gained
        ],
        *[_failure(place, report) for place in report.with_colour(Colour.RED)],
        "<h2>Source</h2>",
        source_table(text, _looks(report)),
    ]
    return page(f"Assertions of {report.file}", "".join(parts))


def _link(place: ColouredPlace, report: WizardReport, words: str) -> str:
    """To the line of a place; imported files are not in the page."""
    path = place.span.file.path
    if str(path) != report.file:
        return f"{escape(words)} of {code(path.name)}"
    return f'<a href="#{line_id(0, place.span.line)}">{escape(words)}</a>'


def _row(place: ColouredPlace, report: WizardReport) -> str:
    link = _link(place, report, str(place.span.line))
    return (
        f"<tr><td>{badge(place.colour.value, place.colour.value)}</td>"
        f'<td class="right">{link}</td><td>{code(_short(place.span.text))}</td>'
        f'<td>{code(place.error)}</td><td class="why">{_why(place)}</td></tr>'
    )


def _why(place: ColouredPlace) -> str:
    match place.colour:
        case Colour.RED:
            said = f"fails with {escape(_inputs(place))}"
        case Colour.YELLOW:
            left = f"{place.left} more known" if place.left else "no more known"
            said = f"{place.ways} ways run, {left} ({place.covered:.0%})"
        case Colour.GREEN:
            said = f"by {'exploration' if place.by == 'exploration' else 'the verifier'}"
    if place.bodies:
        said += f", with the bodies of {', '.join(map(code, place.bodies))}"
    if place.spurious:
        said += f"; {badge('blue', 'spurious')} the verifier reported an error here"
    if place.doubt:
        label = "note" if place.colour is Colour.GREEN else "doubtful"
        said += f"; {badge('yellow', label)} {escape(place.doubt)}"
    return said


def _inputs(place: ColouredPlace) -> str:
    given = () if place.test is None else place.test.inputs
    return ", ".join(f"{n} = {v}" for n, v in given if v != "?") or "any input"


def _failure(place: ColouredPlace, report: WizardReport) -> str:
    link = _link(place, report, f"line {place.span.line}")
    return (
        f'<section class="failure"><h3>{code(_short(place.span.text))} in {link} of '
        f"{code(place.member)}</h3>{inputs_html(place.test)}</section>"
    )


def _looks(report: WizardReport) -> dict[int, LineLook]:
    """The colour of a line is the worst one in it; places in imported files are in the list."""
    found: dict[int, list[ColouredPlace]] = {}
    for place in report.places:
        if str(place.span.file.path) == report.file:
            found.setdefault(place.span.line, []).append(place)
    looks = {}
    for line, places in sorted(found.items()):
        worst = next(c for c in _WORST if any(p.colour is c for p in places))
        remarks = [
            f"{badge(p.colour.value, p.colour.value)} {_why(p)}"
            for p in places
            if p.colour is not Colour.GREEN or p.spurious or p.by == "exploration"
        ]
        mark = {Colour.RED: "✗", Colour.YELLOW: "?", Colour.GREEN: "✓"}[worst]
        looks[line] = LineLook(_KINDS[worst], mark, _MEANINGS[worst], tuple(remarks))
    return looks


def _short(text: str) -> str:
    first = text.strip().split("\n")[0]
    return first if len(first) <= 70 else f"{first[:69]}…"
