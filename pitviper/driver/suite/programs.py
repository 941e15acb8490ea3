"""Finds the annotated programs of a suite, and what is known about each before it runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal, TypeAlias

from pitviper.base.record import record
from pitviper.base.usage_error import UsageError
from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import DEFAULTS, load
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier
from pitviper.results.annotations import Annotations, Output, read_annotations
from pitviper.results.finding import Finding
from pitviper.results.suite import EngineRun, Expectation
from pitviper.results.verdict import Verdict
from pitviper.results.wording import readable_place
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.reading import ENDINGS, Decoded, decode

NOT_JUDGED = ("import", "graphs", "tutorial")
"""Folders of helper files and of performance programs: run and shown, not counted."""

WITH_OPTIONS = ("smoke", "oldpermsemantics")
"""Folders of programs that are written for an option."""

ORDINARY = (
    "adt",
    "all",
    "examples",
    "quantifiedcombinations",
    "quantifiedpermissions",
    "quantifiedpredicates",
    "quasihavoc",
    "refute",
    "termination",
    "wands",
)
"""The other folders of the public suite: what is below them is ordinary, even `all/import`.

Those in `quasihavoc` are written for the exhale mode that other tools call more complete; ours
always looks at all chunks where the first one that fits does not suffice.
"""

_NUMBERED = re.compile(r"(?P<base>.*)_file(?P<number>[0-9]+)")
"""`base_file1.vpr`, `base_file2.vpr`: the files of one test, of which the first is the program."""


@record
class SuiteProgram:
    """One test: the text to run, as it was when its annotations were read, and its options."""

    file: Decoded
    options: SuiteOptions
    expectation: Expectation

    @property
    def path(self) -> Path:
        return self.file.source.path


@record
class Difference:
    """A program of which Pitviper says something else than its annotations, on purpose.

    `stage` is where it differs: a difference in verification is none while only checking.
    """

    path: PurePosixPath
    reason: str
    stage: Literal["check", "verify"] = "verify"

    def concerns(self, program: Path) -> bool:
        """The path may start anywhere above the program."""
        return program.parts[-len(self.path.parts) :] == self.path.parts


def find_programs(root: Path, differences: Sequence[Difference] = ()) -> list[SuiteProgram]:
    """The programs below a folder (or one file) by name; UsageError where there are none."""
    if not root.exists():
        raise UsageError(f"cannot read {root}: no such folder")
    base = root if root.is_dir() else root.parent
    files = sorted(_files_below(root)) if root.is_dir() else [root]
    if not files:
        raise UsageError(f"no programs (*.vpr, *.sil, *.cool) below {root}")
    return [_program(base, group, differences) for group in _grouped(files)]


def _files_below(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.suffix in ENDINGS and path.is_file()]


def _grouped(files: list[Path]) -> list[list[Path]]:
    """The files of each test, the first to run; a file of an unnumbered name is a test alone."""
    groups: dict[Path, list[tuple[int, Path]]] = {}
    for file in files:
        numbered = _NUMBERED.fullmatch(file.stem)
        name = file if numbered is None else file.with_stem(numbered["base"] + "_file")
        number = 0 if numbered is None else int(numbered["number"])
        groups.setdefault(name, []).append((number, file))
    return [[file for _, file in sorted(group)] for group in groups.values()]


def _program(base: Path, files: list[Path], differences: Sequence[Difference]) -> SuiteProgram:
    name = PurePosixPath(files[0].relative_to(base).as_posix())
    path = files[0].absolute()
    suite, folder = _suite_folder(base, name)
    read = [_bytes(file) for file in files]
    expectation = Expectation(
        name,
        _annotations(files, read),
        judged=folder not in NOT_JUDGED,
        difference=next((d.reason for d in differences if d.concerns(path)), None),
    )
    return SuiteProgram(decode(path, read[0]), _folder_options(suite, folder), expectation)


def _annotations(files: list[Path], read: list[bytes]) -> Annotations:
    """The front end reports a wrong encoding; here it must only not hide the annotations."""
    found = Annotations()
    for file, data in zip(files, read, strict=True):
        found = found.joined(read_annotations(data.decode("utf-8", errors="replace"), file))
    return found


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error


def _suite_folder(base: Path, name: PurePosixPath) -> tuple[Path, str]:
    """The root of a suite and its folder that a program is in, the outermost of known name.

    The folder that was given counts, and the one around it, so that parts of a suite can be run.
    """
    root = base.resolve()
    inner = [root / part for part in list(name.parents)[-2::-1]]
    for folder in (root.parent, root, *inner):
        if folder.name in (*NOT_JUDGED, *WITH_OPTIONS, *ORDINARY):
            return folder.parent, folder.name
    return root, ""


def _folder_options(suite: Path, folder: str) -> SuiteOptions:
    """Options that the programs of some folders are written for, and the library of the suite."""
    library = suite / "import"
    return SuiteOptions(
        CheckOptions(
            respect_function_perm_amounts=folder == "oldpermsemantics",
            smoke_detection=folder == "smoke",
        ),
        library=(library,) if library.is_dir() else (),
    )


@record
class SuiteOptions:
    """The options of one program.

    `library` are the folders that `import <...>` looks through after the built-in one.
    """

    check: CheckOptions = DEFAULTS
    library: tuple[Path, ...] = ()


Engine: TypeAlias = Callable[[Path | Decoded, SuiteOptions], EngineRun]
"""What runs on a program, in a worker process."""


def check_engine(file: Path | Decoded, options: SuiteOptions) -> EngineRun:
    """The front end alone, judged by what a front end can say."""
    loaded = load(file, options.check, options.library)
    outputs = tuple(output_of(diagnostic) for diagnostic in loaded.errors)
    return EngineRun(outputs, Verdict.UNDECIDED if loaded.accepted else Verdict.REJECTED)


def output_of(diagnostic: Diagnostic) -> Output:
    """A place in an imported file counts by its line."""
    span = diagnostic.span
    place = readable_place(span)
    line = None if span is None else span.line
    return Output(diagnostic.code, line, diagnostic.message, place)


def verify_engine(file: Path | Decoded, options: SuiteOptions) -> EngineRun:
    """Everything: what the front end, the plugins and the verifier say, and what is open."""
    return _run(file, options, "symbolic")


def vcg_engine(file: Path | Decoded, options: SuiteOptions) -> EngineRun:
    """The same with the second verifier."""
    return _run(file, options, "vcg")


def both_engine(file: Path | Decoded, options: SuiteOptions) -> EngineRun:
    """The same with both; a program about which they differ counts as a crash."""
    return _run(file, options, "both")


ENGINES = {"symbolic": verify_engine, "vcg": vcg_engine, "both": both_engine}


def _run(file: Path | Decoded, options: SuiteOptions, backend: str) -> EngineRun:
    chosen = VerifyOptions(options.check, backend=backend)
    with open_verifier(chosen, options.library) as verifier:
        done = verifier.verify(verifier.read(file))
    told = [*done.diagnostics, *[w for member in done.members.values() for w in member.warnings]]
    said = {s: _outputs(told, s) for s in (Severity.ERROR, Severity.WARNING)}
    if done.verdict is Verdict.REJECTED:
        return EngineRun(said[Severity.ERROR], done.verdict, warnings=said[Severity.WARNING])
    return EngineRun(
        tuple(_output(finding) for finding in done.findings),
        done.verdict,
        "\n".join(_open_questions(done)),
        "\n".join(m.crash.trace for m in done.members.values() if m.crash is not None),
        {name: member.verdict for name, member in done.members.items()},
        said[Severity.WARNING],
    )


def _outputs(diagnostics: Iterable[Diagnostic], severity: Severity) -> tuple[Output, ...]:
    return tuple([output_of(d) for d in diagnostics if d.severity is severity])


def _output(finding: Finding) -> Output:
    return Output(finding.id, finding.span.line, finding.message, readable_place(finding.span))


def _open_questions(done: ProgramOutcome) -> list[str]:
    return [
        f"{member.name}: {point.message} ({readable_place(point.span)})"
        for member in done.members.values()
        for point in member.undecided
    ]
