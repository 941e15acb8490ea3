"""What the names of a text of another language mean, as that language tells it."""

from __future__ import annotations

import re
from functools import lru_cache

from pitviper.base.record import record
from pitviper.languages.names import Named, Names
from pitviper.languages.registry import Language
from pitviper.servers.lsp.texts.index import Declaration, Index
from pitviper.source.span import SourceFile, Span
from pitviper.syntax.token import END, INT, NAME, Tokens

_PIECE = re.compile(r"(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)|(?P<word>[A-Za-z_]\w*)|(?P<int>\d+)|\S")


@record
class NamedIndex(Index):
    """Declarations of a text of another language; `names` knows what each name means."""

    names: Names = Names()
    language: Language | None = None

    @property
    def words(self) -> frozenset[str]:
        return frozenset() if self.language is None else self.language.words()

    @property
    def tokens(self) -> Tokens:
        return _tokens(self.source, self.words, frozenset(self.names.all_places()))

    def near(self, offset: int) -> Index:
        del offset
        return self

    def meaning(self, at: int) -> Declaration | None:
        named = self.names.meaning(self.tokens.starts[at])
        return None if named is None else self._of(named)

    def uses(self, declared: Declaration) -> list[Span]:
        named = self.names.meaning(declared.place.start)
        if named is None:
            return []
        size = len(declared.name)
        return [Span(self.source, at, at + size) for at in self.names.places(named)]

    def _of(self, named: Named) -> Declaration:
        return next(d for d in self.by_name[named.name] if d.place.start == named.place.start)


def named_index(source: SourceFile, language: Language) -> Index:
    """The index of a text in a language that tells what its names mean; an empty one else."""
    names = Names() if language.names is None else language.names(source)
    found = [_declaration(named) for named in names.declared.values()]
    by_name: dict[str, list[Declaration]] = {}
    for declared in found:
        by_name.setdefault(declared.name, []).append(declared)
    ordered = sorted(found, key=lambda d: d.whole.start)
    return NamedIndex(source, tuple(ordered), by_name, None, names, language)


def _declaration(named: Named) -> Declaration:
    is_local = named.scope is not None
    return Declaration(
        named.name,
        named.kind,
        named.place,
        named.whole,
        named.scope,
        named.text,
        named.inside if is_local else None,
        named.params,
        None if is_local else named.inside,
    )


@lru_cache(maxsize=8)
def _tokens(source: SourceFile, words: frozenset[str], names: frozenset[int]) -> Tokens:
    kinds, starts, ends = list[str](), list[int](), list[int]()
    comments: list[tuple[int, int]] = []
    for piece in _PIECE.finditer(source.text):
        text, (start, end) = piece.group(), piece.span()
        if piece.lastgroup == "comment":
            comments.append((start, end))
            continue
        is_name = piece.lastgroup == "word" and (text not in words or start in names)
        kinds.append(NAME if is_name else INT if piece.lastgroup == "int" else text)
        starts.append(start)
        ends.append(end)
    size = len(source.text)
    return Tokens(source, [*kinds, END], [*starts, size], [*ends, size], comments)
