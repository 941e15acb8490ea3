"""Verdicts of another verifier on the programs of a suite, to compare with ours."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from pitviper.base.usage_error import UsageError
from pitviper.driver.suite.programs import SuiteProgram
from pitviper.results.verdict import Verdict

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
