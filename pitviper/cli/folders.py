"""A folder as an argument: the programs inside it, in the order of their names."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.cli.start import tell
from pitviper.results.exit_code import ExitCode
from pitviper.source.reading import ENDINGS

WORST = (
    ExitCode.INTERRUPTED,
    ExitCode.TERMINATED,
    ExitCode.OUR_FAULT,
    ExitCode.FINDINGS,
    ExitCode.UNDECIDED,
)
"""Exit codes of many programs, the one that counts for all of them first."""


def programs_in(folder: Path, endings: tuple[str, ...] = ENDINGS) -> list[Path]:
    """Returns the programs in a folder and below.

    Folders whose names begin with a dot are left out, as everywhere.
    """
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in endings and path.is_file()
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def expanded(names: Sequence[str], command: str) -> list[str]:
    """Returns names of files, with the programs of a folder in its place.

    A folder without programs stays: it is no file, and whoever reads it says so.
    """
    endings = ENDINGS[:2] if command == "format" else ENDINGS
    found: list[str] = []
    for name in names:
        folder = Path(name)
        inside = programs_in(folder, endings) if name != "-" and folder.is_dir() else []
        found += [str(path) for path in inside] or [name]
    return found


def tests_in(folder: Path) -> list[Path]:
    """Returns the kept tests in a folder and below."""
    found = [path for path in sorted(folder.rglob("*.json")) if path.is_file()]
    if not found:
        raise UsageError(f"there is no test in the folder {folder}")
    return found


def worst(codes: Sequence[ExitCode]) -> ExitCode:
    """Returns the exit code that counts for all."""
    return next((code for code in WORST if code in codes), ExitCode.FINE)


def for_each_program(
    arguments: argparse.Namespace, run: Callable[[argparse.Namespace], ExitCode]
) -> ExitCode:
    """Runs a command about one program for each one in a folder; the worst exit code counts."""
    return worst(list(_codes(arguments, run)))


def _codes(
    arguments: argparse.Namespace, run: Callable[[argparse.Namespace], ExitCode]
) -> Iterator[ExitCode]:
    kind = type(arguments.file)
    found = programs_in(Path(arguments.file))
    if not found:
        raise UsageError(f"there is no program in the folder {arguments.file}")
    for path in found:
        tell(f"pitviper: {path}\n")
        own = _own_outputs(arguments, path) if len(found) > 1 else {}
        code = run(argparse.Namespace(**{**vars(arguments), **own, "file": kind(path)}))
        yield code
        if code in WORST[:2]:
            return


_FILES = ("html", "svg", "png", "dot", "viper_tests", "graph", "lcov", "cobertura")
"""Options that name a file to write, in commands about one program."""

_FOLDERS = {"explore": ("svg", "save_tests"), "wizard": ("save_tests",)}
"""Options that name a folder to write to."""


def _own_outputs(arguments: argparse.Namespace, program: Path) -> dict[str, Path]:
    """What is written about one of several programs: none may overwrite that of another."""
    inside = program.relative_to(arguments.file).with_suffix("")
    folders = _FOLDERS.get(arguments.command, ())
    found: dict[str, Path] = {}
    for option in (*_FILES, *folders):
        path = getattr(arguments, option, None)
        if isinstance(path, Path) and path != Path("-"):
            name = f"{path.stem}-{'-'.join(inside.parts)}{path.suffix}"
            found[option] = path / inside if option in folders else path.with_name(name)
    return found
