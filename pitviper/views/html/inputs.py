"""The inputs of a run: a table, and the objects among them as a picture."""

from __future__ import annotations

import re
from html import escape

from pitviper.results.heap_graph import NULL, Entry, HeapGraph, Node, Pointer, Row
from pitviper.results.testcase import TestCase
from pitviper.views.html.page import table
from pitviper.views.pictures.graphviz import NoPictures, rendered
from pitviper.views.pictures.heap import DARK, LIGHT, Theme, dot_text

_OBJECT = re.compile(r"\b(?:object|new)[1-9][0-9]*\b")
_CELL = re.compile(r"(?P<object>(?:object|new)[1-9][0-9]*)\.(?P<field>\w+)")
NO_AMOUNT = "\N{NO-BREAK SPACE}"
"""Inputs say nothing about permissions; a cell of a picture must not be empty."""
_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def inputs_html(test: TestCase | None) -> str:
    given = [] if test is None else [(n, v) for n, v in test.inputs if v != "?"]
    if not given:
        return '<p class="faint">Any input fails.</p>'
    rows = [
        f'<tr><td class="mono">{escape(n)}</td><td class="mono">{escape(v)}</td></tr>'
        for n, v in given
    ]
    graph = input_graph(tuple(given))
    return f'<div class="side">{table(("input", "value"), rows)}{_pictures(graph)}</div>'


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


def _pictures(graph: HeapGraph) -> str:
    """For light and for dark pages; nothing without objects, or where nobody can draw."""
    if not graph.nodes:
        return ""
    try:
        light, dark = _picture(graph, LIGHT), _picture(graph, DARK)
    except NoPictures as error:
        return f'<p class="faint">No picture of the objects: {escape(str(error))}.</p>'
    return (
        f'<figure class="scroll light-only" role="img" aria-label="The objects">{light}</figure>'
        f'<figure class="scroll dark-only" role="img" aria-label="The objects">{dark}</figure>'
    )


def _picture(graph: HeapGraph, theme: Theme) -> str:
    """Without the head of a file, and without names that would stand in the page twice."""
    text = rendered(dot_text(graph, theme), "svg").decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<title>[^<]*</title>|<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r' id="[^"]*"', "", text)
