"""A file that is written has its old content or all of the new one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pitviper.base.file import write_file
from pitviper.base.usage_error import UsageError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.vpr"
    path.write_text("old")
    return path


def test_rights_stay(path: Path) -> None:
    path.chmod(0o640)
    write_file(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(path.parent) == ["a.vpr"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_the_owner_stays(path: Path) -> None:
    os.chown(path, 12345, 12345)
    write_file(path, "new")
    assert path.stat().st_uid == 12345


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_file(tmp_path / "new", "text")
    modes = [(tmp_path / name).stat().st_mode for name in ("usual", "new")]
    assert modes[0] == modes[1]


def test_read_only_is_respected(path: Path) -> None:
    path.chmod(0o444)
    with pytest.raises(UsageError, match="read-only"):
        write_file(path, "new")
    assert path.read_text() == "old"


def test_a_link_stays_a_link(path: Path) -> None:
    link = path.with_name("link.vpr")
    link.symlink_to(path)
    write_file(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_a_full_disk_costs_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write_file(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(path.parent) == ["a.vpr"]


def test_an_interrupt_costs_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(path.parent) == ["a.vpr"]


def test_what_is_no_file_is_written_to() -> None:
    write_file(Path("/dev/null"), "text")
    assert not Path("/dev/null").is_file()


def test_no_other_code_of_ours_writes_files() -> None:
    """The logs of the solver and of the daemon grow; the cache has files of its own."""
    package = Path(__file__).parents[3] / "pitviper"
    writers = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(word in path.read_text() for word in (".write_text(", ".write_bytes(", "mkstemp"))
    ]
    assert writers == ["base/file.py"]
