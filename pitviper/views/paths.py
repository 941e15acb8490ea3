"""File names as users want to read them."""

from __future__ import annotations

from pathlib import Path


def display_path(path: Path) -> str:
    """Relative to the current folder where the file is below it, else as it is."""
    if not path.is_absolute():
        return path.as_posix()
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()
