"""Puts the members of imported files in the place of their imports."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

from pitviper.base.place import absolute
from pitviper.base.record import record, replace
from pitviper.base.similar import nearest
from pitviper.checking.scope import Globals
from pitviper.program.expr import PREDICATE_INSTANCE
from pitviper.program.types import BOOL, INT, PERM, REF, MultisetType, SeqType, SetType, Type
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.span import NO_SPAN, SourceFile
from pitviper.syntax import tree
from pitviper.syntax.parse.parser import Parsed, parse_file

LIBRARY = Path(__file__).parent.parent / "library"
"""The files that `import <...>` finds."""

ReadFile: TypeAlias = Callable[[Path], SourceFile | str]
"""The file at a path; a string says why it cannot be read."""

ParseFile: TypeAlias = Callable[[SourceFile], Parsed]


@record
class Reach:
    """`library` are the folders that `import <...>` looks through, in this order.

    Other imports do not leave the folder `root`, if there is one.
    """

    library: tuple[Path, ...] = (LIBRARY,)
    root: Path | None = None


BUILT_IN = Reach()


@record
class Spliced:
    """The members of all files, without imports.

    The diagnostics are those of the imports and of the imported files, not of the main file.
    """

    members: tuple[tree.Member, ...]
    diagnostics: tuple[Diagnostic, ...]


def splice_imports(
    main: tree.File,
    source: SourceFile,
    read: ReadFile,
    *,
    parse: ParseFile = parse_file,
    reach: Reach = BUILT_IN,
) -> Spliced:
    """Replace imports by the members of their files; each file counts once."""
    splicing = _Splicing(read, parse, reach)
    splicing.run(main, _Place(_absolute(source.path), None))
    return Spliced(tuple(splicing.members), tuple(splicing.diagnostics))


@record
class _Place:
    """A file: its absolute path, and its path inside the library if it belongs to that."""

    path: Path
    library_path: str | None


class _Splicing:
    """One walk through a program's files."""

    def __init__(self, read: ReadFile, parse: ParseFile, reach: Reach) -> None:
        self.members: list[tree.Member] = []
        self.diagnostics: list[Diagnostic] = []
        self._read = read
        self._parse = parse
        self._library = reach.library
        self._root = None if reach.root is None else os.path.realpath(reach.root)
        self._seen: set[Path] = set()
        self._advisor = Advisor(reach.library)

    def run(self, main: tree.File, place: _Place) -> None:
        """Go through the members of all files in order; `files` are those being imported now."""
        self._seen.add(place.path)
        files: list[tuple[_Place, Iterator[tree.Member]]] = [(place, iter(main.members))]
        while files:
            place, members = files[-1]
            member = next(members, None)
            if member is None:
                files.pop()
            elif not isinstance(member, tree.Import):
                self.members.append(member)
            elif (opened := self._open(member, place)) is not None:
                files.append(opened)

    def _open(
        self, member: tree.Import, importer: _Place
    ) -> tuple[_Place, Iterator[tree.Member]] | None:
        """The file that an import names; None if it is known already or cannot be read."""
        places = self._candidates(member, importer)
        reason = "the path leads out of the library"
        for place in places:
            if place.path in self._seen:
                return None
            if self._is_outside(place):
                self._refuse(member)
                return None
            file = self._read(place.path)
            if not isinstance(file, str):
                self._seen.add(place.path)
                return place, iter(self._members(file, member))
            reason = file
        self._report(member, places, reason)
        return None

    def _is_outside(self, place: _Place) -> bool:
        """Whether an import leads out of the folder that it is confined to, by whatever way."""
        if self._root is None or place.library_path is not None:
            return False
        real = os.path.realpath(place.path)
        return os.path.commonpath([self._root, real]) != self._root

    def _candidates(self, member: tree.Import, importer: _Place) -> list[_Place]:
        """Where the file may be. A quoted import inside a library file stays in the library."""
        if member.library:
            path = posixpath.normpath(member.path)
        elif importer.library_path is not None:
            folder = posixpath.dirname(importer.library_path)
            path = posixpath.normpath(posixpath.join(folder, member.path))
        else:
            return [_Place(_absolute(importer.path.parent, member.path), None)]
        if path.startswith(("/", "..")):
            return []
        return [_Place(_absolute(root, path), path) for root in self._library]

    def _members(self, file: SourceFile, member: tree.Import) -> tuple[tree.Member, ...]:
        parsed = self._parse(file)
        here = Related(member.span, "imported here")
        for diagnostic in parsed.diagnostics:
            self.diagnostics.append(replace(diagnostic, related=(*diagnostic.related, here)))
        return parsed.tree.members

    def _report(self, member: tree.Import, places: list[_Place], reason: str) -> None:
        tried = places[0].path if places else None
        advice = None if self._root is not None else self._advisor.help_for(member, tried)
        self._tell(member, reason, advice)

    def _refuse(self, member: tree.Import) -> None:
        """Nothing is said about what is outside, not even whether it exists."""
        self._tell(member, "it leads out of the folder of --import-root", None)

    def _tell(self, member: tree.Import, reason: str, advice: str | None) -> None:
        shown = f"<{member.path}>" if member.library else f'"{member.path}"'
        message = f"cannot import {shown}: {reason}"
        self.diagnostics.append(
            Diagnostic("parser.error", Severity.ERROR, member.span, message, help=advice)
        )


