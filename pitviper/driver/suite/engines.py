"""What the suite can run: from a program and options to its outputs. Here, the front end alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import DEFAULTS, load
from pitviper.results.annotations import Output
from pitviper.results.suite import EngineRun
from pitviper.results.verdict import Verdict
from pitviper.results.wording import readable_place
from pitviper.source.diagnostic import Diagnostic


@record
class SuiteOptions:
    """The options of one program.

    `library` are the folders that `import <...>` looks through after the built-in one.
    """

    check: CheckOptions = DEFAULTS
    library: tuple[Path, ...] = ()


Engine: TypeAlias = Callable[[Path, SuiteOptions], EngineRun]
"""A function of a module, so that a worker process finds it by name."""


def check_engine(path: Path, options: SuiteOptions) -> EngineRun:
    """The front end alone, judged by what a front end can say."""
    loaded = load(path, options.check, options.library)
    outputs = tuple(output_of(diagnostic) for diagnostic in loaded.errors)
    return EngineRun(outputs, Verdict.UNDECIDED if loaded.accepted else Verdict.REJECTED)


def output_of(diagnostic: Diagnostic) -> Output:
    """Warnings are no outputs; a place in an imported file counts by its line."""
    span = diagnostic.span
    place = readable_place(span)
    line = None if span is None else span.line
    return Output(diagnostic.code, line, diagnostic.message, place)
