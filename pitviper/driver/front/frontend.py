"""Reads and type-checks a program: text in, typed program or diagnostics out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.base.deep_stack import run_deep
from pitviper.base.memory import paused_collector
from pitviper.base.record import field, record
from pitviper.checking.check import check_members
from pitviper.checking.imports import LIBRARY, Reach, splice_imports
from pitviper.checking.macros.replace import expand_macros
from pitviper.checking.options import INFER_DEPTH, CheckOptions
from pitviper.driver.front.viper_syntax import ViperSyntax
from pitviper.languages.registry import Declarations, Declared, Language, Syntax, language_of
from pitviper.program.member import Program
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.reading import Decoded, decode, read_bytes, read_import
from pitviper.source.span import SourceFile, Span
from pitviper.syntax.parse.parser import Parsed, parse_file
from pitviper.syntax.token import KEYWORDS, SMOKE_KEYWORDS
from pitviper.syntax.tree import File, Import, Member

if TYPE_CHECKING:
    from pitviper.checking.typed_input import InputReader

DEFAULTS = CheckOptions()


@record
class FrontEnd:
    """What is known about a program after reading and checking it.

    `program` is there exactly if the program was accepted. `syntax` is what its language knows
    about the text; None where the file is no text, or the program came without one. Diagnostics
    are in source order of the stages: parsing, imports, macros, types, side conditions; no stage
    runs after an error.
    `imports` are the files that were looked for, each with its text or why it cannot be read.
    """

    source: SourceFile
    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    syntax: Syntax | None = None
    imports: tuple[tuple[Path, SourceFile | str], ...] = ()
    language: Language | None = None
    """The language of the file; None for Viper."""
    types: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The types of variables in words of another language, by member."""
    infer_depth: int = INFER_DEPTH
    """Predicates that are opened or closed in a row, where that is inferred."""

    def reader(self, options: CheckOptions) -> InputReader:
        """What reads expressions that are typed in beside the program."""
        return (self.syntax or Declarations()).reader(options)

    @property
    def declared(self) -> tuple[Declared, ...]:
        """The declarations of the program that messages can name."""
        return () if self.syntax is None else self.syntax.declared

    @property
    def accepted(self) -> bool:
        return self.program is not None

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity is Severity.WARNING)


def load(
    file: Path | Decoded, options: CheckOptions = DEFAULTS, library: tuple[Path, ...] = ()
) -> FrontEnd:
    """The program in a file; UsageError where there is no such file or it cannot be read.

    A file that somebody has read already is not read a second time.

    `library` are further folders that `import <...>` looks through, after the built-in one.

    >>> result = load(Path("examples/cell.vpr"))
    >>> result.accepted, result.source.name
    (True, 'cell.vpr')
    """
    decoded = file if isinstance(file, Decoded) else decode(file, read_bytes(file))
    return _run(decoded, options, library)


def load_built(program: Program, source: SourceFile, options: CheckOptions = DEFAULTS) -> FrontEnd:
    """A typed program that somebody built, as if it had been read; its mistakes are told."""
    from pitviper.driver.front.built import misbuilt
    from pitviper.program.pairs import lifted_everywhere

    with paused_collector():
        wrong = run_deep(lambda: misbuilt(program, source, f"`{source.name}`", options))
        accepted = None if wrong else run_deep(lambda: lifted_everywhere(program))
    return FrontEnd(source, accepted, wrong)


def load_masked(
    source: SourceFile,
    masked: str,
    options: CheckOptions = DEFAULTS,
    library: tuple[Path, ...] = (),
) -> FrontEnd:
    """The program in a text of which parts are masked by blanks: as if they were not there."""
    with paused_collector():
        return run_deep(lambda: _stages(source, options, library, masked))


def load_text(
    text: str,
    name: str = "<text>",
    options: CheckOptions = DEFAULTS,
    library: tuple[Path, ...] = (),
) -> FrontEnd:
    """The program in a text; relative imports start in the folder of `name`.

    >>> result = load_text("field f: Int field f: Ref", "two.vpr")
    >>> [str(error.span) for error in result.errors]
    ['two.vpr@1.20--1.21']
    >>> [str(related.span) for related in result.errors[0].related]
    ['two.vpr@1.7--1.8']
    """
    return _run(_decode_text(text, name), options, library)


def with_imports(front: FrontEnd) -> tuple[Member, ...]:
    """The members of a text of Viper and of its imports as far as they can be read.

    Those of an accepted text are known; of one that is half written, imported files are read here,
    and what is wrong with them is not told.
    """
    if not isinstance(front.syntax, ViperSyntax):
        return ()
    if not any(isinstance(member, Import) for member in front.syntax.members):
        return front.syntax.members
    return splice_imports(front.syntax.tree, front.source, read_import).members


