"""Reports and coverage files."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pitviper.cli.main import main
from pitviper.driver.frontend import load

PROGRAM = """method m(a: Int)
{
  if (a > 3) {
    assert a != 5
  } else {
    if (a > 7) {
      assert true
    }
  }
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.vpr"
    path.write_text(PROGRAM)
    return path


def test_all_files_are_written(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    files = {"html": "r.html", "lcov": "l.info", "cobertura": "c.xml", "viper-tests": "t.vpr"}
    wanted = [part for key, name in files.items() for part in (f"--{key}", str(out / name))]
    code = main(["explore", str(program), "--svg", str(out), *wanted])

    assert code == 1
    lcov = (out / "l.info").read_text()
    assert "DA:4,2" in lcov
    assert "DA:7,0" in lcov
    cobertura = ElementTree.parse(out / "c.xml").getroot()
    hits = {line.get("number"): line.get("hits") for line in cobertura.iter("line")}
    assert hits["7"] == "0"
    picture = ElementTree.parse(out / "m.svg").getroot()
    colours = {path.get("stroke") for path in picture.iter("{http://www.w3.org/2000/svg}path")}
    assert {"#1a7f37", "#cf222e"} <= colours
    page = (out / "r.html").read_text()
    assert "a = 5" in page
    assert '<tr class="no">' in page
    tests = load(out / "t.vpr")
    assert tests.program is not None
    assert [n for n in tests.program.methods if n.startswith("test_m_")]


def test_json_says_everything(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "--format", "json", str(program)]) == 1
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [o["kind"] for o in objects] == ["failing-run", "explored-method", "exploration"]
    assert objects[0]["inputs"] == {"a": "5"}
    assert objects[1]["complete"] is True
    assert objects[1]["paths"] == 3
    graph = objects[1]["graph"]
    assert graph[0][:2] == [0, -1]
    assert sorted(status for _, _, status in graph) == ["failed", "infeasible", "passed", "passed"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["explore", "nowhere.vpr"], 2),
        (["explore", "--method", "other", "FILE"], 2),
        (["replay", "FILE"], 2),
        (["replay", "nowhere.json"], 2),
    ],
)
def test_bad_input_gets_a_message(
    arguments: list[str], code: int, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(program) if a == "FILE" else a for a in arguments]

    assert main(given) == code
    assert capsys.readouterr().err.startswith("pitviper: error: ")


def test_a_rejected_program_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "p.vpr"
    path.write_text("method m() { x := 1 }")

    assert main(["explore", str(path)]) == 1
    assert main(["wizard", str(path)]) == 1
