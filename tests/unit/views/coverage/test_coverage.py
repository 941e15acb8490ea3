"""Coverage files for other tools, read as those would."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from pitviper.cli.main import main

LIBRARY = """function double(i: Int): Int { i + i }
method clamp(i: Int) returns (r: Int)
{
  r := i
  if (i > 100) {
    r := 100
  }
}
method unused(i: Int) returns (r: Int) { r := 0 }
"""
PROGRAM = """import "library.vpr"
method m(a: Int) returns (r: Int)
{
  r := clamp(double(a))
  if (a > 3) { assert a != 5 } else { r := 0 }
  if (r > 500) {
    r := 1
  }
}
"""

DTD = {
    "coverage": (
        ["sources", "packages"],
        "line-rate branch-rate lines-covered lines-valid branches-covered branches-valid "
        "complexity version timestamp",
    ),
    "sources": (["source"], ""),
    "source": ([], ""),
    "packages": (["package"], ""),
    "package": (["classes"], "name line-rate branch-rate complexity"),
    "classes": (["class"], ""),
    "class": (["methods", "lines"], "name filename line-rate branch-rate complexity"),
    "methods": (["method"], ""),
    "method": (["lines"], "name signature line-rate branch-rate complexity"),
    "lines": (["line"], ""),
    "line": (["conditions"], "number hits"),
    "conditions": (["condition"], ""),
    "condition": ([], "number type coverage"),
}
"""What coverage-04.dtd allows: elements inside, and attributes that are required."""


@pytest.fixture
def written(tmp_path: Path) -> Path:
    (tmp_path / "library.vpr").write_text(LIBRARY)
    (tmp_path / "p.vpr").write_text(PROGRAM)
    files = ["--lcov", str(tmp_path / "l.info"), "--cobertura", str(tmp_path / "c.xml")]
    assert main(["explore", "--method", "m", str(tmp_path / "p.vpr"), *files]) == 1
    return tmp_path


def _records(path: Path) -> dict[str, dict[str, list[str]]]:
    """By file and kind, the values of its records."""
    found: dict[str, dict[str, list[str]]] = {}
    file = ""
    for line in path.read_text().splitlines():
        kind, _, value = line.partition(":")
        if kind == "SF":
            file = Path(value).name
        found.setdefault(file, {}).setdefault(kind, []).append(value)
    return found


def test_lcov_has_lines_functions_and_branches_of_all_files(written: Path) -> None:
    files = _records(written / "l.info")

    own, library = files["p.vpr"], files["library.vpr"]
    assert own["FN"] == ["2,m"]
    assert library["FN"] == ["1,double", "2,clamp"]
    assert (library["FNF"], library["FNH"]) == (["2"], ["2"])
    assert [entry.split(",")[:3] for entry in own["BRDA"]] == [
        ["5", "0", "0"], ["5", "0", "1"], ["6", "0", "0"], ["6", "0", "1"],
    ]  # fmt: skip
    assert own["BRDA"][2] == "6,0,0,0"
    assert (own["BRF"], own["BRH"]) == (["4"], ["3"])
    lines = dict(entry.split(",") for entry in own["DA"])
    assert lines["7"] == "0"
    assert int(lines["4"]) > 0
    assert (own["LF"], own["LH"]) == ([str(len(lines))], [str(len(lines) - 1)])
    assert library["BRH"] == ["2"]


def test_cobertura_is_as_its_dtd_wants_it(written: Path) -> None:
    root = ElementTree.parse(written / "c.xml").getroot()

    assert root.tag == "coverage"
    for element in root.iter():
        inside, required = DTD[element.tag]
        assert all(child.tag in inside for child in element), element.tag
        assert all(element.get(name) is not None for name in required.split()), element.tag
        if element.tag in ("coverage", "class"):
            assert [child.tag for child in element] == inside


def test_cobertura_has_line_and_branch_rates(written: Path) -> None:
    root = ElementTree.parse(written / "c.xml").getroot()
    classes = {c.get("name"): c for c in root.iter("class")}

    assert sorted(map(str, classes)) == ["library", "p"]
    assert classes["p"].get("branch-rate") == "0.7500"
    assert classes["library"].get("branch-rate") == "1.0000"
    assert root.get("branches-covered") == "5"
    assert root.get("branches-valid") == "6"
    assert float(str(root.get("branch-rate"))) == pytest.approx(5 / 6, abs=1e-4)
    own = classes["p"].find("lines")
    assert own is not None
    lines = {line.get("number"): line for line in own}
    assert lines["6"].get("condition-coverage") == "50% (1/2)"
    assert lines["7"].get("hits") == "0"
    methods = {m.get("name"): m for m in root.iter("method")}
    assert sorted(map(str, methods)) == ["clamp", "double", "m"]
    assert [line.get("number") for line in methods["clamp"].iter("line")] == ["4", "5", "6"]


def test_nothing_explored_is_nothing_covered(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text("method m()\n")
    files = ["--lcov", str(tmp_path / "l.info"), "--cobertura", str(tmp_path / "c.xml")]

    assert main(["explore", str(program), *files]) == 4
    assert (tmp_path / "l.info").read_text() == ""
    assert ElementTree.parse(tmp_path / "c.xml").getroot().get("lines-valid") == "0"
