"""Bad input through the command: a word of its own, an exit code, no traceback, no hang."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pitviper.cli.main import main

ENDINGS = {
    "endless loop": ("method m(a: Int) { while (true) { } }", "too many steps", 4),
    "unbounded recursion": (
        "function f(a: Int): Int { f(a + 1) } method m(a: Int) { assert f(a) > 0 }",
        "too deep recursion",
        4,
    ),
    "unsatisfiable precondition": (
        "method m(a: Int) requires a > 0 && a < 0 { assert false }",
        "no input came as far as the body",
        4,
    ),
    "abstract method": ("method m()", "skipped method m: it has no body", 4),
    "quantifier without bounds": (
        "predicate p(t: Seq[Int]) method m() { inhale forall t: Seq[Int] :: acc(p(t)) }",
        "open:",
        4,
    ),
    "solver gives up": (
        "method m(x: Int, y: Int, z: Int) requires x > 1 && y > 1 && z > 1\n"
        "{ assert x*x*x*x*x + 3*y*y*y*x != z*z*z*7 + 13 }",
        "solver gave up",
        4,
    ),
    "numbers without end": (
        "method m(n: Int) requires n > 1\n"
        "{ var i: Int := 0; var s: Int := n; while (i < 60) { i := i + 1; s := s * s } }",
        "a number of more than",
        4,
    ),
    "a long range": (
        "method m(n: Int) { var s: Seq[Int] := [0..1000000000); assert |s| == n }",
        "a collection of 1000000000 elements",
        4,
    ),
    "sequences that double": (
        "method m() { var i: Int := 0; var s: Seq[Int] := Seq(1)\n"
        "while (i < 90) { s := s ++ s; i := i + 1 } }",
        "a collection of 16384 elements",
        4,
    ),
    "huge numbers": (f"method m(a: Int) {{ assert a != 1{'0' * 400} }}", f"a = 1{'0' * 400}", 1),
    "nested too deeply": (
        f"method m(a: Int) {{ assert {' + '.join(['a'] * 10_000)} == 3 }}",
        "nested",
        1,
    ),
    "nested deeply": (f"method m(a: Int) {{ assert {' + '.join(['a'] * 900)} != 0 }}", "a = 0", 1),
    "a long method": (
        "method m(a: Int) {\n var x: Int := a\n" + "x := x + 1\n" * 5_000 + "assert x != 7 }",
        "a = -4993",
        1,
    ),
    "no text": ("", "Explored 0 methods", 4),
    "only a domain": ("domain D { function f(): Int }", "Explored 0 methods", 4),
    "a syntax error": ("method m( {", "parser.error", 1),
}


@pytest.mark.parametrize("what", ENDINGS)
def test_each_ending_has_its_word(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, word, code = ENDINGS[what]
    file = tmp_path / "m.vpr"
    file.write_text(text, encoding="utf-8")

    assert main(["explore", str(file)]) == code
    out = capsys.readouterr()
    assert word in out.out
    assert "Traceback" not in out.out + out.err
    assert "1 proved" not in out.out


@pytest.mark.parametrize("command", ["explore", "wizard"])
def test_files_that_cannot_be_read(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path, tmp_path / "missing.vpr"):
        assert main([command, str(path)]) == 2
    bytes_ = tmp_path / "bytes.vpr"
    bytes_.write_bytes(b"method m() { assert \xff }")
    assert main([command, str(bytes_)]) == 1
    out = capsys.readouterr()
    assert "not valid UTF-8" in out.out
    assert "Traceback" not in out.out + out.err


def test_a_run_ends_when_its_time_is_over(tmp_path: Path) -> None:
    file = tmp_path / "m.vpr"
    file.write_text(
        "method m(n: Int) { var i: Int := 0 while (i < 9000000) { i := i + 1 } assert i != n }"
    )
    assert main(["explore", "--seconds", "0.5", "--steps", "10000000", str(file)]) == 4


LONG = """method first(x: Int) { assert x != 3 }
method second(x: Int, n: Int)
{ var i: Int := 0
  while (i < n) { if (x > i) { i := i + 1 } else { i := i + 2 } } }
method third(x: Int) { }
"""


@pytest.mark.parametrize(("number", "workers"), [(signal.SIGINT, 0), (signal.SIGTERM, 2)])
def test_a_signal_gives_what_was_found_so_far(number: int, workers: int, tmp_path: Path) -> None:
    file = tmp_path / "m.vpr"
    file.write_text(LONG, encoding="utf-8")
    limits = ["--runs", "1000000", "--nodes", "10000000", "--workers", str(workers)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", "explore", *limits, str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ,
    )  # fmt: skip
    assert process.stdout is not None
    out = ""
    while "fails   method first" not in out:
        line = process.stdout.readline()
        assert line
        out += line
    process.send_signal(number)
    rest, err = process.communicate(timeout=300)
    out += rest

    assert process.returncode == 128 + number
    assert "open: interrupted" in out or "skipped method second: interrupted" in out
    assert "skipped method third: interrupted" in out
    assert "Traceback" not in out + err


MIXED = """field f: Int  field g: Ref
predicate list(x: Ref) { acc(x.f) && acc(x.g) && (x.g != null ==> list(x.g)) }
domain D { function h(i: Int): Int  axiom { forall i: Int :: { h(i) } h(i) > i } }
method m(x: Ref, s: Set[Ref], t: Set[Int], k: Map[Int, Ref]) requires list(x) && |s| <= 1
{ unfold list(x); assert x.g in s ==> h(x.f) != 8; assert |t| < 2 ==> x.f in t || |k| != 1 }
"""


def _said(folder: Path, seed: int) -> dict[str, str]:
    """All that the command writes, without times."""
    folder.mkdir()
    (folder / "m.vpr").write_text(MIXED, encoding="utf-8")
    command = [sys.executable, "-m", "pitviper", "explore", "--format", "json", "--runs", "25"]
    files = ["--save-tests", "tests", "--html", "m.html", "--lcov", "m.lcov", "m.vpr"]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [*command, *files], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    written = {p.name: p.read_text(encoding="utf-8") for p in sorted(folder.rglob("*.[hjl]*"))}
    written["out"] = done.stdout
    return {name: re.sub(r"\d+\.\d+", "T", text) for name, text in written.items()}


def test_the_same_words_whatever_the_hash_seed(tmp_path: Path) -> None:
    first = _said(tmp_path / "first", 1)

    assert {"out", "m.html", "m.lcov"} <= first.keys()
    assert first == _said(tmp_path / "second", 2)