def _absolute(*parts: str | Path) -> Path:
    """Two spellings of a path count as one file; links are not followed."""
    return Path(absolute(os.path.join(*parts)))


_SUFFIXES = (".vpr", ".sil")


MOST_ADVICE = 10
"""Failed imports of a program that get advice: looking for similar names takes time."""


class Advisor:
    """Advice for failed imports; folders are looked at once."""

    def __init__(self, library: tuple[Path, ...]) -> None:
        self._library = library
        self._given = 0
        self._known: list[str] | None = None
        self._folders: dict[Path, list[str]] = {}

    def help_for(self, member: tree.Import, tried: Path | None) -> str | None:
        """Advice for a failed import; `tried` is where its file was looked for."""
        self._given += 1
        if self._given > MOST_ADVICE:
            return None
        if member.library:
            return self._library_help(member.path)
        if tried is None:
            return None
        return self._local_help(member.path, tried)

    def _library_help(self, path: str) -> str:
        near = _near(path, self._library_paths())
        if near:
            return f"did you mean `import <{near[0]}>`?"
        known = [f"`<{each}>`" for each in self._library_paths()]
        shown = ", ".join(known[:_SHOWN]) + (" and others" if len(known) > _SHOWN else "")
        has = f"the library has {shown}; " if known else ""
        return f'{has}a file of yours needs quotes: `import "{path}"`'

    def _local_help(self, path: str, tried: Path) -> str:
        if path in self._library_paths():
            return f"this file is part of the library: write `import <{path}>`"
        if not os.path.isdir(tried.parent):
            return f"there is no folder {tried.parent}"
        if os.path.isdir(tried):
            return "name a file in this folder"
        near = _near(tried.name, self._programs_in(tried.parent))
        if near:
            return f'did you mean `import "{posixpath.join(posixpath.dirname(path), near[0])}"`?'
        return (
            "make this file, correct its name, or leave the line out; its path starts in the "
            f"folder of the importing file, so it is {tried}"
        )

    def _programs_in(self, folder: Path) -> list[str]:
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = _programs_in(folder)
        return found

    def _library_paths(self) -> list[str]:
        """All paths that `import <...>` accepts."""
        if self._known is None:
            self._known = []
            for root in self._library:
                found = (path for suffix in _SUFFIXES for path in root.rglob(f"*{suffix}"))
                self._known.extend(sorted(path.relative_to(root).as_posix() for path in found))
        return self._known


def _programs_in(folder: Path) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []  # a folder that may not be listed has no names to offer
    return [name for name in names if name.endswith(_SUFFIXES)]


_SHOWN = 5
"""Files of the library that are named."""


def _near(name: str, known: list[str]) -> list[str]:
    """The most similar name, if one is; all have the same ending, which does not count."""
    stems = {path.rpartition(".")[0].lower(): path for path in known}
    near = nearest((name.rpartition(".")[0] or name).lower(), stems)
    return [] if near is None else [stems[near]]


_SUFFIX = "WellFoundedOrder"


def missing_orders(measures: list[Type], table: Globals) -> tuple[tree.Member, ...]:
    """The domains to add for measures of these types: those the program does not have."""
    files: dict[str, None] = {}
    for t in measures:
        file, domains = _order_of(t)
        if not any(f"{domain}{_SUFFIX}" in table.types for domain in domains):
            files[file] = None
    missing = [
        member
        for member in _library(tuple(files))
        if isinstance(member, tree.Domain) and member.name.name not in table.types
    ]
    if any(name in table.names for member in missing for name in _names(member)):
        return ()
    return tuple(missing)


def _order_of(t: Type) -> tuple[str, tuple[str, ...]]:
    """The library file with the order of a type, and how a domain with it may be called."""
    for known, name in ((INT, "int"), (BOOL, "bool"), (REF, "ref")):
        if t is known:
            return name, (str(known),)
    if t is PERM:
        return "perm", ("Perm", "Rational")
    if t == PREDICATE_INSTANCE:
        return "predicate_instance", ("PredicateInstances",)
    match t:
        case SeqType():
            return "seq", ("Seq",)
        case SetType():
            return "set", ("Set",)
        case MultisetType():
            return "multiset", ("MultiSet",)
        case _:
            return "declaration", ("",)


def _names(domain: tree.Domain) -> list[str]:
    """The global names of a domain."""
    inside = [part.name.name for part in domain.members if part.name is not None]
    return [domain.name.name, *inside]


@cache
def _library(files: tuple[str, ...]) -> tuple[tree.Member, ...]:
    """The members of files in `decreases/` with what they import."""
    imports = tuple(
        [tree.Import(f"decreases/{name}.vpr", library=True, span=NO_SPAN) for name in files]
    )
    source = SourceFile(LIBRARY / "orders.vpr", "")
    return splice_imports(tree.File(imports, span=NO_SPAN), source, _read).members


def _read(path: Path) -> SourceFile | str:
    return SourceFile(path, path.read_text(encoding="utf-8"))
