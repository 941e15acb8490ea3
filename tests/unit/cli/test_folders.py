"""A folder as an argument, and files that are watched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pitviper.cli.folders import expanded, programs_in
from tests.unit.engines.explore.test_watch import replaced

RIGHT = "method fine(x: Int) requires x > 1 { assert x > 0 }\n"
WRONG = "method bad(x: Int) { assert x > 0 }\n"


def folder(place: Path) -> Path:
    (place / "inner" / ".hidden").mkdir(parents=True)
    (place / "b.vpr").write_text(RIGHT)
    (place / "inner" / "a.sil").write_text(WRONG)
    (place / "inner" / ".hidden" / "c.vpr").write_text("nonsense")
    (place / "notes.txt").write_text("nonsense")
    return place


def run(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pitviper", *words],
        capture_output=True,
        text=True,
        input=given,
        check=False,
        timeout=300,
        env={**os.environ, "PITVIPER_DAEMON": "off"},
    )


def test_a_folder_has_its_programs_in_order(tmp_path: Path) -> None:
    names = [str(path.relative_to(tmp_path)) for path in programs_in(folder(tmp_path))]
    assert names == ["b.vpr", "inner/a.sil"]
    assert expanded(["-", "x.vpr"], "verify") == ["-", "x.vpr"]
    assert programs_in(tmp_path, (".cool",)) == []
    assert run("explore", str(tmp_path / "inner" / ".hidden" / "..")).returncode == 1
    (tmp_path / "empty").mkdir()
    assert run("explore", str(tmp_path / "empty")).returncode == 2


@pytest.mark.parametrize(("command", "code"), [("verify", 1), ("check", 0), ("format", 0)])
def test_commands_about_files_take_folders(command: str, code: int, tmp_path: Path) -> None:
    options = ("--check",) if command == "format" else ("--format", "json")
    done = run(command, *options, str(folder(tmp_path)))
    assert done.returncode in (code, 1), done.stderr
    if command != "format":
        files = [json.loads(line)["file"] for line in done.stdout.splitlines()]
        assert {Path(name).name for name in files} == {"b.vpr", "a.sil"}


@pytest.mark.parametrize("command", ["counterexample", "debug", "explore"])
def test_commands_about_one_program_take_folders(command: str, tmp_path: Path) -> None:
    done = run(command, str(folder(tmp_path)), given="errors\n" * 3)
    assert done.returncode == 1, done.stderr
    assert "a.sil" in done.stdout + done.stderr


def test_what_is_written_about_programs_of_a_folder_has_names_of_its_own(tmp_path: Path) -> None:
    programs, out = folder(tmp_path / "programs"), tmp_path / "out"
    out.mkdir()
    assert run("report", str(programs), "--html", str(out / "r.html")).returncode == 0
    for name, method in (("r-b.html", "fine"), ("r-inner-a.html", "bad")):
        assert f"method {method}(x: Int)" in (out / name).read_text()
    assert not (out / "r.html").exists()
    done = run("explore", str(programs), "--save-tests", str(out / "t"), "--lcov", str(out / "c"))
    assert done.returncode == 1, done.stderr
    assert (out / "c-b").exists()
    assert (out / "c-inner-a").exists()
    assert list((out / "t" / "b").glob("fine-*.json"))
    assert list((out / "t" / "inner" / "a").glob("bad-*.json"))
    alone = tmp_path / "programs" / "inner"
    assert run("report", str(alone), "--html", str(out / "one.html")).returncode == 0
    assert (out / "one.html").exists()


def test_a_folder_of_tests_is_replayed(tmp_path: Path) -> None:
    programs, kept = folder(tmp_path / "programs"), tmp_path / "kept"
    assert run("explore", str(programs), "--save-tests", str(kept)).returncode == 1
    done = run("replay", "--format", "json", str(kept))
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == len(list(kept.rglob("*.json"))) > 1
    (programs / "inner" / "a.sil").write_text(WRONG.replace("x > 0", "x == x"))
    assert run("replay", str(kept)).returncode == 1
    assert "name one" in run("replay", "--step", str(kept)).stderr
    (tmp_path / "empty").mkdir()
    assert run("replay", str(tmp_path / "empty")).returncode == 2


def test_a_watched_file_is_verified_again_when_it_changes(tmp_path: Path) -> None:
    imported = tmp_path / "more.vpr"
    imported.write_text(RIGHT)
    path = tmp_path / "main.vpr"
    path.write_text('import "more.vpr"\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", "verify", "--watch", "--cache", "off", str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PITVIPER_DAEMON": "off"},
    )
    patience = threading.Timer(300, process.kill)
    patience.start()
    try:
        assert "Verified 1 member" in _until_it_waits(process)
        replaced(imported, WRONG + RIGHT)
        assert "1 refuted" in _until_it_waits(process)
        replaced(path, RIGHT.replace("fine", "other"))
        assert "Verified 1 member" in _until_it_waits(process)
    finally:
        patience.cancel()
        process.terminate()
        process.wait(300)
        assert process.stdout is not None
        process.stdout.close()


def test_a_watched_folder_is_looked_at_for_new_programs(tmp_path: Path) -> None:
    (tmp_path / "a.vpr").write_text(RIGHT)
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", "verify", "--watch", "--cache", "off", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PITVIPER_DAEMON": "off"},
    )
    patience = threading.Timer(300, process.kill)
    patience.start()
    try:
        assert "Verified 1 member" in _until_it_waits(process)
        (tmp_path / "b.vpr").write_text(WRONG)
        assert "1 refuted of 2 members" in _until_it_waits(process)
        (tmp_path / "a.vpr").unlink()
        assert "1 refuted of 1 member" in _until_it_waits(process)
    finally:
        patience.cancel()
        process.terminate()
        process.wait(300)
        assert process.stdout is not None
        process.stdout.close()


def _until_it_waits(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if line.startswith("Waiting for changes"):
            return said
    raise AssertionError(said)
