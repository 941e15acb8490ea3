"""After any edit, what the cache gives is what a fresh run gives."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pitviper.cli.main import main
from tests.property.program_edits import Edited, edit

EDITS = 200
SEEDS = (1, 2)


class Runs:
    """Verifies programs from the command line, and reads what it says."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder = folder
        self._capsys = capsys
        self.remembered = 0
        self.members = 0

    def told(self, program: Edited, cache: str) -> list[Any]:
        """The exit code and all that is said but times."""
        (self._folder / program.file).write_text(program.text)
        (self._folder / "other.vpr").write_text(program.imported)
        file = str(self._folder / program.file)
        code = main(["verify", "--format", "json", "--cache", cache, *program.options, file])
        return [code, *map(self._untimed, self._capsys.readouterr().out.splitlines())]

    def _untimed(self, line: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(line)
        found.pop("seconds", None)
        for member in found.get("details", {}).values():
            member.pop("seconds")
            self.members += 1
            self.remembered += member.pop("remembered")
        return found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cached_answer_is_the_fresh_one(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(seed)
    program = Edited()
    cached, fresh = Runs(tmp_path, capsys), Runs(tmp_path, capsys)
    verdicts = set()
    for step in range(EDITS // len(SEEDS)):
        expected = fresh.told(program, "off")
        assert cached.told(program, str(tmp_path / "cache")) == expected, (
            f"edit {step} of seed {seed}:\n{program.text}"
        )
        verdicts |= set(expected[-1]["members"].values())
        program = edit(program, random)
    assert verdicts == {"verified", "refuted"}
    assert fresh.remembered == 0
    assert cached.remembered > 0.8 * cached.members
