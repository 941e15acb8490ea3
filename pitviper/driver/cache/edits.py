"""Remembers what a file consisted of, so that an edit costs what it concerns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.base.digest import blake2b
from pitviper.base.json_text import read_json
from pitviper.base.place import absolute
from pitviper.base.record import record
from pitviper.driver.cache.files import file_option_texts, is_answer
from pitviper.driver.cache.folder import CacheFolder
from pitviper.driver.cache.outline import (
    METHOD,
    OTHER,
    Piece,
    Start,
    Version,
    digest_of,
    home_of,
    states_of,
    version_of,
    words_of,
)
from pitviper.driver.cache.serialise import Json, Unreadable
from pitviper.driver.cache.stamp import stamp
from pitviper.driver.front.viper_syntax import viper_tree
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.report import FileReport
from pitviper.results.verdict import MemberOutcome
from pitviper.source.reading import STDIN, Decoded
from pitviper.source.span import SourceFile, Span
from pitviper.syntax import tree

if TYPE_CHECKING:
    from pitviper.driver.front.frontend import FrontEnd
    from pitviper.driver.verify.verify import ProgramOutcome


class EditCache:
    """The last version of each file, for one choice of options and library folders."""

    def __init__(
        self, folder: CacheFolder, options: VerifyOptions, library: tuple[Path, ...]
    ) -> None:
        self._folder = folder
        folders = [absolute(path) for path in library]
        self._start = ["version", stamp(), *file_option_texts(options), *folders]

    def find(self, decoded: Decoded) -> Edit | None:
        """How the file differs from its last version; None if there is no use in knowing it."""
        source = decoded.source
        if source.path == STDIN or decoded.problem is not None:
            return None
        key = self._key(source.path)
        text = self._folder.read(key)
        if text is None:
            return None
        try:
            before = _read(text)
        except (Unreadable, ValueError):
            self._folder.forget(key)
            return None
        return edit_of(source, before)

    def save(self, done: ProgramOutcome, report: FileReport, edit: Edit | None) -> None:
        """After a verification, of the whole file or of what an edit concerns."""
        front = done.front
        shared = None if done.verification is None else done.verification.shared
        found = viper_tree(front)
        if found is None or front.diagnostics or shared is None or not is_answer(report):
            return
        members = found.members
        starts = starts_of(members) if edit is None else edit.starts(members)
        version = version_of(front.source, starts, front.imports, report, shared)
        if version is not None and report.file != STDIN:
            self._write(front.source, version)

    def _write(self, source: SourceFile, version: Version) -> None:
        pieces: list[Json] = [
            [p.digest, p.size, p.kind, p.name, list(p.mentions), p.settled] for p in version.pieces
        ]
        data: list[Json] = [version.shared, version.home, list(version.states), pieces]
        self._folder.write(self._key(source.path), json.dumps(data, separators=(",", ":")))

    def _key(self, path: Path) -> str:
        digest = blake2b(digest_size=24)
        for text in (*self._start, absolute(path)):
            data = text.encode("utf-8", "surrogatepass")
            digest.update(b"%d " % len(data) + data)
        return digest.hexdigest()


def _read(text: str) -> Version:
    match read_json(text):
        case [str(shared), str(home), list(states), list(pieces)]:
            return Version(shared, home, tuple(states), tuple([_piece(data) for data in pieces]))
    raise Unreadable("no version")


def _piece(data: Json) -> Piece:
    match data:
        case [str(digest), int(size), str(kind), str(name), list(mentions), bool(settled)]:
            if size >= 0 and all(isinstance(mentioned, str) for mentioned in mentions):
                return Piece(digest, size, kind, name, tuple(map(str, mentions)), settled)
    raise Unreadable("no piece")


_DECLARED = re.compile(r"\bmethod\s+([A-Za-z_$][A-Za-z0-9_$]*)")


@record
class Placed:
    """A piece that is as it was, where it stands now."""

    start: int
    piece: Piece

    @property
    def end(self) -> int:
        return self.start + self.piece.size


@record
class Edit:
    """`masked` is the text with blanks in place of members that are `left` as they were."""

    source: SourceFile
    masked: str
    before: Version
    kept: tuple[Placed, ...]
    left: tuple[Placed, ...]
    changed: tuple[int, int]
    declared: frozenset[str]

    def fits(self, front: FrontEnd) -> bool:
        """Whether the front end has found nothing but what is expected."""
        found = viper_tree(front)
        if front.diagnostics or found is None:
            return False
        return self.imports_fit(front) and self.stand_where_expected(found.members)

    def imports_fit(self, front: FrontEnd) -> bool:
        """Whether imports have led to what they led to before."""
        home, states = home_of(self.source.path, front.imports), states_of(front.imports)
        return (home, tuple(states)) == (self.before.home, self.before.states)

    def stand_where_expected(self, members: Iterable[tree.Member]) -> bool:
        """Whether the members are those that were kept, and methods of the changed text."""
        expected = {placed.start: placed.end for placed in self.kept if placed.piece.kind}
        for member in members:
            end = expected.pop(member.span.start, None)
            if end is None and not self._is_new(member):
                return False
            if end is not None and member.span.end > end:
                return False
        return not expected

    def _is_new(self, member: tree.Member) -> bool:
        """Whether it is a method of the changed text, and one that was foreseen."""
        begin, end = self.changed
        inside = begin <= member.span.start and member.span.end <= end
        return inside and isinstance(member, tree.Method) and member.name.name in self.declared

    def settled(self) -> tuple[tuple[Span, MemberOutcome], ...]:
        """What is known about the members that are left as they were."""
        return tuple(
            [
                (
                    Span(self.source, placed.start, placed.end),
                    MemberOutcome(placed.piece.name, METHOD, remembered=True),
                )
                for placed in self.left
            ]
        )

    def starts(self, members: Iterable[tree.Member]) -> list[Start]:
        """Of all members of the file, given those that were parsed."""
        left = [Start(placed.start, placed.piece.name) for placed in self.left]
        return [*left, *starts_of(members)]


def starts_of(members: Iterable[tree.Member]) -> list[Start]:
    return [
        Start(member.span.start, member.name.name if isinstance(member, tree.Method) else None)
        for member in members
    ]


def edit_of(source: SourceFile, before: Version, *, with_next: bool = False) -> Edit | None:
    """How the text differs from an earlier one; None if most of it has to be looked at.

    With `with_next`, the member behind the change is not left out: a parser that meets an error
    may go on until it sees that one.
    """
    text = source.text
    first = _same_from_the_start(text, before.pieces)
    last = _same_from_the_end(text, before.pieces, first)
    begin = first[-1].end if first else 0
    end = last[0].start if last else len(text)
    same = [*first, *last]
    gone = before.pieces[len(first) : len(before.pieces) - len(last)]
    if any(piece.kind == OTHER for piece in gone) or not _is_apart(text, begin, end):
        return None
    declared = frozenset(_DECLARED.findall(text[begin:end]))
    names = {placed.piece.name: placed.piece for placed in same if placed.piece.kind == METHOD}
    new = declared - {piece.name for piece in gone}
    if new and (new & words_of(text[:begin] + " " + text[end:])):
        return None
    words = words_of(text[begin:end])
    if with_next and last:
        words |= {last[0].piece.name}
    concerned = _concerned(names, words, declared | {p.name for p in gone})
    left = [p for p in same if p.piece.kind == METHOD and p.piece.name not in concerned]
    kept = [p for p in same if p.piece.kind != METHOD or p.piece.name in concerned]
    if not left:
        return None
    masked = _masked(text, left)
    return Edit(source, masked, before, tuple(kept), tuple(left), (begin, end), declared)


def _same_from_the_start(text: str, pieces: tuple[Piece, ...]) -> list[Placed]:
    found: list[Placed] = []
    at = 0
    for piece in pieces:
        if digest_of(text[at : at + piece.size]) != piece.digest:
            break
        found.append(Placed(at, piece))
        at += piece.size
    return found


def _same_from_the_end(text: str, pieces: tuple[Piece, ...], first: list[Placed]) -> list[Placed]:
    found: list[Placed] = []
    begin, at = first[-1].end if first else 0, len(text)
    for piece in reversed(pieces[len(first) :]):
        start = at - piece.size
        if start < begin or digest_of(text[start:at]) != piece.digest:
            break
        found.append(Placed(start, piece))
        at = start
    return found[::-1]


def _is_apart(text: str, begin: int, end: int) -> bool:
    """Whether no comment or word of the changed text can go on behind it."""
    return begin == end or end == len(text) or text[end - 1] == "\n"


def _concerned(
    same: Mapping[str, Piece], mentioned: frozenset[str], changed: frozenset[str]
) -> frozenset[str]:
    """Of the methods with the same text: who can notice the change, and all that they mention."""
    users: dict[str, list[str]] = {}
    for piece in same.values():
        for name in piece.mentions:
            users.setdefault(name, []).append(piece.name)
    unsettled = [piece.name for piece in same.values() if not piece.settled]
    noticing = _closure(changed, lambda name: users.get(name, ()))
    needed = [*noticing, *unsettled, *[name for name in same if name in mentioned]]
    return _closure(needed, lambda name: same[name].mentions if name in same else ())


def _closure(names: Iterable[str], more: Callable[[str], Iterable[str]]) -> frozenset[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(more(name))
    return frozenset(found)


def _masked(text: str, left: Iterable[Placed]) -> str:
    parts: list[str] = []
    at = 0
    for placed in sorted(left, key=lambda placed: placed.start):
        parts += [text[at : placed.start], " " * placed.piece.size]
        at = placed.end
    return "".join([*parts, text[at:]])
