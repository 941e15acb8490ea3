"""What the HTML reports share: one file, no network; light and dark, wide and narrow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from pitviper.base.record import record
from pitviper.results.heap_graph import NULL, Entry, HeapGraph, Node, Pointer, Row
from pitviper.results.testcase import TestCase
from pitviper.views.pictures.flow import STYLE_FILE
from pitviper.views.pictures.graphviz import svg_element
from pitviper.views.pictures.heap import THEMES, dot_text

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
class Piece:
    """A part of a line with a colour of its own, or with none; `title` says what that means."""

    text: str
    look: str = ""
    title: str = ""


@record
class Line:
    """A line of the source: `kind` is yes, no, some, behind or nothing; `count` stands beside it.

    `title` is what the colour means, for those who do not see it. What `remarks` look like is
    said by the template of the page. A line with `pieces` has their colours in place of its own.
    """

    id: str
    number: int
    text: str
    kind: str = ""
    count: str = ""
    title: str = ""
    remarks: Sequence[object] = ()
    pieces: Sequence[Piece] = ()


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


_OBJECT = re.compile(r"\b(?:object|new)[1-9][0-9]*\b")
_CELL = re.compile(r"(?P<object>(?:object|new)[1-9][0-9]*)\.(?P<field>\w+)")
NO_AMOUNT = "\N{NO-BREAK SPACE}"
"""Inputs say nothing about permissions; a cell of a picture must not be empty."""
_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def pictures(inputs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, Markup], ...]:
    """Returns a picture for each theme of a page; none where there are no objects."""
    graph = input_graph(inputs)
    themes = THEMES.items() if graph.nodes else ()
    return tuple(
        [(name, Markup(svg_element(dot_text(graph, theme), {}))) for name, theme in themes]
    )


def input_graph(inputs: tuple[tuple[str, str], ...]) -> HeapGraph:
    """Objects with the fields that the run has looked at, and the variables that refer to them."""
    cells = [(m["object"], m["field"], v) for n, v in inputs if (m := _CELL.fullmatch(n))]
    others = [(n, v) for n, v in inputs if not _CELL.fullmatch(n)]
    named = [o for n, v in inputs for o in (*_OBJECT.findall(n), *_OBJECT.findall(v))]
    nodes = [
        Node(
            name,
            tuple([Row(f, v, NO_AMOUNT, _target(v)) for o, f, v in cells if o == name]),
            tuple([n for n, v in others if v != name and name in _OBJECT.findall(v)]),
        )
        for name in dict.fromkeys(named)
    ]
    pointers: dict[str, list[str]] = {}
    for name, value in others:
        if _target(value) is not None and _WORD.fullmatch(name):
            pointers.setdefault(value, []).append(name)
    listed = [Entry(n, v) for n, v in others if v == NULL or _target(v) is None]
    return HeapGraph(
        "The objects of the input",
        "as far as the run has looked",
        tuple(nodes),
        tuple([Pointer(tuple(names), target) for target, names in pointers.items()]),
        (),
        tuple(listed),
        (),
    )


def _target(value: str) -> str | None:
    return value if _OBJECT.fullmatch(value) else None
