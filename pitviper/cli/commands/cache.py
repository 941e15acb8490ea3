"""`pitviper cache`: what is remembered, and how to forget it."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.arguments.verify import cache_folder
from pitviper.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from pitviper.driver.cache.folder import CacheFolder

EXAMPLES = """\
  pitviper cache info
  pitviper cache clear
  pitviper cache info --cache build/pitviper-cache

Answers of `pitviper verify` are remembered in the user's cache folder (PITVIPER_CACHE or --cache
name another one, `--cache off` uses none). An answer counts only as long as nothing has changed
that it rests on: the program, the options, the versions of pitviper and of its solver.
"""


def add_to(commands: common.Commands) -> None:
    parser = commands.add_parser(
        "cache",
        help="show or forget what verifications have remembered",
        description="Shows or forgets the answers that verifications have remembered.",
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=common.HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("action", choices=("info", "clear"), help="show, or forget everything")
    parser.add_argument("--cache", metavar="DIR", default=None, help="the folder")
    parser.add_argument("--format", dest="output", choices=("text", "json"), default="text")
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    from pitviper.base.usage_error import UsageError
    from pitviper.driver.cache.folder import CacheFolder

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
        common.write_line(json.dumps({**data, "limit": found.limit}))
    else:
        common.write_line(f"{found.folder}: {found.files} answers, {_size(found.size)}")
        common.write_line(f"the oldest go when there are more than {_size(found.limit)}")
    return ExitCode.FINE


def _clear(cache: CacheFolder) -> ExitCode:
    from pitviper.base.usage_error import UsageError

    try:
        removed = cache.clear()
    except OSError as error:
        raise UsageError(f"cannot clear {cache.folder}: {error.strerror}") from error
    common.write_line(f"forgot {removed} answers in {cache.folder}")
    return ExitCode.FINE


def _size(size: int) -> str:
    return f"{size / (1 << 20):.1f} MB" if size >= 1 << 20 else f"{size / 1024:.1f} KB"
