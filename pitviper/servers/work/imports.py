"""Files that a program imports: whether they still say what they said when it was read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from pitviper.driver.cache.outline import Imports
from pitviper.source.reading import read_import
from pitviper.source.span import SourceFile

LOOK = 1.0
"""Seconds between two looks at files."""

Stamp: TypeAlias = tuple[int, ...] | None


def stamp_of(path: Path) -> Stamp:
    """What changes with a file; None where there is none."""
    try:
        now = os.stat(path)
    except OSError:
        return None
    return now.st_mtime_ns, now.st_ctime_ns, now.st_size, now.st_ino


def is_as_read(path: Path, known: SourceFile | str) -> bool:
    """Whether a file says what it said."""
    return _said(read_import(path)) == _said(known)


def stamps_as_read(imports: Imports) -> dict[Path, Stamp] | None:
    """Stamps that the files had when they said what they said; None where one is another now."""
    found: dict[Path, Stamp] = {}
    for path, known in imports:
        found[path] = stamp_of(path)  # first: a change behind this shows in the stamp
        if not is_as_read(path, known):
            return None
    return found


def _said(found: SourceFile | str) -> tuple[bool, str]:
    """The text of a file, or why there is none."""
    return (True, found.text) if isinstance(found, SourceFile) else (False, found)
