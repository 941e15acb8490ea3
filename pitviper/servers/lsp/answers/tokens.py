"""Semantic tokens: what each word of a text is, in the legend of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitviper.servers.lsp.protocol.positions import position_of
from pitviper.servers.lsp.texts.document import Analysis
from pitviper.source.span import Span
from pitviper.syntax.token import INT, NAME, STRING

TOKEN_TYPES = [
    "keyword",
    "variable",
    "parameter",
    "property",
    "function",
    "method",
    "class",
    "macro",
    "number",
    "string",
    "comment",
    "typeParameter",
    "enumMember",
    "label",
    "decorator",
]
"""The legend of semantic tokens; `struct` is what Viper calls a predicate."""

_KINDS = {
    "field": "property",
    "destructor": "property",
    "method": "method",
    "function": "function",
    "predicate": "function",
    "domain": "class",
    "adt": "class",
    "class": "class",
    "interface": "class",
    "constructor": "enumMember",
    "macro": "macro",
    "parameter": "parameter",
    "result": "parameter",
    "variable": "variable",
    "label": "label",
    "type": "typeParameter",
    "axiom": "property",
}


def semantic_tokens(analysis: Analysis, legend: Sequence[str] = TOKEN_TYPES) -> list[int]:
    """Returns all tokens with what they mean, as numbers relative to each other.

    What a legend has no name for is a variable there.
    """
    numbers = {kind: legend.index(kind if kind in legend else "variable") for kind in TOKEN_TYPES}
    data: list[int] = []
    line = column = 0
    for span, kind in sorted(_classified(analysis), key=lambda item: item[0].start):
        first = position_of(span.file, span.start)
        last = position_of(span.file, span.end)
        if first.line != last.line:
            continue
        moved = first.character - column if first.line == line else first.character
        length = last.character - first.character
        data.extend((first.line - line, moved, length, numbers[kind], 0))
        line, column = first.line, first.character
    return data


def _classified(analysis: Analysis) -> Iterator[tuple[Span, str]]:
    tokens, source = analysis.index.tokens, analysis.source
    for at, kind in enumerate(tokens.kinds):
        span = Span(source, tokens.starts[at], tokens.ends[at])
        if kind == NAME:
            declared = analysis.index.meaning(at)
            if declared is not None:
                yield span, _KINDS[declared.kind]
        elif kind in analysis.index.words:
            yield span, "keyword"
        elif kind in (INT, STRING):
            yield span, "number" if kind == INT else "string"
        elif kind == "@":
            yield span, "decorator"
    for start, end in tokens.comments:
        yield Span(source, start, end), "comment"
