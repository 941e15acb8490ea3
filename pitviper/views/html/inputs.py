"""The objects among the inputs of a run as a picture."""

from __future__ import annotations

import re

from markupsafe import Markup

from pitviper.results.heap_graph import NULL, Entry, HeapGraph, Node, Pointer, Row
from pitviper.views.pictures.graphviz import svg_element
from pitviper.views.pictures.heap import THEMES, dot_text

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
