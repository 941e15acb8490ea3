"""`pitviper explain`."""

from __future__ import annotations

import re

import pytest

from pitviper.cli.main import main
from pitviper.results.catalogue import known_ids
from pitviper.results.exit_code import ExitCode


def test_an_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "assert.failed:insufficient.permission"]) == ExitCode.FINE
    text = capsys.readouterr().out
    assert "An `assert` is not proved." in text
    assert "What to do:" in text
    assert "A program that has it:" in text


def test_half_of_an_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "qp.not.injective"]) == ExitCode.FINE
    assert "about one object twice" in capsys.readouterr().out


def test_all_ids(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == ExitCode.FINE
    assert "division.by.zero" in capsys.readouterr().out


def test_an_unknown_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "assert.failed:insuficient.permision"]) == ExitCode.USAGE
    assert "did you mean insufficient.permission?" in capsys.readouterr().err


def test_an_id_of_the_object_language(capsys: pytest.CaptureFixture[str]) -> None:
    for wanted in ("close.failed:assertion.false", "open.failed", "pure.not.wellformed"):
        assert main(["explain", wanted]) == ExitCode.FINE
        text = capsys.readouterr().out
        assert re.search(r"\b(fold|unfold|Int|Ref|function|Viper)\b", text) is None


@pytest.mark.parametrize("id_", sorted(known_ids()))
def test_what_an_id_means_fits_a_common_terminal(
    id_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", id_]) == ExitCode.FINE
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 80] == []


def test_an_id_of_both_languages_has_a_program_of_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "call.precondition:assertion.false"]) == 0
    said = capsys.readouterr().out
    assert "method" in said.partition("In the object language")[0]
    assert "  class C {\n" in said.partition("In the object language (`.cool`)")[2]