def parse_path(path: Path) -> Parsed:
    """The syntax tree of one file alone."""
    return _parse(decode(path, read_bytes(path)))


def parse_text(text: str, name: str = "<text>") -> Parsed:
    """The syntax tree of a text alone."""
    return _parse(_decode_text(text, name))


def _parse(decoded: Decoded) -> Parsed:
    source = decoded.source
    if decoded.problem is not None:
        nothing = File((), span=Span(source, 0, len(source.text)))
        return Parsed(nothing, (decoded.problem,))
    with paused_collector():
        return run_deep(lambda: parse_file(source))


def _decode_text(text: str, name: str) -> Decoded:
    """A text goes the way of a file, so that both answer alike (NUL, lone surrogates)."""
    return decode(Path(name), text.encode("utf-8", errors="surrogatepass"))


def _run(decoded: Decoded, options: CheckOptions, library: tuple[Path, ...]) -> FrontEnd:
    if decoded.problem is not None:
        return FrontEnd(decoded.source, None, (decoded.problem,))
    language = language_of(decoded.source.path)
    with paused_collector():
        if language is not None:
            return run_deep(lambda: _foreign(decoded.source, language, options))
        return run_deep(lambda: _stages(decoded.source, options, library))


def _foreign(source: SourceFile, language: Language, options: CheckOptions) -> FrontEnd:
    """A program of another language than Viper, read by its own front end and then validated."""
    from pitviper.driver.front.built import misbuilt
    from pitviper.program.pairs import lifted_everywhere

    loaded = language.load(source, options)
    built = loaded.program
    wrong = () if built is None else misbuilt(built, source, f"`{language.ending}`", options)
    return FrontEnd(
        source,
        None if wrong or built is None else lifted_everywhere(built),
        (*loaded.diagnostics, *wrong),
        loaded.syntax,
        language=language,
        types=loaded.types,
        infer_depth=options.infer_depth,
    )


def _stages(
    source: SourceFile,
    options: CheckOptions,
    library: tuple[Path, ...],
    masked: str | None = None,
) -> FrontEnd:
    """Each stage starts only if no earlier one found an error; warnings are kept."""
    parsed = parse_file(source, _keywords(options), masked)
    diagnostics = list(parsed.diagnostics)
    members = parsed.tree.members
    program = None
    imports: list[tuple[Path, SourceFile | str]] = []
    if not _failed(diagnostics):
        keywords = _keywords(options)
        spliced = splice_imports(
            parsed.tree,
            source,
            lambda path: _noted(imports, path),
            parse=lambda file: parse_file(file, keywords),
            reach=Reach((LIBRARY, *library), options.import_root),
        )
        members = spliced.members
        diagnostics.extend(spliced.diagnostics)
    if not _failed(diagnostics):
        expanded = expand_macros(members)
        diagnostics.extend(expanded.diagnostics)
        if not _failed(diagnostics):
            checked = check_members(expanded.members, options)
            diagnostics.extend(checked.diagnostics)
            if checked.program is not None and _has_marks(source, imports):
                from pitviper.plugins.verified_under import about_marks

                diagnostics.extend(about_marks(checked.program))
            if checked.program is not None and checked.program.functions:
                from pitviper.plugins.termination.unmeasured import about_unmeasured

                strict, proved = options.strict, options.termination
                found = about_unmeasured(checked.program, strict=strict, proved=proved)
                diagnostics.extend(found)
            if checked.program is not None and _may_have_lemmas(checked.program, source):
                from pitviper.plugins.termination.lemmas import about_lemmas

                diagnostics.extend(about_lemmas(checked.program))
            program = None if _failed(diagnostics) else checked.program
    found = tuple(diagnostics)
    syntax = ViperSyntax(parsed.tree, members)
    return FrontEnd(source, program, found, syntax, tuple(imports))


def _may_have_lemmas(program: Program, source: SourceFile) -> bool:
    """Whether a method without results may call itself: nothing is loaded for other programs."""
    return any(
        not method.returns and not method.decreases and source.text.count(f"{method.name}(") > 1
        for method in program.methods.values()
    )


def _has_marks(source: SourceFile, imports: list[tuple[Path, SourceFile | str]]) -> bool:
    """Most programs have none: nothing is loaded for them."""
    files = (source, *[file for _, file in imports if isinstance(file, SourceFile)])
    return any("@verified_under" in file.text for file in files)


def _noted(imports: list[tuple[Path, SourceFile | str]], path: Path) -> SourceFile | str:
    imports.append((path, read_import(path)))
    return imports[-1][1]


def _keywords(options: CheckOptions) -> frozenset[str]:
    return KEYWORDS | SMOKE_KEYWORDS if options.smoke_detection else KEYWORDS


def _failed(diagnostics: list[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in diagnostics)
