"""What a file consisted of when it was verified last: pieces of text, one for each member.

A piece reaches from the start of its member to that of the next one, so it includes the comments
behind it. What stands before the first member is a piece without member.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from pitviper.base.digest import blake2b
from pitviper.base.place import absolute
from pitviper.base.record import record
from pitviper.driver.cache.serialise import Json
from pitviper.results.report import FileReport
from pitviper.source.reading import read_import
from pitviper.source.span import SourceFile

METHOD, OTHER, NOTHING = "method", "other", ""
"""Kinds of pieces."""

FEWEST = 2
"""Settled methods that a version must have to be worth remembering."""

_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


@record
class Start:
    """Where a member begins, and its name if it is a method."""

    at: int
    method: str | None


@record
class Piece:
    """`mentions` are the names of methods that occur in the text, comments included.

    What is `settled` was verified, and there is nothing else to say about it.
    """

    digest: str
    size: int
    kind: str
    name: str = ""
    mentions: tuple[str, ...] = ()
    settled: bool = False


@record
class Version:
    """`shared` is the digest of the declarations that all members see, plugins applied.

    `home` and `states` say what imports have led to.
    """

    shared: str
    home: str
    states: tuple[Json, ...]
    pieces: tuple[Piece, ...]


def version_of(
    source: SourceFile, starts: Iterable[Start], imports: Imports, report: FileReport, shared: str
) -> Version | None:
    """None where it would be of no use, or methods can be meant elsewhere (macros, imports)."""
    return version_with(source, starts, imports, _settled(report), shared)


def version_with(
    source: SourceFile,
    starts: Iterable[Start],
    imports: Imports,
    settled: frozenset[str],
    shared: str,
) -> Version | None:
    """The same, where it is known of which methods there is nothing to say."""
    found = sorted(starts, key=lambda start: start.at)
    methods = frozenset([start.method for start in found if start.method is not None])
    first = found[0].at if found else len(source.text)
    pieces = [_piece(source.text[:first], NOTHING, "", methods, settled)]
    pieces += pieces_between(source.text, found, len(source.text), methods, settled)
    if sum(piece.settled for piece in pieces) < FEWEST:
        return None
    if any(piece.kind == OTHER and piece.mentions for piece in pieces):
        return None
    if any(_means_methods(file, methods) for _, file in imports):
        return None
    home = home_of(Path(source.path), imports)
    return Version(shared, home, tuple(states_of(imports)), tuple(pieces))


def pieces_between(
    text: str, starts: list[Start], end: int, methods: frozenset[str], settled: frozenset[str]
) -> list[Piece]:
    """The pieces of members that stand behind each other, the last of them up to `end`."""
    pieces: list[Piece] = []
    ends = [*[start.at for start in starts[1:]], end]
    for start, until in zip(starts, ends, strict=bool(starts)):
        kind = OTHER if start.method is None else METHOD
        pieces.append(_piece(text[start.at : until], kind, start.method or "", methods, settled))
    return pieces


def _means_methods(imported: SourceFile | str, methods: frozenset[str]) -> bool:
    return isinstance(imported, SourceFile) and bool(words_of(imported.text) & (methods | {METHOD}))


def _settled(report: FileReport) -> frozenset[str]:
    """Members about which there is nothing to say but that they are verified."""
    return frozenset(
        [
            outcome.name
            for outcome in report.outcomes
            if not outcome.findings
            and not outcome.omitted
            and not outcome.undecided
            and not outcome.warnings
            and not outcome.inferred
            and outcome.crash is None
        ]
    )


def _piece(
    text: str, kind: str, name: str, methods: frozenset[str], settled: frozenset[str]
) -> Piece:
    mentions = tuple(sorted(words_of(text) & methods - {name})) if kind else ()
    is_settled = kind == METHOD and name in settled
    return Piece(digest_of(text), len(text), kind, name, mentions, is_settled)


def words_of(text: str) -> frozenset[str]:
    """All words of a text, also those in comments: more than the names that it means."""
    return frozenset(_WORD.findall(text))


def digest_of(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=24).hexdigest()


Imports = tuple[tuple[Path, SourceFile | str], ...]
"""The files that were looked for, each with its text or why it cannot be read."""


def home_of(path: Path, imports: Imports) -> str:
    """Where imports are looked for, and how places in several files are sorted."""
    if not imports:
        return ""
    return str(path) if path.is_absolute() else f"{absolute(os.curdir)}: {path}"


def states_of(imports: Imports) -> list[Json]:
    return [[str(path), _state(found)] for path, found in imports]


def read_now(imports: Imports) -> Imports:
    """The same files as they are now."""
    return tuple([(path, read_import(path)) for path, _ in imports])


def read_again(path: Path, home: str, states: Json) -> Imports | None:
    """The files as they are now; None if one of them, or the place of the program, has changed."""
    found: list[tuple[Path, SourceFile | str]] = []
    for item in states if isinstance(states, list) else []:
        match item:
            case [str(name), str(state)]:
                file = read_import(Path(name))
                if _state(file) != state:
                    return None
                found.append((Path(name), file))
            case _:
                return None
    return tuple(found) if home == home_of(path, tuple(found)) else None


def _state(found: SourceFile | str) -> str:
    if isinstance(found, str):
        return f"unreadable {found}"
    return blake2b(found.text.encode("utf-8", "surrogatepass"), digest_size=24).hexdigest()
