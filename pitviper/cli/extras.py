"""Packages that the core installation does not bring: what each is for, and how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pitviper.base.usage_error import UsageError

EXTRAS = (
    ("cvc5", "cvc5", "a second solver, for `debug`, `fuzz` and `verify --certify`"),
    ("pygls", "editor", "the language server: `lsp`, `server`"),
    ("starlette", "web", "the workbench in the browser: `serve`"),
    ("mcp", "agents", "tools for agents: `mcp`"),
    ("distributed", "cluster", "verification on a Dask cluster: `verify --cluster`"),
)
"""A package, the extra that brings it, and what that is for."""


@contextmanager
def needs(extra: str, who: str) -> Iterator[None]:
    """Says what to install where an import inside does not find a package of others.

    `who` is the beginning of the sentence; {} in it is the name of the package.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "pitviper").split(".")[0]
        if missing == "pitviper":
            raise
        wanted = f"{who.format(missing)}: pip install 'pitviper[{extra}]'"
        raise UsageError(wanted) from error
