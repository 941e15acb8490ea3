"""One text of the editor, and what is known about it: front end, index, answers of the verifier."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp

from pitviper.base.record import record, struct
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.verify.verify import diagnosed, member_at
from pitviper.servers.lsp.index import Index, index_of
from pitviper.servers.lsp.problems import Problems, problem_diagnostic
from pitviper.source.span import SourceFile, Span
from pitviper.syntax import tree


@record
class Analysis:
    """A version of a text as the front end sees it."""

    version: int
    front: FrontEnd
    index: Index

    @property
    def source(self) -> SourceFile:
        return self.front.source

    @property
    def surroundings(self) -> str:
        """What a verdict about a member may rest on: all but the bodies of methods."""
        if self.front.language is not None:
            return self.source.text
        return "\n".join([_told_to_others(member) for member in self.front.members])

    def member_at(self, offset: int) -> str | None:
        """Returns the name of the member around a place."""
        return member_at(self.front, offset)

    def member_span(self, name: str) -> Span | None:
        """Returns where a member of this text stands."""
        for declared in self.index.by_name.get(name, ()):
            here = declared.whole.file is self.source and declared.scope is None
            if here:
                return declared.whole
        return next((d.span for d in self.front.declared if d.name == name), None)


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

    @property
    def path(self) -> Path:
        return path_of(self.uri)

    def change(self, text: str, version: int) -> None:
        """Replaces the text; answers about members whose text is another one now are dropped."""
        self.text, self.version = text, version

    def current(self) -> Analysis:
        """Returns the analysis of the text as it is now."""
        known = self.analysis
        if known is None or known.version != self.version or known.source.text != self.text:
            front = load_text(self.text, str(self.path))
            members = front.members if front.tree is None else (front.members or front.tree.members)
            known = Analysis(self.version, front, index_of(front.source, members))
            self.analysis = known
            if self.problems is not None:
                self.problems.follow(known.member_span, known.surroundings)
        return known

    def diagnostics(self) -> list[lsp.Diagnostic]:
        """Returns what the front end says, and what is known of members that did not change."""
        analysis = self.current()
        path = analysis.source.path
        found = [
            problem_diagnostic(problem, path)
            for problem in diagnosed(analysis.front, analysis.front.diagnostics)
        ]
        if self.problems is not None and analysis.front.accepted:
            found.extend(self.problems.diagnostics(analysis.source))
        return found


def path_of(uri: str) -> Path:
    """Returns the path of a document; one that is no file has its name as path."""
    parsed = urlparse(uri)
    return Path(unquote(parsed.path)) if parsed.scheme == "file" else Path(unquote(uri))


def uri_of(path: Path) -> str:
    """Returns the address of a file."""
    return path.absolute().as_uri()
