"""The list of programs that agree."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.suite.lists import SLOW, floor_text, read_floor, write_floor
from pitviper.results.suite import ProgramResult, Status
from pitviper.results.verdict import Verdict


def result(name: str, status: Status, seconds: float = 0.1) -> ProgramResult:
    return ProgramResult(PurePosixPath(name), status, Verdict.VERIFIED, seconds)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    results = [
        result("b.vpr", Status.AGREES),
        result("a.vpr", Status.KNOWN_ISSUE, SLOW),
        result("c.vpr", Status.UNDECIDED),
        result("d.vpr", Status.MISMATCH),
        result("e.vpr", Status.IGNORED),
    ]
    path = tmp_path / "floor.txt"
    write_floor(path, floor_text(results, "how to"))
    assert path.read_text() == "# how to\na.vpr slow\nb.vpr\n"
    assert read_floor(path) == {"a.vpr": True, "b.vpr": False}


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_floor(tmp_path / "missing.txt")
    with pytest.raises(UsageError, match="cannot write"):
        write_floor(tmp_path, "")
