"""One text of the editor, and what is known about it: front end, index, answers of the verifier."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp

from pitviper.base.record import field, record, struct
from pitviper.driver.cache.keystrokes import EditedText, Reading
from pitviper.driver.cache.outline import Imports
from pitviper.driver.front.frontend import FrontEnd, load_text, with_imports
from pitviper.driver.front.viper_syntax import viper_members
from pitviper.driver.verify.verify import diagnosed, member_at
from pitviper.languages.registry import Language
from pitviper.results.report import Problem
from pitviper.servers.lsp.protocol.colours import Colours
from pitviper.servers.lsp.protocol.problems import Problems, problem_diagnostic
from pitviper.servers.lsp.texts.index import index_of
from pitviper.servers.lsp.texts.named_index import named_index
from pitviper.source.reading import unsaved
from pitviper.source.span import SourceFile, Span
from pitviper.syntax import tree


@record
class Told:
    """What others may rest on of one member: `start` is its place, None in an imported file."""

    start: int | None
    text: str


class Analysis:
    """A version of a text as the front end sees it.

    `reading` is what was read after the last edit; `front`, with all members where they stand now,
    is made when somebody asks for it, with imported files as in `texts`.
    """

    def __init__(
        self, version: int, reading: Reading, before: Analysis | None, texts: Mapping[Path, str]
    ) -> None:
        self.version = version
        self.reading = reading
        self._texts = texts
        self._front = None if reading.edit is not None else reading.front
        if reading.edit is None or before is None:
            front = self.front
            with unsaved(texts):
                members = with_imports(front)
            self.index = (
                index_of(front.source, members)
                if front.language is None
                else named_index(front.source, front.language)
            )
            self._told = [_told(member, front.source) for member in members]
        else:
            new = [m for m in viper_members(reading.front) if _is_new(reading, m)]
            self.index = before.index.after_edit(reading.front.source, new, reading.place_now)
            self._told = self._told_after(before._told, new)

    @property
    def front(self) -> FrontEnd:
        """All members of the text, read on demand."""
        if self._front is None:
            self._front = self.read_as(self.source.text)
        return self._front

    def read_as(self, text: str) -> FrontEnd:
        """What the front end says of another text in the place of this one."""
        with unsaved(self._texts):
            return load_text(text, str(self.source.path))

    @property
    def source(self) -> SourceFile:
        return self.reading.front.source

    @property
    def language(self) -> Language | None:
        """The language of the text; None for Viper."""
        return self.reading.front.language

    @property
    def accepted(self) -> bool:
        return self.reading.accepted

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the front end has to say about the text."""
        return diagnosed(self.reading.front, self.reading.front.diagnostics)

    @cached_property
    def surroundings(self) -> str:
        """What a verdict about a member may rest on: all but the bodies of methods."""
        if self.language is not None:
            return self.source.text
        return "\n".join([told.text for told in self._told])

    def _told_after(self, before: list[Told], new: list[tree.Member]) -> list[Told]:
        assert self.reading.edit is not None
        found: list[Told] = []
        waiting = [_told(member, self.source) for member in new]
        begin = self.reading.edit.changed[0]
        for told in before:
            if told.start is None:
                found.append(told)
                continue
            now = self.reading.place_now(told.start)
            if waiting and (now is None or now >= begin):
                found.extend(waiting)
                waiting = []
            if now is not None:
                found.append(told if now == told.start else Told(now, told.text))
        return [*found, *waiting]

    def member_at(self, offset: int) -> str | None:
        """Returns the name of the member around a place."""
        if self.language is not None:
            return member_at(self.reading.front, offset)
        return self.index.member_at(offset)

    @property
    def verified_members(self) -> list[str]:
        """Returns the names of members that a verifier has something to say about."""
        if self.language is not None:
            program = self.front.program
            if program is None:
                return []
            return [*program.methods, *program.functions, *program.predicates]
        return [d.name for d in self.index.members() if d.kind in _VERIFIED]

    def member_span(self, name: str) -> Span | None:
        """Returns where a member of this text stands."""
        for declared in self.index.by_name.get(name, ()):
            here = declared.whole.file is self.source and declared.scope is None
            if here:
                return declared.whole
        return next((d.span for d in self.reading.front.declared if d.name == name), None)


