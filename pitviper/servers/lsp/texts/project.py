"""The programs below the folders of an editor: who imports whom, and where a name is meant.

A text that the editor has open counts as it is there, saved or not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pitviper.base.record import record
from pitviper.driver.front.frontend import load_text
from pitviper.driver.front.viper_syntax import viper_members
from pitviper.servers.lsp.texts.document import Document, uri_of
from pitviper.servers.lsp.texts.index import Declaration, Index, index_of
from pitviper.source.reading import ENDINGS, read_import, unsaved
from pitviper.source.span import Span

MOST_FILES = 5000
"""Files of the folders that are looked at."""

_IMPORT = re.compile(r'\bimport\s+"([^"\n]+)"')


@record
class Used:
    """The places of one file in which a declaration is meant, and the index that says so."""

    path: Path
    index: Index
    places: tuple[Span, ...]


@record
class Project:
    """The folders of an editor and its open texts, by absolute path."""

    folders: tuple[Path, ...]
    documents: Mapping[Path, Document]

    def files(self) -> list[Path]:
        """All programs, those that are open first."""
        found = dict.fromkeys(self.documents)
        for path in _below(self.folders):
            if len(found) >= MOST_FILES:
                break
            found[path] = None
        return list(found)

    def text(self, path: Path) -> str | None:
        """The text of a file; None where it cannot be read."""
        known = self.documents.get(path)
        if known is not None:
            return known.text
        found = read_import(path)
        return None if isinstance(found, str) else found.text

    def uri(self, path: Path) -> str:
        """The address of a file, as the editor writes it where it has the file open."""
        known = self.documents.get(path)
        return uri_of(path) if known is None else known.uri

    def uses(self, declared: Declaration) -> list[Used]:
        """Where a declaration is meant: in its file, and in all that import it."""
        home = Path(os.path.abspath(declared.place.file.path))
        paths = [home] if declared.scope is not None else self._with_importers(home)
        found = []
        for path in paths:
            index = self._index(path, declared.name)
            same = None if index is None else _same(index, home, declared)
            if index is not None and same is not None:
                found.append(Used(path, index, tuple(index.uses(same))))
        return found

    def _index(self, path: Path, name: str) -> Index | None:
        """What the names of a file mean; None where the name is not in it."""
        known = self.documents.get(path)
        if known is not None:
            return known.current().index
        text = self.text(path)
        return None if text is None or name not in text else self.index_of(path, text)

    def index_of(self, path: Path, text: str) -> Index:
        """What the names of a text mean that is not open."""
        with unsaved({path: known.text for path, known in self.documents.items()}):
            front = load_text(text, str(path))
        return index_of(front.source, viper_members(front))

    def _with_importers(self, path: Path) -> list[Path]:
        """A file and all that import it, also through others."""
        users: dict[Path, list[Path]] = {}
        for other in self.files():
            for name in _IMPORT.findall(self.text(other) or ""):
                meant = Path(os.path.abspath(other.parent / name))
                users.setdefault(meant, []).append(other)
        found, waiting = {path: None}, [path]
        while waiting:
            for user in users.get(waiting.pop(), ()):
                if user not in found:
                    found[user] = None
                    waiting.append(user)
        return list(found)


def _same(index: Index, home: Path, declared: Declaration) -> Declaration | None:
    """A declaration in the words of another index."""
    for other in index.by_name.get(declared.name, ()):
        at_home = os.path.abspath(other.place.file.path) == str(home)
        if at_home and other.place.start == declared.place.start and other.kind == declared.kind:
            return other
    return None


def _below(folders: Iterable[Path]) -> Iterator[Path]:
    """The programs in folders; hidden ones and those of package managers are left out."""
    for folder in folders:
        for place, inner, names in os.walk(os.path.abspath(folder)):
            inner[:] = sorted([n for n in inner if n[0] != "." and n != "node_modules"])
            for name in sorted(names):
                path = Path(place, name)
                if name.endswith(ENDINGS) and path.is_file():
                    yield path


def is_declared_at(declared: Declaration, path: Path, place: Span) -> bool:
    """Whether a place is that of the name in its declaration."""
    return os.path.abspath(declared.place.file.path) == str(path) and (
        declared.place.start == place.start
    )
