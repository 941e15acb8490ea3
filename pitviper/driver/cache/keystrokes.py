"""Reads a text that somebody edits: what a keystroke does not concern is not read again.

NOTE(keystrokes): the last accepted text is remembered as pieces (`outline.py`). After an edit in
methods, the front end sees the new text with blanks for methods that can neither notice the edit
nor be meant by it. Where it finds nothing wrong, or only what the parser cannot read, that is what
it would say of the whole text: masked methods had no problem, names that the edit mentions are
there, and so is the member behind the edit, which a parser that lost its way comes to. Errors of
the checker may speak of any name (suggestions), so for them only the bodies of other methods are
masked: every declaration is there. In all other cases the whole text is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pitviper.base.record import record
from pitviper.driver.cache.edits import Edit, edit_of, starts_of
from pitviper.driver.cache.outline import METHOD, Version, pieces_between, version_with
from pitviper.driver.front.frontend import FrontEnd, load, load_masked
from pitviper.driver.front.viper_syntax import own_members, viper_tree
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.reading import Decoded, decode
from pitviper.source.span import SourceFile, Span
from pitviper.syntax import tree

_MARK = "@verified_under"
"""Annotations whose warnings speak of the whole program."""


@record
class Reading:
    """What the front end says of a text.

    Without an `edit`, `front` is about the whole text. With one, it holds the members that the
    edit concerns, and its diagnostics are those of the whole text; the other members are those of
    the last accepted text, moved where they stand behind the edit.
    """

    front: FrontEnd
    accepted: bool
    edit: Edit | None = None
    moved: int = 0

    def place_now(self, at: int) -> int | None:
        """Where a place of the last accepted text is now; None inside of what changed."""
        assert self.edit is not None
        begin, end = self.edit.changed
        if at < begin:
            return at
        return at + self.moved if at >= end - self.moved else None


@record
class _Known:
    """The last accepted text; `bodies` are those of methods, counted from the method's start."""

    source: SourceFile
    version: Version
    bodies: Mapping[str, tuple[int, int]]


class EditedText:
    """One text, read after each edit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: _Known | None = None

    def read(self, text: str) -> Reading:
        """Returns what the front end says of the text as it is now."""
        decoded = decode(self._path, text.encode("utf-8", errors="surrogatepass"))
        if self._known is not None and decoded.problem is None:
            found = self._after_edit(decoded.source, self._known)
            if found is not None:
                return found
        return self._whole(decoded)

    def _whole(self, decoded: Decoded) -> Reading:
        front = load(decoded)
        found = viper_tree(front)
        if front.accepted and found is not None and _MARK not in front.source.text:
            starts = starts_of(found.members)
            settled = _settled(front)
            version = version_with(front.source, starts, front.imports, settled, "")
            bodies = _bodies(found.members)
            self._known = None if version is None else _Known(front.source, version, bodies)
        return Reading(front, front.accepted)

    def _after_edit(self, source: SourceFile, known: _Known) -> Reading | None:
        edit = edit_of(source, known.version, with_next=True)
        if edit is None or _MARK in source.text:
            return None
        front = load_masked(source, edit.masked)
        found = viper_tree(front)
        if found is None or not edit.stand_where_expected(found.members):
            return None
        if any(error.code != "parser.error" for error in front.errors):
            masked = _without_bodies(edit, known)
            front = load_masked(source, masked)
            found = viper_tree(front)
            if found is None or not _stand_all(edit, found.members):
                return None
        if not edit.imports_fit(front) and (front.imports or not front.errors):
            return None
        if front.accepted:
            self._known = _advanced(source, edit, known, front)
        moved = len(source.text) - len(known.source.text)
        return Reading(front, front.accepted, edit, moved)


def _settled(front: FrontEnd) -> frozenset[str]:
    """Methods of which the front end has nothing to say."""
    methods = [member for member in own_members(front) if isinstance(member, tree.Method)]
    places = [place.start for d in front.diagnostics for place in _places(d, front.source)]
    return frozenset(
        [
            method.name.name
            for method in methods
            if not any(method.span.start <= at <= method.span.end for at in places)
        ]
    )


def _places(diagnostic: Diagnostic, source: SourceFile) -> list[Span]:
    spans = [diagnostic.span, *[related.span for related in diagnostic.related]]
    return [span for span in spans if span is not None and span.file is source]


def _bodies(members: Iterable[tree.Member]) -> dict[str, tuple[int, int]]:
    """Where the insides of methods stand, without their braces, from the start of the method."""
    found: dict[str, tuple[int, int]] = {}
    for member in members:
        if isinstance(member, tree.Method) and member.body is not None:
            start, body = member.span.start, member.body.span
            found[member.name.name] = body.start + 1 - start, body.end - 1 - start
    return found


def _without_bodies(edit: Edit, known: _Known) -> str:
    """The text with blanks for the bodies of methods that are left as they were."""
    text = edit.source.text
    parts: list[str] = []
    at = 0
    for placed in sorted(edit.left, key=lambda placed: placed.start):
        inside = known.bodies.get(placed.piece.name)
        if inside is not None:
            first, last = placed.start + inside[0], placed.start + inside[1]
            parts += [text[at:first], " " * (last - first)]
            at = last
    return "".join([*parts, text[at:]])


def _stand_all(edit: Edit, members: Iterable[tree.Member]) -> bool:
    starts = {member.span.start for member in members}
    expected = [placed.start for placed in (*edit.kept, *edit.left) if placed.piece.kind]
    return starts.issuperset(expected)


def _advanced(source: SourceFile, edit: Edit, known: _Known, front: FrontEnd) -> _Known | None:
    """What is known after an edit that was accepted; None where pieces would not fit together."""
    begin, end = edit.changed
    members = [m for m in own_members(front) if begin <= m.span.start < end]
    starts = starts_of(members)
    if begin < end and (not starts or starts[0].at != begin):
        return None
    unchanged = sorted([*edit.kept, *edit.left], key=lambda placed: placed.start)
    methods = frozenset([p.piece.name for p in unchanged if p.piece.kind == METHOD])
    methods |= {start.method for start in starts if start.method is not None}
    new = pieces_between(source.text, starts, end, methods, _settled(front))
    first = [placed.piece for placed in unchanged if placed.end <= begin]
    last = [placed.piece for placed in unchanged if placed.end > begin]
    old = edit.before
    version = Version(old.shared, old.home, old.states, (*first, *new, *last))
    return _Known(source, version, {**known.bodies, **_bodies(members)})
