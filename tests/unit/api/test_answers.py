"""Results of the API say everything there is to say, shortly as well as at length."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import pitviper

BAD = """
field value: Int
method twice(cell: Ref)
  requires acc(cell.value)
  ensures acc(cell.value) && cell.value == 2 * old(cell.value)
{ cell.value := cell.value + 2 }
"""
REJECTED = "method m() { <b> := 1 }"


def test_problems_of_a_rejected_program_are_told_by_every_function() -> None:
    for function in (
        pitviper.check,
        pitviper.verify,
        pitviper.explore,
        pitviper.counterexample,
        pitviper.debug,
    ):
        result = function(REJECTED, name="m.vpr")
        assert [p.id for p in result.problems] == ["parser.error"], function
        assert "rejected" in repr(result)
        assert "m.vpr:1:14" in str(result)
        assert "<b>" not in result._repr_html_()


def test_problems_have_warnings_findings_and_what_is_undecided() -> None:
    program = """
    method never(x: Int) requires x > x { }
    method m(x: Int) { assert x > 0 }
    method hard(a: Int, b: Int, c: Int)
      requires a > 2 && b > 2 && c > 2
    { assert a * a * a + b * b * b != c * c * c }
    """
    result = pitviper.verify(program, options=pitviper.VerifyOptions(limit=2000))
    assert [p.id for p in result.problems] == [
        "verifier.warning",
        "assert.failed:assertion.false",
        "undecided",
    ]
    assert [p.severity.value for p in result.problems] == ["warning", "error", "warning"]
    assert result.verdict is pitviper.Verdict.REFUTED


def test_a_result_is_true_only_if_all_is_verified() -> None:
    assert pitviper.verify("method m() { assert true }")
    assert not pitviper.verify("method m() { assert false }")
    assert not pitviper.verify(REJECTED)


def test_short_forms_are_one_line() -> None:
    assert repr(pitviper.verify(BAD)) == "<VerifyResult <text>: refuted, 1 member, 1 error>"
    assert repr(pitviper.check(BAD)) == "<CheckResult <text>: accepted>"
    assert repr(pitviper.debug(BAD)) == "<DebugResult <text>: 1 failed check>"
    assert repr(pitviper.counterexample("method m() { }")).endswith(": nothing failed>")


def test_notebooks_get_colours_and_pictures() -> None:
    found = pitviper.counterexample(BAD)
    assert len(found) == 1
    ElementTree.fromstring(found.svg().encode())
    assert found._repr_html_().count("<svg") == 1
    assert found.svg(theme="dark") != found.svg()
    text = pitviper.verify(BAD)._repr_html_()
    assert ElementTree.fromstring(text).attrib["class"] == "pitviper"
    assert 'style="color:#c01818' in text
    explored = pitviper.explore(BAD)
    assert "inputs" in explored._repr_html_()
    assert "<svg" in (explored._repr_svg_() or "")


def test_a_session_answers_in_text_and_in_values() -> None:
    session = pitviper.debug(BAD)
    assert [error.member for error in session.errors] == ["twice"]
    assert session.ask("show goal").startswith("goal:")
    assert [p.id for p in session.problems] == ["postcondition.violated:assertion.false"]


@pytest.mark.parametrize("name", ["list.vpr", "a folder/x.vpr", "x.cool", " ./x.vpr\n"])
def test_a_file_name_is_no_program(name: str) -> None:
    for function in (pitviper.parse, pitviper.check, pitviper.verify, pitviper.explore):
        with pytest.raises(pitviper.UsageError, match=r"did you mean Path\("):
            function(name)


def test_a_file_is_named_by_a_path(tmp_path: Path) -> None:
    file = tmp_path / "m.vpr"
    file.write_text(BAD)
    assert pitviper.verify(file).problems[0].span is not None
    with pytest.raises(pitviper.UsageError, match="no such file"):
        pitviper.explore(tmp_path / "n.vpr")
