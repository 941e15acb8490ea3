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


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_cures_and_verifies(tmp_path: Path) -> None:
    program = tmp_path / "cell.vpr"
    program.write_text(WRONG)
    words = [sys.executable, "-m", "pitviper", "lsp", "--pause", "0.05", "--cache", "off"]
    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "-c", f"luafile {HERE / 'cell.lua'}"],
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
        cwd=tmp_path,
        env={
            **os.environ,
            "PITVIPER_LSP": "\n".join(words),
            "PITVIPER_PROGRAM": str(program),
            "PYTHONPATH": os.environ.get("PYTHONPATH", str(HERE.parents[1])),
            "XDG_STATE_HOME": str(tmp_path),
            "XDG_CACHE_HOME": str(tmp_path),
        },
    )
    said = done.stdout + done.stderr
    assert "diagnostic assignment.failed:insufficient.permission" in said, said
    assert "applied Add `requires acc(cell.value)` to reset" in said, said
    assert "verdict verified, 0 diagnostics" in said, said
