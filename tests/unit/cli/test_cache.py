"""`--cache`, `--jobs` and `pitviper cache`: what users see, also where something is wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode

TEXT = 'import "b.vpr"\nmethod m(n: Int)\n{\n  assert n > 0\n}\n'
IMPORTED = "function one(): Int { 1 }\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.vpr").write_text(TEXT)
    (tmp_path / "b.vpr").write_text(IMPORTED)
    monkeypatch.chdir(tmp_path)


def verify(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["verify", *arguments, "a.vpr"])
    said = capsys.readouterr()
    return code, said.out, said.err


def body(text: str) -> list[str]:
    return text.splitlines()[:-1]


def test_an_unchanged_file_is_shown_again(capsys: pytest.CaptureFixture[str]) -> None:
    code, first, _ = verify(capsys, "--cache", "c")
    again, second, errors = verify(capsys, "--cache", "c")
    assert code == again == ExitCode.FINDINGS
    assert body(first) == body(second)
    assert "(2 remembered, " in second
    assert "remembered" not in first
    assert errors == ""
    assert main(["cache", "info", "--cache", "c"]) == ExitCode.FINE
    assert capsys.readouterr().out.startswith("c: 3 answers, ")
    assert main(["cache", "info", "--format", "json", "--cache", "c"]) == ExitCode.FINE
    assert json.loads(capsys.readouterr().out)["files"] == 3
    assert main(["cache", "clear", "--cache", "c"]) == ExitCode.FINE
    assert capsys.readouterr().out == "forgot 3 answers in c\n"
    assert "remembered" not in verify(capsys, "--cache", "c")[1]


@pytest.mark.parametrize(
    "imported", ["function one(): Int ensures result > 1 { 1 }", "function one(): Int { }", ""]
)
def test_a_changed_import_is_noticed(capsys: pytest.CaptureFixture[str], imported: str) -> None:
    verify(capsys, "--cache", "c")
    Path("b.vpr").write_text(imported)
    cached, fresh = verify(capsys, "--cache", "c"), verify(capsys, "--cache", "off")
    assert cached[0] == fresh[0]
    assert sorted(body(cached[1])) == sorted(body(fresh[1]))  # known answers come first


def test_an_import_that_disappears_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    verify(capsys, "--cache", "c")
    Path("b.vpr").unlink()
    code, out, _ = verify(capsys, "--cache", "c")
    assert code == ExitCode.FINDINGS
    assert "cannot import" in out


def test_the_same_text_in_another_folder_has_other_imports(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = str(tmp_path / "c")
    verify(capsys, "--cache", cache)
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.vpr").write_text(TEXT)
    (other / "b.vpr").write_text("function two(): Int ensures false { 2 }")
    monkeypatch.chdir(other)
    assert "function two: 1 error" in verify(capsys, "--cache", cache)[1]


@pytest.mark.parametrize("place", ["a.vpr", "a.vpr/inside"])
def test_a_folder_that_cannot_be_used(capsys: pytest.CaptureFixture[str], place: str) -> None:
    code, out, errors = verify(capsys, "--cache", place)
    assert code == ExitCode.FINDINGS
    assert "method m: 1 error" in out
    assert errors.startswith(f"pitviper: warning: cannot write to the cache {place}: ")
    assert errors.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_the_right_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    Path("c").mkdir(mode=0o500)
    code, _, errors = verify(capsys, "--cache", "c")
    assert code == ExitCode.FINDINGS
    assert "permission denied" in errors


def test_the_environment_names_the_folder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITVIPER_CACHE", "named")
    verify(capsys)
    assert Path("named/v2").is_dir()
    monkeypatch.setenv("PITVIPER_CACHE", "off")
    assert main(["cache", "info"]) == ExitCode.USAGE
    assert "the cache is off" in capsys.readouterr().err
    assert main(["cache", "clear", "--cache", "a.vpr"]) == ExitCode.USAGE


def test_a_solver_log_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        _, out, _ = verify(capsys, "--cache", "c", "--solver-log", "log.smt2")
        assert "remembered" not in out
        assert Path("log.smt2").read_text().count("(check-sat)") > 0


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "1.5", ""])
def test_a_number_of_workers_that_is_none(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify", "--jobs", jobs, "a.vpr"])
    assert ended.value.code == ExitCode.USAGE
    assert "--jobs" in capsys.readouterr().err


def test_a_working_folder_that_is_gone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.delenv("PITVIPER_DAEMON")
    for _ in range(2):
        code = main(["verify", "--cache", str(tmp_path / "c"), str(tmp_path / "a.vpr")])
        assert code == ExitCode.FINDINGS
        assert "method m: 1 error" in capsys.readouterr().out
