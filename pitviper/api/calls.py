"""One function for each question about a program: the way from `import pitviper` to the driver."""

from __future__ import annotations

import re
from pathlib import Path

from pitviper.api.answers import (
    CheckResult,
    CounterexampleResult,
    DebugResult,
    ExploreResult,
    VerifyResult,
)
from pitviper.api.choices import require_options
from pitviper.base.memory import give_back
from pitviper.base.record import names_of, replace
from pitviper.base.usage_error import UsageError
from pitviper.checking.options import CheckOptions
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.driver.debug.debugging import open_debugger
from pitviper.driver.explore.explore import explore_loaded
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import (
    DEFAULTS,
    load,
    load_built,
    load_text,
    parse_path,
    parse_text,
)
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import DEFAULT_OPTIONS, open_verifier
from pitviper.program.member import Program
from pitviper.source.reading import Decoded, decode
from pitviper.source.span import SourceFile
from pitviper.syntax.parse.parser import Parsed

_FILE_NAME = re.compile(r"[^\n{}()]*\.(vpr|cool|sil)")


def require_program(source: str | Path) -> str | Path:
    """Returns the source; UsageError where a text is the name of a file, and no program."""
    if isinstance(source, str) and _FILE_NAME.fullmatch(source.strip()):
        raise UsageError(
            f"a text is the program itself, and {source!r} is the name of a file:"
            f" did you mean Path({source!r})?"
        )
    return source


def parse(source: str | Path, name: str) -> Parsed:
    source = require_program(source)
    return parse_text(source, name) if isinstance(source, str) else parse_path(source)


def check(
    source: str | Path, name: str, options: CheckOptions | None, library: tuple[Path, ...]
) -> CheckResult:
    source = require_program(source)
    chosen = require_options(options, DEFAULTS)
    if isinstance(source, str):
        front = load_text(source, name, chosen, library)
    else:
        front = load(source, chosen, library)
    return CheckResult(**{field: getattr(front, field) for field in names_of(front)})


def verify(
    source: str | Path, name: str, options: VerifyOptions | None, library: tuple[Path, ...]
) -> VerifyResult:
    file = _decoded(source, name)
    with open_verifier(require_options(options, DEFAULT_OPTIONS), library) as verifier:
        done = verifier.verify(verifier.read(file))
    give_back()
    return VerifyResult(done.front, done.verification)


def verify_program(
    program: Program, source: SourceFile | str, options: VerifyOptions | None
) -> VerifyResult:
    chosen = require_options(options, DEFAULT_OPTIONS)
    file = SourceFile(Path(source), "") if isinstance(source, str) else source
    front = load_built(program, file, chosen.check)
    with open_verifier(chosen) as verifier:
        done = verifier.verify(front)
    give_back()
    return VerifyResult(done.front, done.verification)


def explore(
    source: str | Path, name: str, options: ExploreOptions | None, library: tuple[Path, ...]
) -> ExploreResult:
    file, chosen = _decoded(source, name), require_options(options, ExploreOptions())
    chosen = replace(chosen, library=(*chosen.library, *library))
    front = load(file, chosen.check, chosen.library)
    explored = explore_loaded(front, chosen)
    give_back()
    return ExploreResult(*explored)


def counterexample(
    source: str | Path,
    name: str,
    options: CounterexampleOptions | None,
    verify: VerifyOptions | None,
    library: tuple[Path, ...],
) -> CounterexampleResult:
    file = _decoded(source, name)
    chosen = require_options(options, CounterexampleOptions())
    found = counterexamples(file, chosen, require_options(verify, DEFAULT_OPTIONS), library)
    give_back()
    return CounterexampleResult(**{field: getattr(found, field) for field in names_of(found)})


def debug(
    source: str | Path, name: str, options: VerifyOptions | None, library: tuple[Path, ...]
) -> DebugResult:
    source = require_program(source)
    session = open_debugger(source, require_options(options, DEFAULT_OPTIONS), library, name)
    give_back()
    return DebugResult(**{field: getattr(session, field) for field in names_of(session)})


def _decoded(source: str | Path, name: str) -> Path | Decoded:
    """A text as if it had been read from the file of that name."""
    source = require_program(source)
    if isinstance(source, Path):
        return source
    return decode(Path(name), source.encode("utf-8", errors="surrogatepass"))
