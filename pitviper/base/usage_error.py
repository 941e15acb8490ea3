"""A request that cannot be carried out: a missing file, a folder where a file is needed."""

from __future__ import annotations


class UsageError(Exception):
    """Says what is wrong with the request; caught once in the command line (exit code 2)."""
