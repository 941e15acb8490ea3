"""Which members an edit of a file can concern: the text of all others is not even parsed.

NOTE(edit). The text between the first and the last piece that changed is looked at anew, with all
other declarations and those methods that can be concerned: methods that mention a method of the
changed text, directly or not, and methods that are mentioned by any of these. Only what is
mentioned can be meant. The other methods were verified with the same declarations, imports and
options, and all that they mention is as it was. Their text is blanked out, so places stay what
they are.

Whatever is unusual ends this: an edit of another declaration, a name that is new and was mentioned
before, text that does not end where the pieces say, anything that the front end complains about.
The whole file is read then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from pitviper.base.record import record
from pitviper.driver.cache.imports import home_of, states_of
from pitviper.driver.cache.pieces import METHOD, OTHER, Piece, Start, Version, digest_of, words_of
from pitviper.results.member import MemberOutcome
from pitviper.source.file import SourceFile
from pitviper.source.span import Span
from pitviper.syntax import tree

if TYPE_CHECKING:
    from pitviper.driver.front.frontend import FrontEnd

_DECLARED = re.compile(r"\bmethod\s+([A-Za-z_$][A-Za-z0-9_$]*)")
_BLANKED = re.compile(r"[^\n]")


@record
class _Placed:
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
    kept: tuple[_Placed, ...]
    left: tuple[_Placed, ...]
    changed: tuple[int, int]
    declared: frozenset[str]

    def fits(self, front: FrontEnd) -> bool:
        """Whether the front end has found nothing but what is expected."""
        if front.diagnostics or front.tree is None:
            return False
        home, states = home_of(self.source.path, front.imports), states_of(front.imports)
        if (home, tuple(states)) != (self.before.home, self.before.states):
            return False
        return self._stand_where_expected(front.tree.members)

    def _stand_where_expected(self, members: Iterable[tree.Member]) -> bool:
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


def edit_of(source: SourceFile, before: Version) -> Edit | None:
    """How the text differs from an earlier one; None if most of it has to be looked at."""
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
    concerned = _concerned(names, words_of(text[begin:end]), declared | {p.name for p in gone})
    left = [p for p in same if p.piece.kind == METHOD and p.piece.name not in concerned]
    kept = [p for p in same if p.piece.kind != METHOD or p.piece.name in concerned]
    if not left:
        return None
    masked = _masked(text, left)
    return Edit(source, masked, before, tuple(kept), tuple(left), (begin, end), declared)


def _same_from_the_start(text: str, pieces: tuple[Piece, ...]) -> list[_Placed]:
    found: list[_Placed] = []
    at = 0
    for piece in pieces:
        if digest_of(text[at : at + piece.size]) != piece.digest:
            break
        found.append(_Placed(at, piece))
        at += piece.size
    return found


def _same_from_the_end(text: str, pieces: tuple[Piece, ...], first: list[_Placed]) -> list[_Placed]:
    found: list[_Placed] = []
    begin, at = first[-1].end if first else 0, len(text)
    for piece in reversed(pieces[len(first) :]):
        start = at - piece.size
        if start < begin or digest_of(text[start:at]) != piece.digest:
            break
        found.append(_Placed(start, piece))
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


def _masked(text: str, left: Iterable[_Placed]) -> str:
    parts: list[str] = []
    at = 0
    for placed in sorted(left, key=lambda placed: placed.start):
        parts += [text[at : placed.start], _BLANKED.sub(" ", text[placed.start : placed.end])]
        at = placed.end
    return "".join([*parts, text[at:]])
