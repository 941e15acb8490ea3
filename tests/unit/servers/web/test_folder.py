"""Only programs of the folder are read and written, and nobody's changes are lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.servers.web.folder import Folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "programs"
    (root / "sub").mkdir(parents=True)
    (root / "a.vpr").write_text("field f: Int\n")
    (root / "sub" / "b.vpr").write_text("field g: Int\n")
    (root / "notes.txt").write_text("no program")
    (root / ".hidden.vpr").write_text("")
    (tmp_path / "outside.vpr").write_text("secret")
    return root


def test_programs_are_listed_and_nothing_else(root: Path) -> None:
    (root / "link.vpr").symlink_to(root.parent / "outside.vpr")
    assert Folder(root).names() == ["a.vpr", "sub/b.vpr"]


@pytest.mark.parametrize(
    "name",
    [
        "../outside.vpr",
        "sub/../../outside.vpr",
        "/etc/passwd",
        "/tmp/x.vpr",
        "notes.txt",
        "a.vpr\0.txt",
        "..\\outside.vpr",
        ".hidden.vpr",
        "",
        "link.vpr",
    ],
)
def test_no_name_leads_out_of_the_folder(root: Path, name: str) -> None:
    (root / "link.vpr").symlink_to(root.parent / "outside.vpr")
    folder = Folder(root)
    with pytest.raises(UsageError):
        folder.read(name)
    with pytest.raises(UsageError):
        folder.write(name, "field h: Int", None)
    assert (root.parent / "outside.vpr").read_text() == "secret"


def test_a_pipe_in_the_folder_keeps_nobody_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe.vpr")
    folder = Folder(root)
    with pytest.raises(UsageError, match="no file with a text"):
        folder.read("pipe.vpr")
    with pytest.raises(UsageError, match="no file with a text"):
        folder.write("pipe.vpr", "field h: Int", "known")


def test_a_program_is_written_as_it_was_read(root: Path) -> None:
    folder = Folder(root)
    opened = folder.read("a.vpr")
    saved = folder.write("a.vpr", "field f: Bool\n", opened.version)
    assert (root / "a.vpr").read_text() == "field f: Bool\n"
    assert folder.write("a.vpr", "field f: Ref\n", saved.version).text == "field f: Ref\n"


def test_what_somebody_else_has_changed_is_not_overwritten(root: Path) -> None:
    folder = Folder(root)
    opened = folder.read("a.vpr")
    (root / "a.vpr").write_text("field other: Int\n")
    with pytest.raises(UsageError, match="changed by somebody else"):
        folder.write("a.vpr", "field mine: Int\n", opened.version)
    with pytest.raises(UsageError, match="exists already"):
        folder.write("a.vpr", "field mine: Int\n", None)
    assert (root / "a.vpr").read_text() == "field other: Int\n"


def test_a_folder_that_is_read_only_says_so(root: Path) -> None:
    folder = Folder(root, read_only=True)
    assert not folder.writable
    with pytest.raises(UsageError, match="cannot be written"):
        folder.write("new.vpr", "", None)
    assert not (root / "new.vpr").exists()


def test_a_file_that_is_no_text_or_too_large_is_refused(root: Path) -> None:
    (root / "binary.vpr").write_bytes(b"\xff\xfe\0")
    with pytest.raises(UsageError, match="cannot read"):
        Folder(root).read("binary.vpr")
    os.truncate(root / "a.vpr", 5_000_000)
    with pytest.raises(UsageError, match="too large"):
        Folder(root).read("a.vpr")
