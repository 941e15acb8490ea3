"""Counterexamples as tables, JSON, DOT and pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pitviper.results.counterexample import (
    Absence,
    Application,
    Counterexample,
    Focus,
    HeapState,
    Instance,
    Location,
    NoCounterexample,
    Reason,
    Shown,
    Standing,
    Variable,
)
from pitviper.results.heap_graph import HeapGraph, Node, Row, graph_of
from pitviper.source.span import SourceFile, Span
from pitviper.views.json.counterexamples import SCHEMA, result_object
from pitviper.views.pictures.graphviz import rendered
from pitviper.views.pictures.heap import DARK, LIGHT, dot_text
from pitviper.views.terminal.counterexample import raw_lines, resolved_lines, result_lines
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import plain

SPAN = Span(SourceFile(Path("a.vpr"), 'assert x.next < 1 & "y"\n'), 0, 6)
REF1 = Shown("Ref1", ("Ref1",))
FOUND = Counterexample(
    "m", "assert.failed:assertion.false", SPAN, "line 1 fails: <x> & y", Standing.CHECKED,
    ("Ref1", "Ref2"),
    (Variable("x", "Ref", REF1), Variable("k", "Int", Shown("0", pinned=False))),
    (
        HeapState(
            "",
            (Location("Ref1", "next", "1/2", Shown("Ref2", ("Ref2",))),),
            (Instance("predicate", "list", (REF1,), "write"),),
        ),
        HeapState(
            "old",
            (
                Location("Ref1", "next", "write", REF1),
                Location("Ref2", "val", "write", Shown("3")),
            ),
        ),
    ),
    (Application("f(1)", Shown("2")),),
    Focus(("Ref1",), (("Ref1", "next"),), ("k",)),
    ("evaluated",),
)  # fmt: skip
NONE = NoCounterexample(
    "m", None, SPAN, Absence.SPURIOUS, "none at all", 0, (Reason("x > 0", SPAN),), ("mention x",)
)


def test_tables_tell_values_amounts_and_what_was_confirmed() -> None:
    text = "\n".join(result_lines(FOUND, Page(plain)))
    assert "counterexample 1 in m" in text
    assert "0 (any)" in text
    assert re.search(r"> +Ref1\.next +1/2 +Ref2", text)
    assert "confirmed: evaluated" in text


def test_a_candidate_is_never_called_a_counterexample() -> None:
    doubtful = replace(FOUND, standing=Standing.CANDIDATE, doubts=("f: unknown",))
    text = "\n".join(result_lines(doubtful, Page(plain)))
    assert text.startswith("candidate for a counterexample 1")
    assert "not confirmed: f: unknown" in text
    assert graph_of(doubtful).note.startswith("m: a candidate")


def test_reasons_and_advice() -> None:
    lines = result_lines(NONE, Page(plain))
    assert lines[1:] == ["  because: x > 0 (line 1)", "  help: mention x"]


def test_raw_leaves_open_what_could_be_any_value() -> None:
    assert "k <- #any" in raw_lines(FOUND)
    assert "  k = 0 (any)" in resolved_lines(FOUND)
    assert "  Ref1.next = Ref2 # 1/2" in resolved_lines(FOUND)


def test_the_graph_shows_what_has_changed() -> None:
    graph = graph_of(FOUND)
    first, second = graph.nodes
    assert first.rows[0].before == "Ref1"
    assert first.rows[0].focus
    assert second.rows[0].ghost
    assert [p.variables for p in graph.pointers] == [("x",)]
    assert [entry.name for entry in graph.variables] == ["k"]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_pictures(theme: object) -> None:
    dot = dot_text(graph_of(FOUND), theme)  # type: ignore[arg-type]
    assert "line 1 fails: &lt;x&gt; &amp; y" in dot
    assert b"Ref2" in rendered(dot, "svg")
    assert rendered(dot, "png").startswith(b"\x89PNG")


def test_json_follows_the_schema() -> None:
    for result in (FOUND, NONE):
        value = result_object(result)
        assert any(_fits(value, choice) for choice in SCHEMA["oneOf"])  # type: ignore[union-attr]
    assert not any(_fits({"kind": "x"}, choice) for choice in SCHEMA["oneOf"])  # type: ignore[union-attr]


def _fits(value: object, schema: object) -> bool:
    """As much of JSON Schema as our schema uses."""
    assert isinstance(schema, dict)
    if "const" in schema:
        return value == schema["const"]
    if "enum" in schema:
        return value in schema["enum"]
    if "anyOf" in schema:
        return any(_fits(value, choice) for choice in schema["anyOf"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return any(_is(value, kind, schema) for kind in kinds)


def _is(value: object, kind: str, schema: dict[str, object]) -> bool:
    if kind == "object":
        wanted = schema["properties"]
        assert isinstance(wanted, dict)
        return (
            isinstance(value, dict)
            and set(value) == set(wanted)
            and all(_fits(value[name], part) for name, part in wanted.items())
        )
    if kind == "array":
        return isinstance(value, list) and all(_fits(item, schema["items"]) for item in value)
    types = {"string": str, "integer": int, "boolean": bool, "null": type(None)}
    return isinstance(value, types[kind])


def test_a_wand_has_its_shape() -> None:
    shape = "acc(hole1.f, hole2) --* P(hole3) [Ref, Perm, Ref]"
    args = (Shown("Ref1"), Shown("1/2"), Shown("Ref2"))
    held = Instance("magic wand", "wand", args, "write", shape=shape)
    assert held.text == "acc(Ref1.f, 1/2) --* P(Ref2)"


def test_a_link_to_the_object_itself_stays_outside_of_it() -> None:
    itself = Row("next", "Ref1", "write", "Ref1")
    graph = HeapGraph("c", "n", (Node("Ref1", (itself,)),), (), (), (), ())
    assert '"o_Ref1":"f_next":e -> "o_Ref1":head:e' in dot_text(graph)