_VERIFIED = ("method", "function", "predicate")


def _is_new(reading: Reading, member: tree.Member) -> bool:
    """Whether a member stands in the text that an edit has changed."""
    assert reading.edit is not None
    begin, end = reading.edit.changed
    return member.span.file is reading.front.source and begin <= member.span.start < end


def _told(member: tree.Member, source: SourceFile) -> Told:
    start = member.span.start if member.span.file is source else None
    return Told(start, _told_to_others(member))


def _told_to_others(member: tree.Member) -> str:
    """The text of a member as far as others may rest on it."""
    text = member.span.text
    if not isinstance(member, tree.Method) or member.body is None:
        return text
    body = member.body.span
    return text[: body.start - member.span.start]


@struct
class Document:
    """A text that the editor has open; `analysis` is that of the last version looked at."""

    uri: str
    text: str
    version: int
    analysis: Analysis | None = None
    problems: Problems | None = None
    colours: Colours | None = None
    edited: EditedText | None = None
    accepted: Analysis | None = None
    """The last analysis of a text that the front end accepted: later ones start from it."""
    texts: Mapping[Path, str] = field(default_factory=dict)
    """All texts that the editor has open: they are what imports mean, saved or not."""
    _text_read: str | None = None

    @property
    def path(self) -> Path:
        return path_of(self.uri)

    @property
    def place(self) -> Path:
        """The path as an import of it is told: absolute, links not followed."""
        return Path(os.path.abspath(self.path))

    def change(self, text: str, version: int) -> None:
        """Replaces the text; answers about members whose text is another one now are dropped."""
        self.text, self.version = text, version

    @property
    def is_read(self) -> bool:
        """Whether the text as it is now was analysed: what is known of members fits it then."""
        known = self.analysis
        return known is not None and (known.version, self._text_read) == (self.version, self.text)

    def imports_changed(self) -> None:
        """What was found out with other imported files is not known any more."""
        self.analysis = self.colours = None

    @property
    def imports(self) -> Imports:
        """The files that were looked for when the text was read last, with what they said."""
        return () if self.analysis is None else self.analysis.reading.front.imports

    @property
    def imported(self) -> tuple[Path, ...]:
        return tuple([path for path, _ in self.imports])

    @property
    def open_imports(self) -> dict[str, str]:
        """Those of them that the editor has open, as it has them."""
        return {str(path): self.texts[path] for path in self.imported if path in self.texts}

    def current(self) -> Analysis:
        """Returns the analysis of the text as it is now."""
        known = self.analysis
        if known is None or not self.is_read:
            if self.edited is None:
                self.edited = EditedText(self.path)
            with unsaved(self.texts):
                reading = self.edited.read(self.text)
            known = Analysis(self.version, reading, self.accepted, self.texts)
            self.analysis, self._text_read = known, self.text
            if known.accepted:
                self.accepted = known
            if self.problems is not None:
                self.problems.follow(known.member_span, known.surroundings)
        return known

    def diagnostics(self) -> list[lsp.Diagnostic]:
        """Returns what the front end says, and what is known of members that did not change."""
        analysis = self.current()
        path = analysis.source.path
        found = [problem_diagnostic(problem, path, self.version) for problem in analysis.problems]
        if self.problems is not None and analysis.accepted:
            found.extend(self.problems.diagnostics(analysis.source))
        if self.colours is not None and self.colours.text == self.text:
            found.extend(self.colours.diagnostics())
        return found


def path_of(uri: str) -> Path:
    """Returns the path of a document; one that is no file has its name as path."""
    parsed = urlparse(uri)
    return Path(unquote(parsed.path)) if parsed.scheme == "file" else Path(unquote(uri))


def uri_of(path: Path) -> str:
    """Returns the address of a file."""
    return path.absolute().as_uri()
