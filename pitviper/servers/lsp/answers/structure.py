"""The structure of a text: outline, folding, what to select around a place, links."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from pitviper.driver.front.viper_syntax import own_members
from pitviper.servers.lsp.protocol.positions import range_of
from pitviper.servers.lsp.texts.document import Analysis, uri_of
from pitviper.servers.lsp.texts.index import Index
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.walk import children

_SYMBOLS = {
    "field": lsp.SymbolKind.Field,
    "method": lsp.SymbolKind.Method,
    "function": lsp.SymbolKind.Function,
    "predicate": lsp.SymbolKind.Struct,
    "domain": lsp.SymbolKind.Class,
    "adt": lsp.SymbolKind.Enum,
    "class": lsp.SymbolKind.Class,
    "interface": lsp.SymbolKind.Interface,
    "constructor": lsp.SymbolKind.EnumMember,
    "macro": lsp.SymbolKind.Constant,
    "axiom": lsp.SymbolKind.Property,
}


def outline(analysis: Analysis) -> list[lsp.DocumentSymbol]:
    """Returns the members of the text, constructors and domain functions below their types."""
    return declared_symbols(analysis.index)


def declared_symbols(index: Index) -> list[lsp.DocumentSymbol]:
    """Returns what a text declares, inner declarations below outer ones."""
    top: list[lsp.DocumentSymbol] = []
    around: list[tuple[Span, lsp.DocumentSymbol]] = []
    for declared in index.declarations:
        kind = _SYMBOLS.get(declared.kind)
        if kind is None or declared.scope is not None or declared.place.file is not index.source:
            continue
        symbol = lsp.DocumentSymbol(
            declared.name,
            kind,
            range_of(declared.whole),
            range_of(declared.place),
            detail=declared.kind,
            children=[],
        )
        parent = next((s for span, s in around if _inside(declared.whole, span)), None)
        below = top if parent is None or parent.children is None else parent.children
        assert isinstance(below, list)
        below.append(symbol)
        if declared.kind in ("domain", "adt", "class", "interface"):
            around.append((declared.whole, symbol))
    return top


def _inside(span: Span, around: Span) -> bool:
    return around.start <= span.start and span.end <= around.end and span != around


def folding(analysis: Analysis) -> list[lsp.FoldingRange]:
    """Returns what spans several lines: members, blocks, comments."""
    found: dict[int, lsp.FoldingRange] = {}
    for node in _nodes(analysis):
        if isinstance(node, tree.Declaration | tree.Block):
            _fold(node.span, found, None)
    for declared in analysis.index.declarations if analysis.language else ():
        if declared.scope is None:
            _fold(declared.whole, found, None)
    for start, end in analysis.index.tokens.comments:
        _fold(Span(analysis.source, start, end), found, lsp.FoldingRangeKind.Comment)
    return list(found.values())


def _fold(
    span: Span, found: dict[int, lsp.FoldingRange], kind: lsp.FoldingRangeKind | None
) -> None:
    first, last = span.start_position[0] - 1, span.end_position[0] - 1
    if last > first:
        found.setdefault(first, lsp.FoldingRange(first, last, kind=kind))


def selection(analysis: Analysis, offset: int) -> lsp.SelectionRange:
    """Returns the ranges around a place, from the smallest node to the whole text."""
    source = analysis.source
    spans = [Span(source, 0, len(source.text))]
    members = own_members(analysis.front)
    todo: list[tree.Node] = [m for m in members if m.span.file is source]
    while todo:
        node = next((n for n in todo if n.span.start <= offset <= n.span.end), None)
        if node is None:
            break
        if node.span != spans[-1]:
            spans.append(node.span)
        todo = children(node)
    result: lsp.SelectionRange | None = None
    for span in spans:
        result = lsp.SelectionRange(range_of(span), parent=result)
    assert result is not None
    return result


def links(analysis: Analysis) -> list[lsp.DocumentLink]:
    """Returns the imports of the text as links to the files that they name."""
    found = []
    members = own_members(analysis.front)
    folder = analysis.source.path.parent
    for member in members:
        if isinstance(member, tree.Import) and not member.library:
            target = folder / member.path
            if target.is_file():
                found.append(lsp.DocumentLink(range_of(member.span), uri_of(target)))
    return found


def _nodes(analysis: Analysis) -> Iterator[tree.Node]:
    todo: list[tree.Node] = [*own_members(analysis.front)]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(children(node))
