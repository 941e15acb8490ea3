"""Where a path leads, also in a folder that is gone."""

from __future__ import annotations

import os


def absolute(path: str | os.PathLike[str]) -> str:
    """The path from the root, without `..`; links are not followed.

    As it is given where the current folder was removed: then a relative path leads nowhere, and
    that is for whoever opens it to say.
    """
    try:
        return os.path.abspath(path)
    except FileNotFoundError:
        return os.path.normpath(path)
