"""What imported files were when a program was read, and whether they still are."""

from __future__ import annotations

import os
from pathlib import Path

from pitviper.base.digest import blake2b
from pitviper.driver.cache.serialise import Json
from pitviper.source.file import SourceFile
from pitviper.source.reading import read_import

Imports = tuple[tuple[Path, SourceFile | str], ...]
"""The files that were looked for, each with its text or why it cannot be read."""


def home_of(path: Path, imports: Imports) -> str:
    """Where imports are looked for, and how places in several files are sorted."""
    if not imports:
        return ""
    return str(path) if path.is_absolute() else f"{os.getcwd()}: {path}"


def states_of(imports: Imports) -> list[Json]:
    return [[str(path), _state(found)] for path, found in imports]


def read_again(path: Path, home: str, states: Json) -> Imports | None:
    """The files as they are now; None if one of them, or the place of the program, has changed."""
    found: list[tuple[Path, SourceFile | str]] = []
    for item in states if isinstance(states, list) else []:
        match item:
            case [str(name), str(state)]:
                file = read_import(Path(name))
                if _state(file) != state:
                    return None
                found.append((Path(name), file))
            case _:
                return None
    return tuple(found) if home == home_of(path, tuple(found)) else None


def _state(found: SourceFile | str) -> str:
    if isinstance(found, str):
        return f"unreadable {found}"
    return blake2b(found.text.encode("utf-8", "surrogatepass"), digest_size=24).hexdigest()
