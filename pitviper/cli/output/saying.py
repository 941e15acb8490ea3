"""Keeps what a command of `verify` would say if it was given once more: NOTE(said)."""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

from pitviper.cli.options import library_folders, verify_options
from pitviper.cli.output.verification import TextWatch
from pitviper.cli.said import TIME, entry, folder_for, key_of
from pitviper.driver.cache.files import FileCache, Remembered
from pitviper.driver.cache.folder import CacheFolder
from pitviper.results.exit_code import ExitCode
from pitviper.results.report import FileReport
from pitviper.source.reading import Inputs, encoded
from pitviper.views.terminal.bars import MembersBar
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.verification import closing_line

_NO_TIME = "0.00"


def keep_said(
    arguments: argparse.Namespace,
    inputs: Inputs,
    page: Page,
    exit_code: Callable[[list[FileReport]], ExitCode],
) -> None:
    """Nothing is kept where anything but the bytes of the files decides, or something is open.

    A folder stands for other files tomorrow, so that its name is that of no file here.
    """
    words: list[str] = arguments.argv[1:]
    names: list[str] = arguments.given
    files = {name: data for name in names if (data := _bytes_of(name, inputs)) is not None}
    folder = folder_for(words)
    if folder is None or len(files) < len(names):
        return
    cache = CacheFolder(folder)
    known = FileCache(cache, verify_options(arguments), library_folders(arguments))
    found = [known.find(inputs.read(Path(name))) for name in names]
    told = [each for each in found if each is not None and each.is_alone and each.report.members]
    if len(told) == len(names):
        reports = [each.report for each in told]
        text = _text(told, reports, arguments, page)
        cache.write(key_of(words), entry(exit_code(reports), files, text))


def _bytes_of(name: str, inputs: Inputs) -> bytes | None:
    """Of a file, as they were when it was read for this command; None of anything else."""
    if not os.path.isfile(name):
        return None
    decoded = inputs.read(Path(name))
    return encoded(decoded) if decoded.problem is None else None


def _text(
    told: list[Remembered], reports: list[FileReport], arguments: argparse.Namespace, page: Page
) -> str:
    with redirect_stdout(io.StringIO()) as written, MembersBar(shown=False) as bar:
        watch = TextWatch(page, bar, quiet=arguments.quiet)
        for each in told:
            watch.replay(each.report.file, each.diagnosed, each.report.outcomes)
    if arguments.quiet:
        return written.getvalue()
    before, _, after = closing_line(reports, page, float(_NO_TIME)).rpartition(_NO_TIME)
    return f"{written.getvalue()}{before}{TIME}{after}\n"
