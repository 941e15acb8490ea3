"""`pitviper verify --profile`: for people and for machines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.profile import MemberProfile, PlaceCost, QuantifierCost
from pitviper.source.span import SourceFile
from pitviper.views.terminal.profile import MEMBERS, PLACES, profile_text

PROGRAM = """\
method half(n: Int) returns (m: Int)
  requires n >= 0
  ensures m >= 0
{
  m := n / 2
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "half.vpr"
    path.write_text(PROGRAM)
    return path


def test_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--profile", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "method half (half.vpr@1.1--6.2)" in shown
    assert "ensures m >= 0" in shown


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--profile", "--format", "json", str(file)]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (profile,) = [value for value in objects if value["kind"] == "profile"]
    assert profile["file"] == str(file)
    assert profile["questions"] == sum(place["questions"] for place in profile["places"])


def test_long_profiles_are_cut_and_say_so() -> None:
    places = tuple([PlaceCost("f.vpr", n, 1, 1, 0, 0, 10, 0.1) for n in range(PLACES + 3)])
    one = MemberProfile("method m", 1.0, 0.5, 0.1, 11, 110, places, (QuantifierCost("q", 7),))
    shown = profile_text([one] * (MEMBERS + 2), SourceFile(Path("f.vpr"), ""))
    assert "3 further lines" in shown
    assert "2 further members: 2.00 s" in shown


def test_nothing_was_verified() -> None:
    assert profile_text([], SourceFile(Path("f.vpr"), "")) == ""
