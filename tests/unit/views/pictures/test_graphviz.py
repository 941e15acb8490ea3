"""Pictures are made without a word about the fonts of the machine."""

from __future__ import annotations

import os

import pytest

from pitviper.results.heap_graph import HeapGraph, Node, Pointer, Row
from pitviper.views.pictures import graphviz
from pitviper.views.pictures.heap import THEMES, dot_text, svg_in_themes


def test_nothing_is_said_about_fonts(capfd: pytest.CaptureFixture[str]) -> None:
    assert graphviz.rendered("digraph { a -> b }", "svg").startswith(b"<?xml")
    assert capfd.readouterr().err == ""


def test_other_messages_are_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    with graphviz._without_talk_of_fonts():
        os.write(2, b"Fontconfig warning: line 6\nError: something else\n")
    assert capfd.readouterr().err == "Error: something else\n"


def test_a_failure_leaves_standard_error_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError), graphviz._without_talk_of_fonts():
        raise ZeroDivisionError
    os.write(2, b"heard\n")
    assert capfd.readouterr().err == "heard\n"


def test_a_picture_in_each_theme_is_the_one_that_is_drawn_in_it() -> None:
    rows = (
        Row("next", "Ref1", "write", "Ref1", had="1/2"),
        Row("value", "3 < 4", "1/2", focus=True),
    )
    graph = HeapGraph("a & b", "", (Node("Ref1", rows),), (Pointer(("x",), "Ref1"),), (), (), ())
    for name, drawn in svg_in_themes(graph).items():
        itself = graphviz.rendered(dot_text(graph, THEMES[name]), "svg").decode()
        assert drawn.replace("white", "#ffffff") == itself.replace("white", "#ffffff")
