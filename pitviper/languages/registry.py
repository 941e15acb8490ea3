"""Languages by the ending of a file: text in, typed program out.

Viper itself is read by `driver/front`; a language that is registered here is read by its own
`load`. docs/front-ends.md shows a whole language in a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pitviper.base.record import field, record
from pitviper.checking.options import CheckOptions
from pitviper.program.member import Program
from pitviper.results.wording import COOL as COOL_WORDING
from pitviper.results.wording import VIPER, Wording, register_wording
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.span import SourceFile, Span

if TYPE_CHECKING:
    from pitviper.checking.typed_input import InputReader
    from pitviper.languages.names import Names


@record
class Declared:
    """A declaration of a file that messages can name."""

    name: str
    span: Span


class Syntax(Protocol):
    """What a language knows about the text of a program, once it is read."""

    @property
    def declared(self) -> tuple[Declared, ...]:
        """The declarations that messages can name, with their places."""

    def reader(self, options: CheckOptions) -> InputReader:
        """What reads expressions that are typed in beside the program, in a scope."""


@record
class Declarations:
    """The syntax of most languages: `input_reader` reads what is typed in.

    Where a language has no reader of its own, expressions over variables are read as in Viper.
    """

    declared: tuple[Declared, ...] = ()
    input_reader: InputReader | None = None

    def reader(self, options: CheckOptions) -> InputReader:
        """The reader of the language, or that of Viper for a program without members."""
        from pitviper.checking.typed_input import TypedInput

        return self.input_reader or TypedInput((), options)


FIELDS = ""
"""The types of fields stand under this name of a member."""


@record
class Loaded:
    """What a language makes of a file; there is a program exactly if there is no error.

    `syntax` is what is known about the text. `types` are the types of variables in words of the
    language, by member, and those of fields (`FIELDS`); types of the core are shown where they are
    not.
    """

    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    syntax: Syntax = Declarations()
    types: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@record
class Language:
    """A source language. `ending` is that of its files, with the dot.

    `infers_ghosts`: opening and closing predicates is left out in its programs, so it is inferred.
    `runnable` puts in what a run needs and a proof does not, such as the choice between methods.
    `layout` is the formatter: the text of a file in regular form, or what is wrong with it.
    `names` finds declarations and uses of names, also in a file with mistakes.
    `tries_cures`: contracts and statements are written as in Viper but for the `Wording`, so that
    cures can be tried in its texts.
    `wording` is what the language says otherwise than Viper, `words` are its keywords.
    `statement_at` says where the statement begins that a place is in, `result_at` of which type the
    result of the method is that it is in.
    """

    name: str
    ending: str
    load: Callable[[SourceFile, CheckOptions], Loaded]
    infers_ghosts: bool = False
    tries_cures: bool = False
    runnable: Callable[[Program], Program] | None = None
    layout: Callable[[SourceFile], tuple[str | None, tuple[Diagnostic, ...]]] | None = None
    wording: Wording = VIPER
    names: Callable[[SourceFile], Names] | None = None
    words: Callable[[], frozenset[str]] = frozenset
    statement_at: Callable[[SourceFile, int], int] | None = None
    result_at: Callable[[SourceFile, int], str | None] | None = None


def _load_cool(source: SourceFile, options: CheckOptions) -> Loaded:
    from pitviper.languages.cool.lower import load

    return load(source, options)


def _runnable_cool(program: Program) -> Program:
    from pitviper.languages.cool.dispatch import with_dispatch

    return with_dispatch(program)


def _layout_cool(source: SourceFile) -> tuple[str | None, tuple[Diagnostic, ...]]:
    from pitviper.languages.cool.layout import format_cool

    return format_cool(source)


def _names_of_cool(source: SourceFile) -> Names:
    from pitviper.languages.cool.names import names_of

    return names_of(source)


def _words_of_cool() -> frozenset[str]:
    from pitviper.languages.cool.lexer import KEYWORDS

    return KEYWORDS


def _statement_of_cool(source: SourceFile, offset: int) -> int:
    from pitviper.languages.cool.places import statement_at

    return statement_at(source, offset)


def _result_of_cool(source: SourceFile, offset: int) -> str | None:
    from pitviper.languages.cool.places import result_at

    return result_at(source, offset)


COOL = Language(
    "cool",
    ".cool",
    _load_cool,
    infers_ghosts=True,
    tries_cures=True,
    runnable=_runnable_cool,
    layout=_layout_cool,
    wording=COOL_WORDING,
    names=_names_of_cool,
    words=_words_of_cool,
    statement_at=_statement_of_cool,
    result_at=_result_of_cool,
)

_LANGUAGES: dict[str, Language] = {COOL.ending: COOL}


def register(language: Language) -> None:
    """Makes a language known; one with the same ending is replaced."""
    _LANGUAGES[language.ending] = language
    register_wording(language.ending, language.wording)


def language_of(path: Path) -> Language | None:
    """The language of a file; None for Viper, which is also the language of unknown endings."""
    return _LANGUAGES.get(path.suffix)
