"""What the HTML reports share: one file, no network; light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from pitviper.base.record import record
from pitviper.results.testcase import TestCase
from pitviper.views.html.inputs import pictures
from pitviper.views.pictures.flow import STYLE_FILE

if TYPE_CHECKING:
    from jinja2 import Environment


def page(template: str, **values: object) -> str:
    """Returns the whole document; all values that are not `Markup` are escaped."""
    return _templates().get_template(template).render(values)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only if a page is written

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["flow_style"] = Markup(STYLE_FILE.read_text(encoding="utf-8"))
    return environment


@record
class Line:
    """A line of the source: `kind` is yes, no, some or nothing; `count` stands beside it.

    `title` is what the colour means, for those who do not see it. What `remarks` look like is
    said by the template of the page.
    """

    id: str
    number: int
    text: str
    kind: str = ""
    count: str = ""
    title: str = ""
    remarks: Sequence[object] = ()


def line_id(file: int, line: int) -> str:
    """The name of a line in the page; files are numbered."""
    return f"L{line}" if file == 0 else f"F{file}L{line}"


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """Returns the lines of a file; an empty one at its end is none."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [(number, line.rstrip("\r")) for number, line in enumerate(lines, 1)]


@record
class Inputs:
    """What a run was given, and its objects in a picture for each theme."""

    given: tuple[tuple[str, str], ...]
    pictures: tuple[tuple[str, Markup], ...]


def inputs(test: TestCase | None) -> Inputs:
    given = known_inputs(test)
    return Inputs(given, pictures(given))


def known_inputs(test: TestCase | None) -> tuple[tuple[str, str], ...]:
    """Returns names with values, without those that the run has not looked at."""
    return () if test is None else tuple([(n, v) for n, v in test.inputs if v != "?"])


def values_text(test: TestCase | None) -> str:
    return ", ".join(f"{n} = {v}" for n, v in known_inputs(test))
