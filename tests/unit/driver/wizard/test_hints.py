"""The verifier's counterexample is the first test, and a run decides what it is worth."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.wizard.hints import hint_of, hints_for
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.engines.explore.options import SearchOptions
from pitviper.results.counterexample import (
    Counterexample,
    HeapState,
    Location,
    Shown,
    Standing,
    Variable,
)
from pitviper.results.wizard import Colour, ColouredPlace
from pitviper.source.span import NO_SPAN

BRANCHES = "\n".join(
    [f"  if (a{i} > {i}) {{ r := r + {2**i} }} else {{ r := r - 1 }}" for i in range(12)]
)
PARAMS = ", ".join([f"a{i}: Int" for i in range(12)])
DEEP = f"method m({PARAMS}) returns (r: Int)\n{{\n  r := 0\n{BRANCHES}\n  assert r != 4081\n}}\n"

LONG_LOOP = """method m(n: Int) requires n >= 0
{
  var i: Int := 0
  while (i < n) invariant i <= 1000 && i <= n { i := i + 1 }
}
"""

HEAP = """field f: Int
field g: Ref
method m(x: Ref, s: Seq[Int]) requires acc(x.f) && acc(x.g) && acc(x.g.f) && |s| == 2
{ assert x.g.f == 17 && s[1] == 5 ==> x.f != 12 }
"""


def front_of(text: str) -> FrontEnd:
    front = load_text(text, "hints.vpr")
    assert front.program is not None
    return front


def places(text: str, runs: int = 3) -> list[ColouredPlace]:
    options = ExploreOptions(search=SearchOptions(runs=runs, nodes=runs))
    return list(run_wizard(front_of(text), options).places)


@pytest.mark.parametrize(("text", "known"), [(DEEP, "a0 = 0"), (LONG_LOOP, "n = 1001")])
def test_a_failure_that_few_runs_do_not_find_is_red(text: str, known: str) -> None:
    (red,) = [p for p in places(text) if p.colour is Colour.RED]
    assert red.test is not None
    assert known in [f"{name} = {value}" for name, value in red.test.inputs]


def test_a_heap_is_a_hint() -> None:
    program = front_of(HEAP).program
    assert program is not None
    (hint,) = hints_for(program, "m")
    assert hint.values["object1.f"] == 12
    assert hint.values["object2.f"] == 17
    assert hint.values["s[1]"] == 5
    assert [p.colour for p in places(HEAP)] == [Colour.RED]


def test_values_are_read_from_what_is_shown() -> None:
    variables = (
        Variable("b", "Bool", Shown("true")),
        Variable("p", "Perm", Shown("1/3")),
        Variable("m", "Map[Int,Seq[Int]]", Shown("Map(7 := Seq(1, 2))")),
        Variable("x", "Ref", Shown("Ref2", ("Ref2",))),
        Variable("local", "Int", Shown("5")),
    )
    heap = HeapState("", (Location("Ref2", "next", "write", Shown("Ref1", ("Ref1",))),))
    found = Counterexample(
        "m", None, NO_SPAN, "", Standing.CHECKED, ("Ref1", "Ref2"), variables, (heap,)
    )
    values = hint_of(found, ["b", "p", "m", "x"]).values
    assert values["b"] is True
    assert str(values["p"]) == "1/3"
    assert (values["|m|"], values["m[0]"], values["m[0]=[1]"]) == (1, 7, 2)
    assert (values["x"], values["object1.next"]) == (1, 2)
    assert "local" not in values


def test_hints_that_do_not_fail_change_nothing() -> None:
    true_but_unproved = """method half(n: Int) returns (r: Int) ensures r >= 0 { r := n * n }
method m(n: Int) { var r: Int; r := half(n); assert r != 2 }
"""
    found = [p for p in places(true_but_unproved, runs=50) if p.member == "m"]
    assert Colour.RED not in [p.colour for p in found]


def test_an_invariant_that_is_established_is_not_blamed_for_not_being_preserved() -> None:
    colours = {p.error: p.colour for p in places(LONG_LOOP)}
    assert colours["invariant.not.established"] is Colour.GREEN
    assert colours["invariant.not.preserved"] is Colour.RED


def test_yellow_says_why_and_is_never_whole() -> None:
    unknown = (
        "method m(n: Int) { var i: Int := 0; while (i < n) { i := i + 1 } assert i * i != -1 }"
    )
    yellow = [p for p in places(unknown, runs=400) if p.colour is Colour.YELLOW]
    for place in yellow:
        assert place.covered < 1.0
        assert any("--runs 400" in why or "--nodes 400" in why for why in place.open)


def test_interrupted_the_wizard_says_what_it_knows(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    endless = "{ var i: Int := 0; while (i < n) { i := i + 1 } assert i * i != -1 || n == n * 1 }"
    program.write_text(
        f"method endless(n: Int, x: Int) {endless}\nmethod m(x: Int) {{ assert x != 7 }}\n"
    )
    limits = ["--runs", "1000000", "--nodes", "1000000", "--work", "1000000000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", "wizard", *limits, str(program)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ,
    )  # fmt: skip
    assert process.stdout is not None
    out = ""
    while "x = 7" not in out:
        line = process.stdout.readline()
        assert line
        out += line
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Interrupted: this is what is known so far." in rest
    assert "red" in rest
    assert "Traceback" not in rest + err


def test_out_of_time_the_wizard_does_not_say_that_somebody_interrupted_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(
        "method m(n: Int) { var i: Int := 0; while (i < n) { i := i + 1 } assert i >= 0 }"
    )
    limits = ["--runs", "1000000", "--nodes", "1000000", "--work", "1000000000"]
    assert main(["wizard", "--timeout", "3", *limits, str(program)]) == 4
    out = capsys.readouterr().out
    assert "open: interrupted" not in out
