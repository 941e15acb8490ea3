"""The doctor says what is there, and what is not."""

from __future__ import annotations

import json

import pytest

from pitviper.cli.commands import doctor
from pitviper.cli.main import main


def test_everything_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    text = capsys.readouterr().out
    assert "both verifiers prove a right program and refute a wrong one" in text
    assert "Graphviz draws" in text
    assert text.endswith("All that is needed is there.\n")


def test_what_fails_is_told_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> str:
        raise OSError("no library")

    monkeypatch.setattr(doctor, "_draws", broken)
    monkeypatch.setattr(doctor, "_verifies", lambda: "fine")
    assert main(["doctor", "--format", "json"]) == 1
    looks = {look["name"]: look for look in map(json.loads, capsys.readouterr().out.splitlines())}
    assert looks["pictures"] == {"name": "pictures", "fine": False, "said": "OSError: no library"}
    assert looks["cache"]["fine"] is True


def test_wrong_answers_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "WRONG", doctor.GOOD)
    with pytest.raises(doctor._Unexpected, match="symbolic says verified and verified"):
        doctor._verifies()
