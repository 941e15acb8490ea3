"""Which program of ours this is: no answer outlives it. Every command asks, so little is loaded."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec

from pitviper.base.digest import blake2b
from pitviper.version import VERSION

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder of all our files."""


@cache
def stamp() -> str:
    """Sizes and times of all our files and of the solver's library."""
    seen = [VERSION, sys.version, sys.platform, PACKAGE, *_files(PACKAGE)]
    spec = find_spec("z3")
    if spec is not None and spec.origin is not None:
        library = os.path.join(os.path.dirname(spec.origin), "lib")
        seen += [library, *_files(library)]
    return blake2b("\n".join(seen).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _files(folder: str) -> list[str]:
    """Each file below a folder, with its size and time; byte code is made from others."""
    seen, todo = [], [folder]
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        todo.append(entry.path)
                elif not entry.name.endswith((".pyc", ".pyo")):
                    found = entry.stat()
                    seen.append(f"{entry.path} {found.st_size} {found.st_mtime_ns}")
    seen.sort()
    return seen
