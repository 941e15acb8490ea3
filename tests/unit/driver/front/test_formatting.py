"""Writing a formatted file back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.front.formatting import format_file, rewrite


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.vpr"
    path.write_text("field   f: Int\n")
    formatted = format_file(path)
    assert formatted.changed

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match="No space left"):
        rewrite(formatted)
    assert path.read_text() == "field   f: Int\n"
    assert os.listdir(tmp_path) == ["a.vpr"]
