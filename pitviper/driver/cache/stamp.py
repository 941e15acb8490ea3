"""A text that changes whenever this program or its solver does."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from pitviper.base.digest import blake2b
from pitviper.base.record import names_of
from pitviper.driver.verify.options import VerifyOptions
from pitviper.version import VERSION

PACKAGE = Path(__file__).parent.parent


@cache
def stamp() -> str:
    """Sizes and times of all our files and of the solver's library: no answer outlives them."""
    seen = [VERSION, sys.version, sys.platform, str(PACKAGE)]
    seen += _files(PACKAGE, "")
    spec = find_spec("z3")
    if spec is not None and spec.origin is not None:
        library = Path(spec.origin).parent / "lib"
        seen += [str(library), *_files(library, "")]
    return blake2b("\n".join(seen).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _files(folder: Path, below: str) -> list[str]:
    seen = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda e: e.name):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    seen += _files(Path(entry.path), f"{below}{entry.name}/")
            elif not entry.name.endswith((".pyc", ".pyo")):
                found = entry.stat()
                seen.append(f"{below}{entry.name} {found.st_size} {found.st_mtime_ns}")
    return seen


NEVER_CHANGE_AN_ANSWER = frozenset(["errors", "select", "timeout", "solver_log"])
"""How much is told, about which members, and when to give up: an open question is no answer."""


NEVER_CHANGE_A_REPORT = frozenset(["timeout", "solver_log"])


def option_texts(options: VerifyOptions) -> list[str]:
    """Every option, as it is chosen, that may change what is found out about a member."""
    return _texts(options, NEVER_CHANGE_AN_ANSWER)


def file_option_texts(options: VerifyOptions) -> list[str]:
    """Every option, as it is chosen, that may change what is told about a file."""
    return _texts(options, NEVER_CHANGE_A_REPORT)


def _texts(options: VerifyOptions, without: frozenset[str]) -> list[str]:
    return [
        f"{name}={getattr(options, name)!r}" for name in names_of(options) if name not in without
    ]
