"""The folder whose programs a page may open and save: nothing outside of it is touched."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pitviper.base.digest import blake2b
from pitviper.base.file import write_file
from pitviper.base.record import record
from pitviper.base.usage_error import UsageError
from pitviper.servers.web.settings import LARGEST_TEXT
from pitviper.source.reading import ENDINGS, decode, read_regular

MOST_FILES = 2000
DEEPEST = 8


@record
class Opened:
    """A file as it is on the disk; `version` changes with its content."""

    name: str
    text: str
    version: str


class Folder:
    """Files below a root, by their names relative to it."""

    def __init__(self, root: Path, *, read_only: bool = False) -> None:
        self.root = root.resolve()
        self._read_only = read_only

    @property
    def writable(self) -> bool:
        return not self._read_only and os.access(self.root, os.W_OK)

    def names(self) -> list[str]:
        """Returns the programs in the folder, at most `MOST_FILES`."""
        found: list[str] = []
        for name in self._walk():
            found.append(name)
            if len(found) >= MOST_FILES:
                break
        return sorted(found)

    def _walk(self) -> Iterator[str]:
        """Links are not followed: they may lead out of the folder, or in a circle."""
        for place, folders, files in os.walk(self.root, followlinks=False):
            depth = len(Path(place).relative_to(self.root).parts)
            hidden = depth >= DEEPEST
            folders[:] = [] if hidden else sorted(f for f in folders if not f.startswith("."))
            for file in files:
                path = Path(place, file)
                if file.endswith(ENDINGS) and not file.startswith(".") and not path.is_symlink():
                    yield path.relative_to(self.root).as_posix()

    def place_of(self, name: str) -> Path:
        """Returns the path of a program by its name; UsageError if that leads anywhere else."""
        pure = PurePosixPath(name)
        bad = not name or "\0" in name or "\\" in name or pure.is_absolute()
        if bad or any(part.startswith(".") for part in pure.parts):
            raise UsageError(f"{name!r} is no file of the folder")
        if not name.endswith(ENDINGS):
            raise UsageError(f"a program has a name that ends in {', '.join(ENDINGS)}")
        path = (self.root / pure).resolve()
        if not path.is_relative_to(self.root):
            raise UsageError(f"{name!r} leads out of the folder")
        return path

    def read(self, name: str) -> Opened:
        """Returns a program as it is on the disk."""
        path = self.place_of(name)
        try:
            if path.stat().st_size > 4 * LARGEST_TEXT:
                raise UsageError(f"{name} is too large for the workbench")
            data = read_regular(path)
        except OSError as error:
            raise UsageError(f"cannot read {name}: {error.strerror}") from error
        decoded = decode(path, data)
        if decoded.problem is not None:
            raise UsageError(f"cannot read {name}: {decoded.problem.message}")
        return Opened(name, decoded.source.text, blake2b(data, digest_size=16).hexdigest())

    def write(self, name: str, text: str, known: str | None) -> Opened:
        """Writes a program, if it still is as somebody knew it; `known` is None for a new one."""
        path = self.place_of(name)
        if not self.writable:
            raise UsageError("the folder cannot be written to")
        if path.exists():
            if known is None:
                raise UsageError(f"{name} exists already: open it, or choose another name")
            if self.read(name).version != known:
                raise UsageError(
                    f"{name} was changed by somebody else: open it again before saving"
                )
        elif not path.parent.is_dir():
            raise UsageError(f"there is no folder {PurePosixPath(name).parent}")
        write_file(path, text)
        return self.read(name)
