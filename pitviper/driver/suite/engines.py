"""What the suite can run: from a program and options to its outputs. Here, the front end alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import DEFAULTS, load
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier
from pitviper.results.annotations import Output
from pitviper.results.finding import Finding
from pitviper.results.suite import EngineRun
from pitviper.results.verdict import Verdict
from pitviper.results.wording import readable_place
from pitviper.source.diagnostic import Diagnostic, Severity


@record
class SuiteOptions:
    """The options of one program.

    `library` are the folders that `import <...>` looks through after the built-in one.
    """

    check: CheckOptions = DEFAULTS
    library: tuple[Path, ...] = ()


Engine: TypeAlias = Callable[[Path, SuiteOptions], EngineRun]
"""What runs on a program, in a worker process."""


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


def verify_engine(path: Path, options: SuiteOptions) -> EngineRun:
    """Everything: what the front end, the plugins and the verifier say, and what is open."""
    return _run(path, options, "symbolic")


def vcg_engine(path: Path, options: SuiteOptions) -> EngineRun:
    """The same with the second verifier."""
    return _run(path, options, "vcg")


def both_engine(path: Path, options: SuiteOptions) -> EngineRun:
    """The same with both; a program about which they differ counts as a crash."""
    return _run(path, options, "both")


ENGINES = {"symbolic": verify_engine, "vcg": vcg_engine, "both": both_engine}


def _run(path: Path, options: SuiteOptions, backend: str) -> EngineRun:
    chosen = VerifyOptions(options.check, backend=backend)
    with open_verifier(chosen, options.library) as verifier:
        done = verifier.verify(verifier.read(path))
    if done.verdict is Verdict.REJECTED:
        errors = [d for d in done.diagnostics if d.severity is Severity.ERROR]
        return EngineRun(tuple(output_of(error) for error in errors), done.verdict)
    return EngineRun(
        tuple(_output(finding) for finding in done.findings),
        done.verdict,
        "\n".join(_open_questions(done)),
        "\n".join(m.crash.trace for m in done.members.values() if m.crash is not None),
        {name: member.verdict for name, member in done.members.items()},
    )


def _output(finding: Finding) -> Output:
    return Output(finding.id, finding.span.line, finding.message, readable_place(finding.span))


def _open_questions(done: ProgramOutcome) -> list[str]:
    return [
        f"{member.name}: {point.message} ({readable_place(point.span)})"
        for member in done.members.values()
        for point in member.undecided
    ]
