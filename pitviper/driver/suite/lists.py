"""The project's own list of programs where it differs from their annotations on purpose."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from pitviper.base.file import write_file
from pitviper.base.record import replace
from pitviper.base.usage_error import UsageError
from pitviper.driver.suite.programs import Difference, SuiteProgram
from pitviper.results.suite import ProgramResult, Status
from pitviper.results.verdict import Verdict


def read_differences(path: Path) -> list[Difference]:
    """Tables `[[difference]]` with `path`, a `reason` that is not empty, and perhaps `stage`."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from error
    entries = content.get("difference", [])
    if not isinstance(entries, list) or set(content) - {"difference"}:
        raise UsageError(f"{path}: only [[difference]] tables are expected")
    return [_difference(entry, path) for entry in entries]


def _difference(entry: object, file: Path) -> Difference:
    match entry:
        case {"path": str(path), "reason": str(reason), **rest} if reason.strip():
            match rest:
                case {"stage": "check" | "verify" as stage}:
                    return Difference(PurePosixPath(path), reason, stage)
                case {} if not rest:
                    return Difference(PurePosixPath(path), reason)
    raise UsageError(f"{file}: a difference has a path and a reason, not {entry!r}")


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
    write_file(path, text)


FILE_NAME = "frontends.csv"

_VERDICTS = {"ok": Verdict.VERIFIED, "errors": Verdict.REFUTED, "timeout": None}
"""A time-out of the other verifier says nothing about the program."""


def read_verdicts(path: Path) -> dict[PurePosixPath, Verdict | None]:
    """The columns `path` and `silicon_verdict` of a table; None where there is no verdict."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return {
                PurePosixPath(row["path"]): _VERDICTS[row["silicon_verdict"]]
                for row in csv.DictReader(file)
            }
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, ValueError, csv.Error) as error:
        raise UsageError(f"{path} is no table of verdicts: {error}") from error


def with_verdicts(
    programs: Sequence[SuiteProgram], verdicts: Mapping[PurePosixPath, Verdict | None]
) -> list[SuiteProgram]:
    """The programs, those in the table judged by its verdict; paths may start anywhere above."""
    return [_with_verdict(program, verdicts) for program in programs]


def _with_verdict(
    program: SuiteProgram, verdicts: Mapping[PurePosixPath, Verdict | None]
) -> SuiteProgram:
    parts = program.path.parts
    for length in range(1, len(parts)):
        listed = PurePosixPath(*parts[-length:])
        if listed in verdicts:
            verdict = verdicts[listed]
            judged = program.expectation.judged and verdict is not None
            known = replace(program.expectation, verdict=verdict, judged=judged)
            return replace(program, expectation=known)
    return program
