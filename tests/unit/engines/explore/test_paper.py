"""The examples of the paper through the command line, as a user sees them: words and colours."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pitviper.cli.main import main

LISTING = Path("examples/explore/two_branches.vpr")
COLOURS = Path("examples/explore/colours.vpr")

PAINT = {"red": "\x1b[1;31m", "yellow": "\x1b[1;33m", "green": "\x1b[1;32m"}

FIGURE_4_1 = """domain Array { function slot(a: Array, i: Int): Ref  function size(a: Array): Int
  function array_of(r: Ref): Array  function index_of(r: Ref): Int
  axiom { forall a: Array, i: Int :: { slot(a, i) }
    array_of(slot(a, i)) == a && index_of(slot(a, i)) == i } }
field val: Int

method square(i: Int) returns (r: Int)
  ensures r == i * i
{ r := i * i }

method colours(a: Array, n: Int, x: Int)
  requires 0 <= n && size(a) == n
  requires forall k: Int :: 0 <= k && k < n ==> acc(slot(a, k).val)
{
  var k: Int := 0
  while (k < n)
    invariant forall l: Int :: 0 <= l && l < n ==> acc(slot(a, l).val)
    invariant 0 <= k
  { slot(a, k).val := 0
    k := k + 1 }
  var index: Int
  inhale 0 <= index && index < n
  assert slot(a, index).val == 0
  assert x == 10
}

method verified(i: Int)
{
  var squared: Int
  squared := square(i)
  assert squared == i * i
}
"""


def _wizard(path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, list[str]]:
    code = main(["wizard", "--color", "always", "--runs", "30", *more, str(path)])
    return code, capsys.readouterr().out.splitlines()


def _colour(lines: list[str], number: int) -> str:
    """The colour that a line of the source is painted with."""
    (found,) = [s for s in lines if re.match(rf"\s+\S+\s+{number}  ", _plain(s))]
    (colour,) = [name for name, paint in PAINT.items() if paint in found]
    assert _plain(found).split()[0] == colour
    return colour


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _line(text: str, of: str, after: str = "") -> int:
    start = text.index(after)
    return text[: text.index(of, start)].count("\n") + 1


def test_listing_1_1_the_inputs_for_the_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", str(LISTING)]) == 1
    out = capsys.readouterr().out

    a, b = (int(n) for n in re.findall(r"^    [ab] = (-?\d+)$", out, re.MULTILINE))
    assert a > 10 and b > a * 2
    assert "fails   method check: 3 runs" in out


def test_figure_4_1_three_colours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "figure.vpr"
    program.write_text(FIGURE_4_1)
    code, lines = _wizard(program, capsys, "--seconds", "600")

    assert code == 1
    assert _colour(lines, _line(FIGURE_4_1, "assert slot(a, index)")) == "yellow"
    assert _colour(lines, _line(FIGURE_4_1, "assert x == 10")) == "red"
    assert _colour(lines, _line(FIGURE_4_1, "assert squared")) == "green"
    words = [_plain(s).split() for s in lines]
    order = [w[0] for w in words if w and w[0] in PAINT]
    assert order == sorted(order, key=["red", "yellow", "green"].index)


def test_figure_4_2_exploration_proves_what_lacks_a_postcondition(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = COLOURS.read_text()
    _, lines = _wizard(COLOURS, capsys, "--method", "exhaustive")
    number = _line(text, "assert squared", after="method exhaustive")

    assert _colour(lines, number) == "green"
    (told,) = [s for s in lines if f" {number}  " in _plain(s)]
    assert "all ways were run, with the bodies of square_silently" in told
    assert "the verifier's first error here is spurious" in told
    assert main(["verify", "--select", "exhaustive", str(COLOURS)]) == 1


def test_figure_4_3_the_verifier_then_proves_the_caller(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "figure.vpr"
    program.write_text(COLOURS.read_text())
    select = ["verify", "--format", "json", "--select", "doubled", str(program)]
    assert main(select) == 1
    assert main(["wizard", "--mark", "--runs", "30", str(program)]) == 1
    capsys.readouterr()

    assert main(select) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert objects[-1]["members"]["doubled"] == "verified"
    assert "2 assertions are assumed, not verified" in objects[0]["message"]
    assert main(["wizard", "--unmark", str(program)]) == 0
    assert program.read_bytes() == COLOURS.read_bytes()


def test_colours_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wizard", "--format", "json", "--runs", "30", str(COLOURS)]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    objects = [one for one in found if one["kind"] == "assertion"]

    assert found[0]["kind"] == "failing-run"
    assert [o["colour"] for o in objects] == ["red", "yellow"] + ["green"] * (len(objects) - 2)
    yellow = objects[1]
    assert 0 < yellow["covered"] < 1
    share = 1000 * yellow["ways"] // (yellow["ways"] + yellow["open-ways"])
    assert yellow["covered"] == share / 1000
    assert objects[0]["inputs"]["x"] == "10"
