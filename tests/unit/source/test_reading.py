"""Bytes to text: encodings, binary files, files that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.source.reading import (
    STDIN,
    decode,
    read_bytes,
    read_import,
    require_readable,
    unsaved,
)
from pitviper.source.span import SourceFile

FILE = Path("a.vpr")


def test_plain_text() -> None:
    decoded = decode(FILE, "// é\r\nfield f: Int\n".encode())
    assert decoded.problem is None
    assert decoded.source.text == "// é\r\nfield f: Int\n"
    assert not decoded.marked


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    decoded = decode(FILE, b"\xef\xbb\xbffield f: Int")
    assert (decoded.source.text, decoded.marked) == ("field f: Int", True)


def test_invalid_utf8_has_a_place() -> None:
    decoded = decode(FILE, "// é ok\n// é ".encode() + b"\xff\xfe rest\n")
    assert decoded.problem is not None
    assert decoded.problem.code == "parser.error"
    assert decoded.problem.span is not None
    assert decoded.problem.span.start_position == (2, 6)
    assert "0xff" in decoded.problem.message


def test_a_truncated_character_at_the_end() -> None:
    decoded = decode(FILE, b"abc \xc3")
    assert decoded.problem is not None
    assert str(decoded.problem.span) == "a.vpr@1.5--1.6"


def test_a_nul_character_has_a_place() -> None:
    decoded = decode(FILE, b"a\nb\0c")
    assert decoded.problem is not None
    assert decoded.problem.span is not None
    assert decoded.problem.span.start_position == (2, 2)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_bytes(tmp_path / "missing.vpr")
    with pytest.raises(UsageError, match="it is a folder"):
        read_bytes(tmp_path)
    with pytest.raises(UsageError):
        read_bytes(Path("a\0b"))


def test_all_unreadable_files_are_named_at_once(tmp_path: Path) -> None:
    fine = tmp_path / "fine.vpr"
    fine.write_text("")
    require_readable([fine, STDIN])
    with pytest.raises(UsageError) as caught:
        require_readable([tmp_path / "one.vpr", fine, tmp_path, Path("a\0b")])
    assert len(str(caught.value).split("\n")) == 3


def test_an_import_that_cannot_be_read_is_a_reason(tmp_path: Path) -> None:
    assert read_import(tmp_path / "missing.vpr") == "no such file"
    assert read_import(tmp_path) == "it is a folder, not a file"
    bad = tmp_path / "bad.vpr"
    bad.write_bytes(b"x \xff")
    reason = read_import(bad)
    assert isinstance(reason, str)
    assert "bad.vpr@1.3" in reason


def test_a_file_without_the_right_to_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the tests run as a user who may read everything."""
    path = tmp_path / "a.vpr"
    path.write_text("")
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(UsageError, match="permission denied"):
        require_readable([path])

    def refused(*_: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    monkeypatch.setattr("os.open", refused)
    with pytest.raises(UsageError, match="permission denied"):
        read_bytes(path)
    assert read_import(path) == "permission denied"


def test_an_imported_file_is_what_an_editor_has_open(tmp_path: Path) -> None:
    path = tmp_path / "a.vpr"
    path.write_text("field f: Int")
    with unsaved({path: "field g: Int"}):
        found = read_import(path)
        assert isinstance(found, SourceFile)
        assert found.text == "field g: Int"
        assert read_import(tmp_path / "b.vpr") == "no such file"
    found = read_import(path)
    assert isinstance(found, SourceFile)
    assert found.text == "field f: Int"
