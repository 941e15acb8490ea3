"""`pitviper cache`: what is remembered, and how to forget it."""

from __future__ import annotations

import argparse
import json

from pitviper.base.usage_error import UsageError
from pitviper.cli.options import cache_folder
from pitviper.cli.output import stdout
from pitviper.driver.cache.folder import CacheFolder
from pitviper.results.exit_code import ExitCode


def run(arguments: argparse.Namespace) -> ExitCode:
    folder = cache_folder(arguments.cache)
    if folder is None:
        raise UsageError("the cache is off: name a folder with --cache")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no folder")
    cache = CacheFolder(folder)
    return _show(cache, arguments) if arguments.action == "info" else _clear(cache)


def _show(cache: CacheFolder, arguments: argparse.Namespace) -> ExitCode:
    found = cache.info()
    if arguments.output == "json":
        data = {"folder": str(found.folder), "files": found.files, "bytes": found.size}
        stdout.write_line(json.dumps({**data, "limit": found.limit}))
    else:
        stdout.write_line(f"{found.folder}: {found.files} answers, {_size(found.size)}")
        stdout.write_line(f"the oldest go when there are more than {_size(found.limit)}")
    return ExitCode.FINE


def _clear(cache: CacheFolder) -> ExitCode:
    try:
        removed = cache.clear()
    except OSError as error:
        raise UsageError(f"cannot clear {cache.folder}: {error.strerror}") from error
    stdout.write_line(f"forgot {removed} answers in {cache.folder}")
    return ExitCode.FINE


def _size(size: int) -> str:
    return f"{size / (1 << 20):.1f} MB" if size >= 1 << 20 else f"{size / 1024:.1f} KB"
