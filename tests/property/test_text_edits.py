"""Whatever happens to the text of a file: what is said with a cache is what is said without."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pitviper.cli.main import main
from pitviper.driver.verify.verify import Verifier
from tests.property.text_edits import PROGRAM, edit

STEPS = 90
SEEDS = (1, 2)


def told(file: Path, cache: str, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """The exit code and all that is said but times, and what is remembered."""
    code = main(["verify", "--jobs", "1", "--format", "json", "--cache", cache, str(file)])
    return [code, *map(_untimed, capsys.readouterr().out.splitlines())]


def _untimed(line: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line)
    found.pop("seconds", None)
    for member in found.get("details", {}).values():
        del member["seconds"], member["remembered"]
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_edits_of_the_text(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[object] = []
    verify_edit = Verifier.verify_edit

    def counted(*arguments: Any) -> object:
        parts.append(verify_edit(*arguments))
        return parts[-1]

    monkeypatch.setattr(Verifier, "verify_edit", counted)
    random = Random(seed)
    file, text, accepted = tmp_path / "main.vpr", PROGRAM, PROGRAM
    verdicts: set[str] = set()
    for step in range(STEPS):
        file.write_text(text)
        expected = told(file, "off", capsys)
        found = told(file, str(tmp_path / "cache"), capsys)
        assert found == expected, f"edit {step} of seed {seed}:\n{text}"
        verdicts.add(expected[-1]["verdict"])
        accepted = accepted if expected[-1]["verdict"] == "rejected" else text
        text = edit(accepted if random.randrange(8) else PROGRAM, random)
    assert verdicts >= {"refuted", "rejected"}
    assert len([outcome for outcome in parts if outcome is not None]) > STEPS / 10
