"""What `pitviper wizard`, `explore` and `replay` say, in words that stand alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode
from tests.unit.cli.test_narrow import in_terminal

FILL = """field value: Int
method fill(this: Ref)
  requires acc(this.value)
  ensures acc(this.value) && this.value == 0 && (this.value >= 0 || this.value < 100 - 200)
{ this.value := 0 }
"""
CALLER = """import "fill.vpr"
method twice(a: Ref)
  requires acc(a.value)
  ensures acc(a.value) && a.value == 1
{ fill(a)  fill(a) }
"""


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fill.vpr").write_text(FILL)
    (tmp_path / "caller.vpr").write_text(CALLER)


def test_colours_of_two_files_name_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wizard", "--workers", "0", "caller.vpr"]) == ExitCode.FINDINGS
    coloured = [
        line.split()
        for line in capsys.readouterr().out.splitlines()
        if line.startswith(("  green", "  red"))
    ]
    assert {line[1].partition(":")[0] for line in coloured} == {"caller.vpr", "fill.vpr"}
    ids = [line for line in coloured if line[-1].startswith("[")]
    assert [line[:2] for line in ids] == [["red", "caller.vpr:4"]]
    (cut,) = [line for line in coloured if "fill.vpr:4" in line]
    assert cut[-4] == "…" and cut[-5] in FILL.split()


def test_colours_fit_a_terminal(tmp_path: Path) -> None:
    code, shown = in_terminal(80, ["wizard", "--color", "never", "caller.vpr"], tmp_path)
    assert code == ExitCode.FINDINGS
    coloured = shown.replace("\r", "").partition("  red ")[2].split("\n")
    assert [line for line in coloured if len(line) > 80] == []


def test_what_is_said_of_bodies_of_callees_is_so(capsys: pytest.CaptureFixture[str]) -> None:
    """A failing precondition of a callee is a failure, also where its body is run."""
    assert main(["explore", "--workers", "0", "caller.vpr"]) == ExitCode.FINDINGS
    said = capsys.readouterr().out
    assert "with the bodies of fill; their contracts are checked\n" in said
    Path("wrong.vpr").write_text(
        "method callee(n: Int) requires n > 0 { }\nmethod m(n: Int) { callee(n) }\n"
    )
    assert main(["explore", "--workers", "0", "wrong.vpr"]) == ExitCode.FINDINGS
    assert "The precondition of method callee might not hold" in capsys.readouterr().out


def test_tests_are_replayed_and_their_runner_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explore", "--workers", "0", "--save-tests", "kept", "caller.vpr"])
    capsys.readouterr()
    kept = sorted(map(str, Path("kept").iterdir()))
    assert "kept/test_replay.py" in kept
    assert main(["replay", *kept]) == ExitCode.FINE
    shown = capsys.readouterr()
    assert "note: kept/test_replay.py is left out: with pytest it replays" in shown.err
    assert shown.out.count("as it was kept (exit code 0)") == len(kept) - 1
    assert main(["replay", "kept/test_replay.py"]) == ExitCode.USAGE
    assert "is no test: with pytest it replays" in capsys.readouterr().err
    (failing,) = [name for name in kept if "postcondition" in name]
    assert main(["replay", failing]) == ExitCode.FINE
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith("(exit code 0): it is expected to fail until the program is mended")
    Path("caller.vpr").write_text(CALLER.replace("== 1", "== 0"))
    assert main(["replay", failing]) == ExitCode.FINDINGS
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("  not as it was kept (exit code 1)")


def test_written_files_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explore", "--workers", "0", "--html", "e.html", "--lcov", "e.info", "fill.vpr"])
    assert "  wrote e.html\n  wrote e.info\n" in capsys.readouterr().out
    main(["wizard", "--workers", "0", "--html", "w.html", "fill.vpr"])
    assert capsys.readouterr().out.endswith("  wrote w.html\n")
    main(["explore", "--workers", "0", "--format", "json", "--html", "e.html", "fill.vpr"])
    assert "wrote" not in capsys.readouterr().out
