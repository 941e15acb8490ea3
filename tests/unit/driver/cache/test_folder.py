"""The folder of the cache: missing, unwritable, full, damaged, too large, used by two at once."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitviper.driver.cache import folder as cache_folder
from pitviper.driver.cache.folder import CacheFolder, default_folder

KEY = "ab" + "0" * 46
OTHER = "cd" + "1" * 46


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("v2/??/*"))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    cache = CacheFolder(folder)
    assert cache.read(KEY) is None
    cache.write(KEY, "text with ü\nand lines")
    assert CacheFolder(folder).read(KEY) == "text with ü\nand lines"
    assert cache.read(OTHER) is None
    assert cache.info().files == 1
    assert (folder / "v2").stat().st_mode & 0o077 == 0
    assert cache.clear() == 1
    assert cache.read(KEY) is None
    assert cache.problem is None


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"0" * 32 + b"\n[]", None])
def test_damage_is_absence(tmp_path: Path, damage: bytes | None) -> None:
    cache = CacheFolder(tmp_path)
    cache.write(KEY, "[1, 2, 3]")
    (path,) = files(tmp_path)
    path.write_bytes(path.read_bytes()[:-1] if damage is None else damage)
    assert cache.read(KEY) is None
    assert not path.exists()
    cache.write(KEY, "again")
    assert cache.read(KEY) == "again"


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("mine")
    cache = CacheFolder(place)
    assert cache.read(KEY) is None
    cache.write(KEY, "text")
    assert cache.problem is not None
    assert str(place) in cache.problem
    assert place.read_text() == "mine"


def test_a_full_disk_is_told_once_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = CacheFolder(tmp_path)
    cache.write(KEY, "before")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    cache.write(OTHER, "text")
    assert cache.problem == f"cannot write to the cache {tmp_path}: no space left on device"
    assert len(files(tmp_path)) == 1
    cache.write(OTHER, "text")
    assert cache.read(KEY) == "before"


def test_other_layouts_are_left_alone(tmp_path: Path) -> None:
    newer = tmp_path / "v1" / "ab" / "file"
    newer.parent.mkdir(parents=True)
    newer.write_text("of a newer version")
    cache = CacheFolder(tmp_path)
    cache.write(KEY, "text")
    assert cache.info().files == 1
    cache.clear()
    assert newer.read_text() == "of a newer version"


def test_the_oldest_go_first(tmp_path: Path) -> None:
    cache = CacheFolder(tmp_path, limit=5000)
    for number in range(10):
        cache.write(f"{number:02d}" + "0" * 46, "x" * 1000)
        (path,) = (tmp_path / "v2" / f"{number:02d}").glob("*")
        os.utime(path, (1000 + number, 1000 + number))
    assert cache.read("00" + "0" * 46) is not None  # used now, so it stays
    cache.close()
    kept = {path.parent.name for path in files(tmp_path)}
    assert cache.info().size <= 5000
    assert "00" in kept
    assert "01" not in kept
    assert "09" in kept


def test_the_folder_is_not_swept_at_every_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept = []
    monkeypatch.setattr(CacheFolder, "sweep", lambda cache: swept.append(cache))
    for number in range(3):
        cache = CacheFolder(tmp_path)
        cache.write(f"{number:02d}" + "0" * 46, "x")
        cache.close()
    assert len(swept) == 1
    monkeypatch.setattr(cache_folder, "_SWEEP_AFTER", -1.0)
    cache.close()
    assert len(swept) == 2


def test_two_processes_at_once(tmp_path: Path) -> None:
    text = (
        "import sys; from pathlib import Path\n"
        "from pitviper.driver.cache.folder import CacheFolder\n"
        "cache = CacheFolder(Path(sys.argv[1]), limit=20_000)\n"
        "for n in range(300):\n"
        "    key = f'{n % 7:02d}' + '0' * 46\n"
        "    cache.write(key, 'x' * 5000)\n"
        "    assert cache.read(key) in (None, 'x' * 5000)\n"
        "    if n % 50 == 0: cache.sweep()\n"
        "assert cache.problem is None, cache.problem\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", text, str(tmp_path)]) for _ in range(2)]
    assert [process.wait(timeout=300) for process in running] == [0, 0]
    assert not [path for path in files(tmp_path) if path.name.startswith(".new-")]


def test_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "pitviper"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".cache" / "pitviper"


def test_an_entry_under_another_key_is_absence(tmp_path: Path) -> None:
    cache = CacheFolder(tmp_path)
    cache.write(KEY, "verified")
    cache.write(OTHER, "refuted")
    first, second = files(tmp_path)
    second.write_bytes(first.read_bytes())
    assert cache.read(KEY) == "verified"
    assert cache.read(OTHER) is None


@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602])
def test_a_file_that_others_can_write_is_absence(tmp_path: Path, mode: int) -> None:
    cache = CacheFolder(tmp_path)
    cache.write(KEY, "verified")
    (path,) = files(tmp_path)
    path.chmod(mode)
    assert cache.read(KEY) is None


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_what_belongs_to_another_user_is_absence(tmp_path: Path) -> None:
    cache = CacheFolder(tmp_path)
    cache.write(KEY, "verified")
    (path,) = files(tmp_path)
    os.chown(path, 12345, 12345)
    assert cache.read(KEY) is None
    os.chown(path, 0, 0)
    assert cache.read(KEY) == "verified"
    os.chown(tmp_path / "v2", 12345, 12345)
    assert CacheFolder(tmp_path).read(KEY) is None


def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    CacheFolder(tmp_path).write(KEY, "verified")
    (tmp_path / "v2").chmod(0o777)
    cache = CacheFolder(tmp_path)
    assert cache.read(KEY) is None
    assert cache.problem is not None
    assert "others may write" in cache.problem


def test_a_link_or_a_pipe_is_absence(tmp_path: Path) -> None:
    cache = CacheFolder(tmp_path)
    cache.write(KEY, "verified")
    (path,) = files(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert cache.read(KEY) is None
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert CacheFolder(tmp_path).read(KEY) is None


def test_the_cache_is_cleared_in_the_middle_of_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = CacheFolder(tmp_path)
    cache.write(OTHER, "other")
    original = Path.replace
    cleared = []

    def slow(self: Path, target: Path) -> Path:
        if not cleared:
            cleared.append(CacheFolder(tmp_path).clear())
        return original(self, target)

    monkeypatch.setattr(Path, "replace", slow)
    cache.write(KEY, "verified")
    assert cleared == [2]
    assert cache.problem is None
    assert cache.read(KEY) == "verified"
    assert [path.name for path in tmp_path.iterdir()] == ["v2"]
