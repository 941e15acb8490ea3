"""Files that open texts import: whether they still say what they said when a text was read.

An editor tells about the texts that it has open, and only some tell about files. So files are
looked at every second: one whose stamp is another one is read again and compared.
"""

from __future__ import annotations

from pathlib import Path

from pitviper.servers.lsp.texts.document import Document
from pitviper.servers.work.imports import Stamp, is_as_read, stamp_of
from pitviper.source.reading import unsaved
from pitviper.source.span import SourceFile


class ImportsWatch:
    """The imported files of all texts; `_seen` has the stamps of files that were as read."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, Path], tuple[Stamp, SourceFile | str]] = {}

    def has_moved(self, document: Document) -> bool:
        """Whether an imported file is another one than the text was read with."""
        return any([self._is_another(document, path, known) for path, known in document.imports])

    def _is_another(self, document: Document, path: Path, known: SourceFile | str) -> bool:
        key = document.uri, path
        stamp = None if path in document.texts else stamp_of(path)
        seen = self._seen.get(key)
        if stamp is not None and seen is not None and seen[0] == stamp and seen[1] is known:
            return False
        with unsaved(document.texts):
            same = is_as_read(path, known)
        if same:
            self._seen[key] = stamp, known
        return not same

    def forget(self, uri: str) -> None:
        """The text is closed."""
        for key in [key for key in self._seen if key[0] == uri]:
            del self._seen[key]
