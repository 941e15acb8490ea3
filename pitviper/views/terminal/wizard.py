"""The colours of assertions as text."""

from __future__ import annotations

from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import Style

_STYLES = {Colour.GREEN: Style.HELP, Colour.YELLOW: Style.WARNING, Colour.RED: Style.ERROR}


_BELOW = "\n                "


def wizard_text(report: WizardReport, page: Page) -> str:
    lines = [_line(place, page) for place in report.places]
    lines += [f"  undecided by the verifier: {visible(name)}" for name in report.undecided]
    for span in report.gained:
        lines.append(f"  now proved as well: line {span.line}: {_first_line(span.text)}")
    counts = [f"{len(report.with_colour(c))} {c.value}" for c in Colour]
    total = counted(len(report.places), "assertion")
    lines.append(f"{total}: {', '.join(counts)} ({counted(report.turns, 'turn')}).")
    return "\n".join(lines) + "\n"


def _line(place: ColouredPlace, page: Page) -> str:
    colour = page.paint(_STYLES[place.colour], f"{place.colour.value:<6}")
    text = _first_line(place.span.text)
    line = f"  {colour}  {place.span.line:>4}  {visible(text)}  [{place.error}]"
    why = _why(place)
    line += f"  {why}" if why else ""
    if place.test is not None:
        inputs = ", ".join(f"{n} = {v}" for n, v in place.test.inputs if v != "?")
        label = "would fail with" if place.colour is Colour.GREEN else "fails with"
        line += f"{_BELOW}{page.paint(Style.NOTE, label)} {visible(inputs) or 'any input'}"
    if place.doubt:
        label = "note" if place.colour is Colour.GREEN else "doubtful"
        line += f"{_BELOW}{page.paint(Style.WARNING, label)}: {visible(place.doubt)}"
    return line


def _why(place: ColouredPlace) -> str:
    if place.colour is Colour.YELLOW:
        if not place.ways and not place.left:
            return "not explored"
        known = f"{place.left} more known" if place.left else "no more known"
        return f"{counted(place.ways, 'way')} run, {known} ({place.covered:.0%})"
    if place.colour is Colour.RED:
        return ""
    bodies = f", with the bodies of {', '.join(map(visible, place.bodies))}" if place.bodies else ""
    if place.by == "exploration":
        said = "all ways were run" if place.ways else "no way leads here"
        why = f"by exploration: {said}{bodies}"
    else:
        why = "by the verifier"
    return f"{why}; the verifier's first error here is spurious" if place.spurious else why


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0][:60] if text.strip() else ""
