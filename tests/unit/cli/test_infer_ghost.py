"""`--infer-ghost` and `--suggest`: what the user sees of inferred statements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode

CELL = """field f: Int
predicate cell(x: Ref) { acc(x.f) }
method set(x: Ref) requires cell(x) ensures cell(x) {
  x.f := 1
}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "cell.vpr"
    path.write_text(CELL)
    return str(path)


def test_nothing_is_inferred_by_default(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", file]) == ExitCode.FINDINGS
    assert "with inferred" not in capsys.readouterr().out


def test_a_member_is_verified_with_what_was_inferred(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--infer-ghost", file]) == ExitCode.FINE
    told = capsys.readouterr().out
    assert "with inferred unfold cell(x); fold cell(x)\n" in told
    assert "insert" not in told


def test_suggestions_say_where(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--quiet", "--suggest", file]) == ExitCode.FINE
    assert capsys.readouterr().out.splitlines() == [
        "    insert before line 4, column 3: unfold cell(x)",
        "    insert at the end of the body in line 5, column 1: fold cell(x)",
    ]


def test_inferred_statements_in_json(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--suggest", "--format", "json", file]) == ExitCode.FINE
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    first = result["details"]["set"]["inferred"][0]
    assert first["statement"] == "unfold acc(cell(x), write)"
    assert (first["where"], first["sometimes"]) == ("before line 4", False)
    assert first["start"] == [4, 3]


@pytest.mark.parametrize("option", ["--infer-ghost", "--suggest"])
@pytest.mark.parametrize("backend", ["vcg", "both"])
def test_other_engines_refuse_inference_with_a_reason(
    file: str, option: str, backend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--backend", backend, option, file]) == ExitCode.USAGE
    assert f"{option} works with --backend symbolic only" in capsys.readouterr().err
