"""Programs to begin with: each shows one thing that the workbench can do."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pitviper.base.usage_error import UsageError

_FOLDER = files("pitviper.servers.web") / "examples"


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(f.name for f in _FOLDER.iterdir() if f.name.endswith(".vpr")))


def examples() -> list[dict[str, str]]:
    """Returns names and titles; a title is the first line of the program."""
    return [{"name": name, "title": _title(name)} for name in _names()]


def _title(name: str) -> str:
    line = (_FOLDER / name).read_text().partition("\n")[0]
    return line.removeprefix("//").strip().removesuffix(".")


def example_text(name: str) -> str:
    """Returns a program of the gallery."""
    if name not in _names():
        raise UsageError(f"there is no example {name!r}")
    return (_FOLDER / name).read_text()
