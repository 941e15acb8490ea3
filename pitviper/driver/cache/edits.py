"""Remembers what a file consisted of, so that an edit costs what it concerns."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.base.digest import blake2b
from pitviper.base.usage_error import UsageError
from pitviper.driver.cache.edit import Edit, edit_of, starts_of
from pitviper.driver.cache.files import is_answer
from pitviper.driver.cache.folder import CacheFolder
from pitviper.driver.cache.option_texts import file_option_texts
from pitviper.driver.cache.pieces import Piece, Version, version_of
from pitviper.driver.cache.serialise import Json, Unreadable
from pitviper.driver.cache.stamp import stamp
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.report import FileReport
from pitviper.source.file import SourceFile
from pitviper.source.reading import STDIN, decode, read_bytes

if TYPE_CHECKING:
    from pitviper.driver.verify.verify import ProgramOutcome


class EditCache:
    """The last version of each file, for one choice of options and library folders."""

    def __init__(
        self, folder: CacheFolder, options: VerifyOptions, library: tuple[Path, ...]
    ) -> None:
        self._folder = folder
        folders = [os.path.abspath(path) for path in library]
        self._start = ["version", stamp(), *file_option_texts(options), *folders]

    def find(self, path: Path) -> Edit | None:
        """How the file differs from its last version; None if there is no use in knowing it."""
        if path == STDIN:
            return None
        key = self._key(path)
        text = self._folder.read(key)
        source = None if text is None else _source(path)
        if text is None or source is None:
            return None
        try:
            before = _read(text)
        except (Unreadable, ValueError):
            self._folder.forget(key)
            return None
        return edit_of(source, before)

    def save(self, done: ProgramOutcome, report: FileReport, edit: Edit | None) -> None:
        """After a verification, of the whole file or of what an edit concerns."""
        front = done.front
        shared = None if done.verification is None else done.verification.shared
        if front.tree is None or front.diagnostics or shared is None or not is_answer(report):
            return
        members = front.tree.members
        starts = starts_of(members) if edit is None else edit.starts(members)
        version = version_of(front.source, starts, front.imports, report, shared)
        if version is not None and report.file != STDIN:
            self._write(front.source, version)

    def _write(self, source: SourceFile, version: Version) -> None:
        pieces: list[Json] = [
            [p.digest, p.size, p.kind, p.name, list(p.mentions), p.settled] for p in version.pieces
        ]
        data: list[Json] = [version.shared, version.home, list(version.states), pieces]
        self._folder.write(self._key(source.path), json.dumps(data, separators=(",", ":")))

    def _key(self, path: Path) -> str:
        digest = blake2b(digest_size=24)
        for text in (*self._start, os.path.abspath(path)):
            data = text.encode("utf-8", "surrogatepass")
            digest.update(b"%d " % len(data) + data)
        return digest.hexdigest()


def _source(path: Path) -> SourceFile | None:
    try:
        decoded = decode(path, read_bytes(path))
    except UsageError:  # told by whoever reads it next
        return None
    return None if decoded.problem is not None else decoded.source


def _read(text: str) -> Version:
    match json.loads(text):
        case [str(shared), str(home), list(states), list(pieces)]:
            return Version(shared, home, tuple(states), tuple([_piece(data) for data in pieces]))
    raise Unreadable("no version")


def _piece(data: Json) -> Piece:
    match data:
        case [str(digest), int(size), str(kind), str(name), list(mentions), bool(settled)]:
            if size >= 0 and all(isinstance(mentioned, str) for mentioned in mentions):
                return Piece(digest, size, kind, name, tuple(map(str, mentions)), settled)
    raise Unreadable("no piece")
