"""`pitviper counterexample` and `verify --counterexample` as users call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "broken" / "swap.vpr")
CELL = str(Path(__file__).parents[3] / "examples" / "cell.vpr")


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PITVIPER_DAEMON", "off")
    monkeypatch.chdir(tmp_path)


def test_a_picture_of_the_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.svg"
    assert main(["counterexample", EXAMPLE, "--svg", str(out)]) == ExitCode.FINDINGS
    assert "is false" in out.read_text()
    assert "replayed from the start of swap" in capsys.readouterr().out


def test_dot_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.dot"
    command = ["counterexample", "--format", "json", "--dot", str(out), "--theme", "dark", EXAMPLE]
    assert main(command) == ExitCode.FINDINGS
    assert out.read_text().startswith("digraph state {")
    assert json.loads(capsys.readouterr().out)["standing"] == "replayed"


def test_a_verified_program_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["counterexample", CELL]) == ExitCode.FINE
    assert "nothing failed" in capsys.readouterr().out


def test_an_alloy_model(tmp_path: Path) -> None:
    out = tmp_path / "swap.als"
    assert main(["counterexample", EXAMPLE, "--emit", "alloy", str(out)]) == ExitCode.FINDINGS
    assert "run {}" in out.read_text()


@pytest.mark.parametrize(
    ("form", "said"),
    [("", "counterexample 1 in swap"), ("=raw", "a <- Ref1"), ("=resolved", "(replayed)")],
)
def test_verify_with_counterexamples(
    form: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", f"--counterexample{form}", EXAMPLE]) == ExitCode.FINDINGS
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong",
    [
        [EXAMPLE, "--where", "a +"],
        [EXAMPLE, "--where", "nobody > 0"],
        [EXAMPLE, "--at", "1"],
        [EXAMPLE, "--emit", "xml", "x.xml"],
        [EXAMPLE, "--objects", "99"],
        [EXAMPLE, "--dot", "no/such/folder/x.dot"],
        ["missing.vpr"],
    ],
)
def test_wrong_use(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["counterexample", *wrong]) == ExitCode.USAGE
    assert capsys.readouterr().err.startswith("pitviper: error: ")


def test_a_program_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.vpr"
    path.write_text("method m(")
    assert main(["counterexample", str(path)]) == ExitCode.FINDINGS
    assert "bad.vpr" in capsys.readouterr().out


COLLECTIONS = """
field s: Set[Set[Int]]
domain D[T] { function un(d: D[T]): T }
adt L[T] { N() C(h: T, t: L[T]) }
method many(q: Seq[Int], m: Map[Int, Seq[Ref]], a: Set[Set[Int]], b: Multiset[Set[Ref]], x: Ref)
  requires acc(x.s) && |q| > 2 && 3 in m && |m[3]| == 1 && Set(1) in a && |b| > 0
{
  assert q[0] == q[1] && m[3][0] == x && a == x.s && q[1 := 4] == q ++ Seq(3) && q[..2] == q[1..]
}
method deep(d: D[Set[Int]], e: L[Seq[Int]], c: Set[Seq[Perm]])
{
  assert un(d) == Set(1) && e == C(Seq(1), N()) && Seq(1/2) in c
}
method ms(a: Multiset[Int], b: Multiset[Int])
{
  assert (a union b) == a && (1 in a) > 2 && (a setminus b) == a
}
function f(q: Seq[Int]): Set[Int]
  ensures |result| == |q|
{
  |q| == 0 ? Set() : f(q[1..]) union Set(q[0])
}
"""


@pytest.mark.parametrize("member", ["many", "deep", "ms", "f"])
def test_an_alloy_model_says_what_it_cannot_express(member: str, tmp_path: Path) -> None:
    program, out = tmp_path / "collections.vpr", tmp_path / "out.als"
    program.write_text(COLLECTIONS)
    command = ["counterexample", str(program), "--select", member, "--emit", "alloy", str(out)]
    assert main(command) == ExitCode.FINDINGS
    assert "// not expressed: " in out.read_text()


@pytest.mark.parametrize("more", [(), ("--format", "json"), ("--emit", "alloy", "out.als")])
def test_too_little_time_is_not_nothing_failed(
    more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["counterexample", EXAMPLE, "--timeout", "0.000001", *more])
    said = capsys.readouterr()
    assert code == ExitCode.UNDECIDED
    assert "nothing failed" not in said.out + said.err
    assert "the time for the run is over" in said.err


QUANTIFIED = """field value: Int
method fill(s: Seq[Ref])
  requires forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> s[i] != s[j]
  requires forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].value)
{
  var k: Int := 1
  assert k <= |s|
}
function rank(x: Int): Int
method other(a: Int, s: Seq[Int])
  requires forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> rank(s[i]) != rank(s[j])
  requires forall x: Int :: { rank(x) } rank(x) > x
{ assert rank(a) > a + 1 }
"""


def test_doubts_about_other_values_name_a_formula_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where a run has shown that the state fails: it says nothing of other values."""
    (tmp_path / "fill.vpr").write_text(QUANTIFIED)
    assert main(["counterexample", "fill.vpr"]) == ExitCode.FINDINGS
    replayed, candidate = capsys.readouterr().out.split("candidate for")
    assert "confirmed: replayed" in replayed
    beside = [line.strip() for line in replayed.splitlines() if "not confirmed" in line]
    doubts = [line.strip() for line in candidate.splitlines() if "not confirmed" in line]
    assert len(beside) == 1
    assert len(doubts) == len(set(doubts)) == 2
    for doubt in (*beside, *doubts):
        assert doubt.startswith("not confirmed: (forall ")
        assert doubt.endswith("): true of the values in this state, not checked for all others")


def test_what_is_true_everywhere_rests_on_no_assumption(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "assert forall x: Int :: exists y: Int :: rank(y) >= rank(x)"
    (tmp_path / "rank.vpr").write_text(f"function rank(x: Int): Int\nmethod m() {{ {text} }}")
    assert main(["counterexample", "rank.vpr"]) == ExitCode.FINDINGS
    said = capsys.readouterr().out
    assert "what failed is true in every state, and the solver did not see it" in said
    assert "below" not in said


def test_fewer_than_asked_for_and_what_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.vpr").write_text("method m() { assert false }")
    command = ["counterexample", "--next", "2", "--dot", "m.dot", "m.vpr"]
    assert main(command) == ExitCode.FINDINGS
    said = capsys.readouterr().out
    assert "m, line 1: none of another shape was found: 1 of 3\n  wrote m.dot\n" in said
    assert main([*command, "--format", "json"]) == ExitCode.FINDINGS
    assert "wrote" not in capsys.readouterr().out
