"""The colours of assertions as text."""

from __future__ import annotations

from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import Style

_STYLES = {Colour.GREEN: Style.HELP, Colour.YELLOW: Style.WARNING, Colour.RED: Style.ERROR}


def wizard_text(report: WizardReport, page: Page) -> str:
    lines = [_line(place, page) for place in report.places]
    lines += [f"  undecided by the verifier: {visible(name)}" for name in report.undecided]
    for span in report.gained:
        lines.append(f"  now proved as well: line {span.line}: {_first_line(span.text)}")
    counts = [f"{len(report.with_colour(c))} {c.value}" for c in Colour]
    total = counted(len(report.places), "assertion")
    lines.append(f"{total}: {', '.join(counts)} ({counted(report.rounds, 'round')}).")
    return "\n".join(lines) + "\n"


def _line(place: ColouredPlace, page: Page) -> str:
    colour = page.paint(_STYLES[place.colour], f"{place.colour.value:<6}")
    text = _first_line(place.span.text)
    line = f"  {colour}  {place.span.line:>4}  {visible(text)}  [{place.error}]"
    if place.spurious:
        line += "  the verifier's error is spurious: all paths were run"
    elif place.by:
        line += f"  by the {place.by}" if place.by == "verifier" else f"  by {place.by}"
    if place.test is not None:
        inputs = ", ".join(f"{n} = {v}" for n, v in place.test.inputs if v != "?")
        line += f"\n                {page.paint(Style.NOTE, 'fails with')} {visible(inputs)}"
    if place.colour is Colour.YELLOW:
        line += f"  {place.covered:.0%} of the lines covered"
    return line


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0][:60] if text.strip() else ""
