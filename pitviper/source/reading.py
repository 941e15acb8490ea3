"""Bytes of a file to source text: encoding, byte order mark, and what is no text at all."""

from __future__ import annotations

import codecs
import errno
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pitviper.base.record import record
from pitviper.base.similar import nearest
from pitviper.base.usage_error import UsageError
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span

STDIN = Path("<stdin>")
"""The path of a program that comes through a pipe; its imports start in the current folder."""

ENDINGS = (".vpr", ".sil", ".cool")
"""Files that are programs."""

ALIKE = 0.75
"""How much of two names of files is the same, of one, where one may stand for the other."""


def named(name: str) -> Path:
    """Returns the path of what a user names on a command line; `-` is standard input."""
    return STDIN if name == "-" else Path(name)


@record
class Decoded:
    """The text of a file; `problem` says where it is no text, and then it must not be parsed."""

    source: SourceFile
    problem: Diagnostic | None = None
    marked: bool = False
    """A byte order mark was there; it is no part of the text."""


class Inputs:
    """The files of a run, each read once: a pipe has no second reading, and a file may change.

    What is looked up, verified, explained and shown is then the same text.
    """

    def __init__(self) -> None:
        self._read: dict[Path, Decoded] = {}

    def read(self, path: Path) -> Decoded:
        """Returns what the file said when it was first asked for; UsageError as `read_bytes`."""
        found = self._read.get(path)
        if found is None:
            found = self._read[path] = decode(path, read_bytes(path))
        return found


def read_bytes(path: Path) -> bytes:
    """The bytes of the program the user named (STDIN: of standard input)."""
    if path == STDIN:
        if sys.stdin is None:
            raise UsageError("cannot read standard input: it is closed")
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise UsageError(_unreadable(path, error)) from error


def read_regular(path: Path) -> bytes:
    """The bytes of a file that the user did not name himself.

    OSError also for what is no file: nobody may write to a pipe, and a device may never end.
    """
    with open(path, "rb", opener=lambda name, how: os.open(name, how | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no file with a text")
        return file.read()


def require_readable(paths: list[Path]) -> None:
    """One UsageError for all files that cannot be read, before any work starts."""
    problems = [problem for path in paths if (problem := _problem_of(path)) is not None]
    if problems:
        raise UsageError("\n".join(problems))


_allowed: tuple[Path, ...] | None = None


def confine_imports(folders: tuple[Path, ...]) -> None:
    """From now on, this process imports files below these folders, no others."""
    global _allowed
    _allowed = tuple([folder.resolve() for folder in folders])


_unsaved: Mapping[Path, str] = {}


@contextmanager
def unsaved(texts: Mapping[Path, str]) -> Iterator[None]:
    """Inside, imported files have the texts that an editor has, whatever the disk says.

    The paths are absolute. One thread at a time: what reads inside may run in another thread.
    """
    global _unsaved
    before, _unsaved = _unsaved, texts
    try:
        yield
    finally:
        _unsaved = before


def read_import(path: Path) -> SourceFile | str:
    """An imported file, or why it cannot be read."""
    if _allowed is not None and not any(path.resolve().is_relative_to(f) for f in _allowed):
        return "it leads out of the folder"
    try:
        text = _unsaved.get(path)
        known = None if text is None else text.encode("utf-8", errors="surrogatepass")
        decoded = decode(path, read_regular(path) if known is None else known)
    except (OSError, ValueError) as error:
        return _reason(error)
    if decoded.problem is None:
        return decoded.source
    return f"{decoded.problem.message} ({decoded.problem.span})"


def decode(path: Path, data: bytes) -> Decoded:
    """UTF-8 text; where the bytes are none, the problem points at the first wrong character."""
    marked = data.startswith(codecs.BOM_UTF8)
    if marked:
        data = data[len(codecs.BOM_UTF8) :]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        source = SourceFile(path, data.decode("utf-8", errors="replace"))
        at = len(data[: error.start].decode("utf-8"))
        return Decoded(source, _not_utf8(Span(source, at, at + 1), data[error.start]), marked)
    source = SourceFile(path, text)
    at = text.find("\0")
    return Decoded(source, None if at < 0 else _binary(Span(source, at, at + 1)), marked)


def encoded(file: Decoded) -> bytes:
    """The bytes of a file without problem: the inverse of `decode`."""
    return (codecs.BOM_UTF8 if file.marked else b"") + file.source.text.encode("utf-8")


def _not_utf8(span: Span, byte: int) -> Diagnostic:
    return Diagnostic(
        "parser.error",
        Severity.ERROR,
        span,
        f"the file is not valid UTF-8: unexpected byte 0x{byte:02x}",
        help="save the file with the encoding UTF-8",
    )


def _binary(span: Span) -> Diagnostic:
    return Diagnostic(
        "parser.error",
        Severity.ERROR,
        span,
        "the file contains a NUL character: it is no text file",
    )


def _problem_of(path: Path) -> str | None:
    if path == STDIN:
        return None
    try:
        if path.is_dir():
            return _unreadable(path, IsADirectoryError())
        path.stat()
        return None if os.access(path, os.R_OK) else _unreadable(path, PermissionError())
    except (OSError, ValueError) as error:
        return _unreadable(path, error)


def _unreadable(path: Path, error: OSError | ValueError) -> str:
    hint = _near(path) if isinstance(error, FileNotFoundError) else ""
    return f"cannot read {path}: {_reason(error)}{hint}"


def _near(path: Path) -> str:
    """What may be meant by a file that is not there: one of its folder that is called alike."""
    try:
        there = [each.name for each in path.parent.iterdir() if each.suffix in ENDINGS]
    except OSError:
        return ""
    by_stem = {Path(name).stem: name for name in there}
    close = nearest(path.name, there, ALIKE) or by_stem.get(path.name)
    return f": did you mean {path.parent / close}?" if close else ""


def _reason(error: OSError | ValueError) -> str:
    match error:
        case FileNotFoundError():
            return "no such file"
        case IsADirectoryError():
            return "it is a folder, not a file"
        case PermissionError():
            return "permission denied"
        case OSError(strerror=str(text)):
            return text.lower()
        case _:
            return str(error)
