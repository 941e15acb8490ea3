"""The verifier as an engine of the suite."""

from __future__ import annotations

from pathlib import Path

from pitviper.driver.suite.engines import SuiteOptions, output_of
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier
from pitviper.results.annotations import Output
from pitviper.results.finding import Finding
from pitviper.results.suite import EngineRun
from pitviper.results.verdict import Verdict
from pitviper.results.wording import readable_place
from pitviper.source.diagnostic import Severity


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
