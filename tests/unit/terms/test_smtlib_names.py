"""Names and literals in SMT-LIB text."""

from __future__ import annotations

import pytest

from pitviper.terms.build import FALSE, integer, rational
from pitviper.terms.smtlib import Names, literal_text, quote
from pitviper.terms.term import Literal


@pytest.mark.parametrize(
    ("name", "text"),
    [("x@1", "x@1"), ("Seq<Int>", "Seq<Int>"), ("x'", "|x'|"), ("1a", "|1a|"), ("a|\\b", "|a!/b|")],
)
def test_quoting(name: str, text: str) -> None:
    assert quote(name) == text


@pytest.mark.parametrize("name", ["abs", "set.card", "let", "Seq", "+", "@x", ".y", "", "true"])
def test_names_that_a_solver_may_know_are_marked(name: str) -> None:
    assert Names().give(1, name).replace("|", "") == f"${name}"


def test_equal_names_of_different_things_get_different_texts() -> None:
    names = Names()
    given = [names.give(1, "f"), names.give(2, "f"), names.give(3, "$f")]
    assert len(set(given)) == 3
    assert names.known(2) == given[1]
    assert names.known(4) is None


def test_names_of_the_script_itself_cannot_be_given() -> None:
    assert Names().give(1, "def!1") == "$def!1"
    assert "!" not in Names().give(1, "def!1@0")


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (integer(3), "3"),
        (integer(-3), "(- 3)"),
        (rational(1), "1.0"),
        (rational(1, 2), "(/ 1.0 2.0)"),
        (rational(-1, 2), "(- (/ 1.0 2.0))"),
        (FALSE, "false"),
    ],
)
def test_literals(term: Literal, text: str) -> None:
    assert literal_text(term) == text
