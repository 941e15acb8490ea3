"""Values on their way between processes: files stay behind, their paths travel."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator

from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.source.span import NO_SPAN, SourceFile


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: object) -> str | None:
        return str(value.path) if type(value) is SourceFile else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, files: Files) -> None:
        super().__init__(io.BytesIO(data))
        self._files = files

    def persistent_load(self, path: str) -> SourceFile:
        return self._files[path]


def to_bytes(value: object) -> bytes:
    """The value, with places in files of the program that both sides have."""
    buffer = io.BytesIO()
    _Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def from_bytes(data: bytes, files: Files) -> object:
    """What another process of ours has sent; never for data from anywhere else."""
    return _Unpickler(data, files).load()


class Files:
    """The files that a program's nodes stand in, by path."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known = {str(NO_SPAN.file.path): NO_SPAN.file}
        for member in _members(program):
            self._add(member)
        self._complete = False

    def __getitem__(self, path: str) -> SourceFile:
        """A file that only some node inside a member is in (a macro's) is searched for."""
        if path not in self._known and not self._complete:
            self._complete = True
            for member in _members(self._program):
                for node in descendants(member):
                    self._add(node)
        return self._known[path]

    def _add(self, node: Node) -> None:
        file = node.span.file
        self._known.setdefault(str(file.path), file)


def _members(program: Program) -> Iterator[Node]:
    tables = (
        program.methods,
        program.functions,
        program.predicates,
        program.fields,
        program.domains,
        program.adts,
    )
    for table in tables:
        yield from table.values()
