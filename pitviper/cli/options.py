"""What was chosen on the command line, as options of the driver."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from pitviper.base.record import replace
from pitviper.base.usage_error import UsageError
from pitviper.driver.verify.options import ASSERT, CheckOptions, RunOptions, VerifyOptions
from pitviper.source.reading import STDIN


def language_options(arguments: argparse.Namespace) -> CheckOptions:
    return CheckOptions(
        smoke_detection=arguments.smoke_detection,
        respect_function_perm_amounts=arguments.exact_amounts,
        strict=arguments.strict,
        import_root=_import_root(arguments),
        infer_depth=arguments.infer_depth,
    )


def _import_root(arguments: argparse.Namespace) -> Path | None:
    """The folder itself, wherever we are: it is part of what remembered answers depend on."""
    folder: Path | None = arguments.import_root
    if folder is None:
        return None
    if not folder.is_dir():
        raise UsageError(f"cannot confine imports to {folder}: no such folder")
    return Path(os.path.realpath(folder))


def library_folders(arguments: argparse.Namespace) -> tuple[Path, ...]:
    """The folders given with --library; UsageError for one that is none."""
    folders: tuple[Path, ...] = tuple(arguments.library)
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"cannot use {folder} as a library: no such folder")
    return folders


def require_file(path: Path, arguments: argparse.Namespace, *options: str) -> None:
    """UsageError for options that need a file: standard input is read once, and never written."""
    for name in options:
        if path == STDIN and getattr(arguments, name):
            option = name.replace("_", "-")
            raise UsageError(f"--{option} needs a file: standard input can only be read, and once")


def verify_options(arguments: argparse.Namespace) -> VerifyOptions:
    """What was chosen."""
    return VerifyOptions(
        check=replace(language_options(arguments), termination=arguments.termination),
        join=arguments.join,
        infer_ghost=arguments.infer_ghost or arguments.suggest or arguments.fix,
        errors=arguments.errors,
        select=tuple(arguments.select),
        limit=arguments.limit or ASSERT,
        timeout=arguments.timeout,
        solver_log=arguments.solver_log,
        backend=arguments.backend,
        whole=arguments.whole,
        no_inference=arguments.no_inference,
        cures=is_read_by_people(arguments),
    )


def is_read_by_people(arguments: argparse.Namespace) -> bool:
    """Whether advice is worth trials: not for scripts, and not where only findings are wanted."""
    output = getattr(arguments, "output", "text")
    return bool(output == "text" and not getattr(arguments, "quiet", False))


def run_options(arguments: argparse.Namespace) -> RunOptions:
    """Where the work is done."""
    if arguments.profile:
        from pitviper.driver.verify.profiling import Profiler

        return RunOptions(profiler=Profiler())
    return RunOptions(
        jobs=arguments.jobs or processors(),
        memory=arguments.memory,
        cache=cache_folder(arguments.cache),
        cluster=arguments.cluster,
    )


def processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cache_folder(chosen: str | None) -> Path | None:
    """The folder that an option `--cache` names; PITVIPER_CACHE counts where it is not given."""
    from pitviper.driver.cache.folder import default_folder  # of no use to those without cache

    chosen = chosen or os.environ.get("PITVIPER_CACHE")
    if chosen == "off":
        return None
    return Path(chosen) if chosen else default_folder()
