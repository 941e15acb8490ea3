"""Real editors without a screen: a wrong program, its diagnostic, its cure, its proof."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

HERE = Path(__file__).parent
WRONG = """field value: Int

method reset(cell: Ref)
{
  cell.value := 0
}
"""


def environment(folder: Path) -> dict[str, str]:
    """What a script of an editor needs: the server to start, and the program to open."""
    program = folder / "cell.vpr"
    program.write_text(WRONG)
    words = [sys.executable, "-m", "pitviper", "lsp", "--pause", "0.05", "--cache", "off"]
    return {
        **os.environ,
        "PITVIPER_LSP": "\n".join(words),
        "PITVIPER_PROGRAM": str(program),
        "PYTHONPATH": os.environ.get("PYTHONPATH", str(HERE.parents[1])),
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
        "XDG_CACHE_HOME": str(folder),
    }


def tried(words: list[str], folder: Path) -> None:
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=folder,
        env=environment(folder),
    )
    said = done.stdout + done.stderr
    assert "diagnostic assignment.failed:insufficient.permission" in said, said
    assert "applied Add `requires acc(cell.value)` to the method" in said, said
    assert "verdict verified, 0 diagnostics" in said, said


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_cures_and_verifies(tmp_path: Path) -> None:
    script = f"luafile {HERE / 'cell.lua'}"
    tried(["nvim", "--headless", "-u", "NONE", "-c", script], tmp_path)


def has_eglot() -> bool:
    if shutil.which("emacs") is None:
        return False
    words = ["emacs", "--batch", "--eval", "(require 'eglot)"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not installed")
def test_emacs_shows_cures_and_verifies(tmp_path: Path) -> None:
    tried(["emacs", "--batch", "-l", str(HERE / "cell.el")], tmp_path)
