"""Pictures are made without a word about the fonts of the machine."""

from __future__ import annotations

import os

import pytest

from pitviper.views.pictures import graphviz


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
