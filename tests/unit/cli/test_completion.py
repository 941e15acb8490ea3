"""Shells complete commands, options, values and programs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pitviper.cli.main import COMMANDS, main


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["ver"], ["verify"]),
        (["verify", "--backend", ""], ["symbolic", "vcg", "both"]),
        (["verify", "--sel"], ["--select"]),
        (["cache", "c"], ["clear"]),
        (["verify", "li"], ["lists", "list.vpr"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
    ],
)
def test_bash(
    typed: list[str], expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.vpr").touch()
    (tmp_path / "lion.png").touch()
    (tmp_path / "lists").mkdir()
    words = " ".join(f"'{word}'" for word in ("pitviper", *typed))
    test = f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _pitviper; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(
        ["bash", "-c", f"{script('bash', capsys)}\n{test}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.split(), done.stderr) == (expected, "")


def test_zsh_and_fish_know_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    zsh, fish = script("zsh", capsys), script("fish", capsys)
    assert zsh.startswith("autoload -U +X bashcompinit")
    for command in COMMANDS:
        assert f"__fish_use_subcommand -a {command}\n" in fish
        assert f"      {command}) words=" in zsh
    assert "-l backend -x -a 'symbolic vcg both'" in fish
