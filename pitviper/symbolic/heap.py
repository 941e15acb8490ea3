"""Symbolic heaps: an ordered collection of chunks per resource, never changed in place."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.symbolic.chunk import Chunk, Resource


class Heap:
    """The order of the chunks of one resource decides what is taken first: new ones come last."""

    __slots__ = ("_chunks",)

    def __init__(self, chunks: dict[Resource, tuple[Chunk, ...]] | None = None) -> None:
        self._chunks = chunks or {}

    def of(self, resource: Resource) -> tuple[Chunk, ...]:
        return self._chunks.get(resource, ())

    def replacing(self, resource: Resource, chunks: tuple[Chunk, ...]) -> Heap:
        new = dict(self._chunks)
        if chunks:
            new[resource] = chunks
        else:
            new.pop(resource, None)
        return Heap(new)

    def adding(self, chunk: Chunk) -> Heap:
        return self.replacing(chunk.resource, (*self.of(chunk.resource), chunk))

    def resources(self) -> tuple[Resource, ...]:
        return tuple(self._chunks)

    def __iter__(self) -> Iterator[Chunk]:
        for chunks in self._chunks.values():
            yield from chunks

    def __repr__(self) -> str:
        return f"Heap({list(self)!r})"


EMPTY = Heap()
