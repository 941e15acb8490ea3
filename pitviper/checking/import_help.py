"""What to write instead of an import that names no readable file."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path

from pitviper.syntax import tree

_SUFFIXES = (".vpr", ".sil")


def help_for(member: tree.Import, tried: Path | None, library: tuple[Path, ...]) -> str | None:
    """Advice for a failed import; `tried` is where its file was looked for."""
    if member.library:
        return _library_help(member.path, library)
    if tried is None:
        return None
    return _local_help(member.path, tried, library)


def _library_help(path: str, library: tuple[Path, ...]) -> str:
    known = _library_paths(library)
    near = _near(path, known)
    if near:
        return f"did you mean `import <{near[0]}>`?"
    return f'files that are not part of the library need quotes: `import "{path}"`'


def _local_help(path: str, tried: Path, library: tuple[Path, ...]) -> str:
    if path in _library_paths(library):
        return f"this file is part of the library: write `import <{path}>`"
    if not tried.parent.is_dir():
        return f"there is no folder {tried.parent}"
    if tried.is_dir():
        return "name a file in this folder"
    near = _near(tried.name, _programs_in(tried.parent))
    if near:
        return f'did you mean `import "{posixpath.join(posixpath.dirname(path), near[0])}"`?'
    return f"the path starts in the folder of the importing file: the file would be {tried}"


def _programs_in(folder: Path) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []  # a folder that may not be listed has no names to offer
    return [name for name in names if name.endswith(_SUFFIXES)]


def _library_paths(library: tuple[Path, ...]) -> list[str]:
    """All paths that `import <...>` accepts."""
    paths: list[str] = []
    for root in library:
        found = (path for suffix in _SUFFIXES for path in root.rglob(f"*{suffix}"))
        paths.extend(sorted(path.relative_to(root).as_posix() for path in found))
    return paths


def _near(name: str, known: list[str]) -> list[str]:
    """The most similar name, if one is."""
    from difflib import get_close_matches  # for wrong programs only

    return get_close_matches(name, known, n=1)
