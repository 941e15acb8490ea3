"""Files and folders for a moment; a machine that has no room for them is no bug of ours."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pitviper.base.usage_error import UsageError


def scratch_file() -> BinaryIO:
    """Returns a file without a name that is gone when it is closed; in memory where there is such.

    OSError where there is no room for it.
    """
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("pitviper"), "w+b")
    return tempfile.TemporaryFile()


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """A folder that is gone afterwards; UsageError where nothing can be written to one."""
    prefix = f"pitviper-{purpose}-"
    with room_for_files():
        made = tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
    with made as folder:
        yield Path(folder)


@contextmanager
def room_for_files() -> Iterator[None]:
    """UsageError where what is done inside cannot make its temporary files."""
    try:
        yield
    except OSError as error:
        reason = f"{error.strerror} (TMPDIR may name another folder)"
        raise UsageError(f"no temporary file can be written: {reason}") from error
