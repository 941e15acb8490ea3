"""The floor of a suite: programs that agree, and from now on must go on doing so."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.results.suite import ProgramResult, Status

AGREEING = (Status.AGREES, Status.KNOWN_ISSUE)

SLOW = 15.0
"""Seconds from which on a program is left to the slow tests."""

_SLOW_MARK = " slow"


def floor_text(results: Iterable[ProgramResult], about: str) -> str:
    """A line for each program that agrees, in order of names; `about` says how to make it."""
    ordered = sorted(results, key=lambda result: result.name)
    lines = [_line(result) for result in ordered if result.status in AGREEING]
    return "".join(f"{line}\n" for line in (f"# {about}", *lines))


def _line(result: ProgramResult) -> str:
    return f"{result.name}{_SLOW_MARK if result.seconds >= SLOW else ''}"


def read_floor(path: Path) -> dict[str, bool]:
    """The names of a floor, each with whether it is slow."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    listed = [line for line in lines if line and not line.startswith("#")]
    return {line.removesuffix(_SLOW_MARK): line.endswith(_SLOW_MARK) for line in listed}


def write_floor(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
