"""Answers to requests about a text, each from its analysis: navigation, structure, completion."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from typing import Any

from lsprotocol import types as lsp

from pitviper.driver.front.viper_syntax import own_members
from pitviper.encoding.triggers.choice import inferred_triggers
from pitviper.languages.registry import language_of
from pitviper.program import expr as pe
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants
from pitviper.servers.lsp.document import Analysis, Document, uri_of
from pitviper.servers.lsp.index import Declaration, Index
from pitviper.servers.lsp.other_languages import completions_in
from pitviper.servers.lsp.positions import position_of, range_of
from pitviper.servers.lsp.problems import MemberProblems
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.token import INT, KEYWORDS, NAME, STRING
from pitviper.syntax.walk import children

SNIPPETS = {
    "method": "method ${1:name}(${2})\n  requires ${3:true}\n  ensures ${4:true}\n{\n  $0\n}",
    "function": "function ${1:name}(${2}): ${3:Int}\n  requires ${4:true}\n{\n  $0\n}",
    "predicate": "predicate ${1:name}(${2:this: Ref}) {\n  $0\n}",
    "while": "while (${1:condition})\n  invariant ${2:true}\n{\n  $0\n}",
    "forall": "forall ${1:i}: ${2:Int} :: ${3:true} ==> $0",
    "acc": "acc(${1:x}.${2:f})",
}
"""What keywords stand for when one writes them in full."""

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

_COMPLETIONS = {
    "field": lsp.CompletionItemKind.Field,
    "destructor": lsp.CompletionItemKind.Field,
    "method": lsp.CompletionItemKind.Method,
    "function": lsp.CompletionItemKind.Function,
    "predicate": lsp.CompletionItemKind.Struct,
    "domain": lsp.CompletionItemKind.Class,
    "adt": lsp.CompletionItemKind.Enum,
    "class": lsp.CompletionItemKind.Class,
    "interface": lsp.CompletionItemKind.Interface,
    "constructor": lsp.CompletionItemKind.EnumMember,
    "macro": lsp.CompletionItemKind.Constant,
}


def meaning_at(analysis: Analysis, offset: int) -> Declaration | None:
    """Returns the declaration that the name at a place refers to."""
    index = analysis.index.near(offset)
    at = index.name_at(offset)
    return None if at is None else index.meaning(at)


def location_of(declared: Declaration) -> lsp.Location:
    """Returns where a name is declared."""
    return lsp.Location(uri_of(declared.place.file.path), range_of(declared.place))


def hover(analysis: Analysis, offset: int, status: str | None) -> lsp.Hover | None:
    """Returns a declaration as it is written, and what the verifier knows of a member."""
    index = analysis.index.near(offset)
    at = index.name_at(offset)
    declared = None if at is None else index.meaning(at)
    if at is None or declared is None:
        return None
    language = analysis.front.language
    lines = [f"```{'viper' if language is None else language.name}\n{declared.text}\n```"]
    if declared.kind in ("parameter", "result", "variable", "label"):
        lines.append(f"{declared.kind} of `{declared.member}`" if declared.member else "")
    if status is not None:
        lines.append(status)
    tokens = index.tokens
    place = Span(analysis.source, tokens.starts[at], tokens.ends[at])
    text = "\n\n".join(line for line in lines if line)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), range_of(place))


def hover_with_states(
    analysis: Analysis, offset: int, shown: lsp.Hover | None, states: dict[str, Any] | None
) -> lsp.Hover | None:
    """Returns a hover with the value and the permission of what is under the cursor, by path."""
    lines: dict[str, None] = {}
    for state in (states or {}).get("states", ()):
        asked = state["asked"]
        if asked is None:
            continue
        parts = []
        if asked["value"] is not None:
            parts.append(f"value `{asked['value']}`")
        if asked["permission"] is not None:
            parts.append(f"permission `{asked['permission']}`")
        if parts:
            where = " and ".join(state["conditions"])
            path = f" where `{where}`" if where else ""
            lines[f"`{asked['text']}`: {', '.join(parts)}{path}"] = None
    if not lines:
        return shown
    text = "\n\n".join(list(lines)[:MOST_PATHS])
    if shown is None:
        position = position_of(analysis.source, offset)
        place = lsp.Range(position, position)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), place)
    assert isinstance(shown.contents, lsp.MarkupContent)
    whole = f"{shown.contents.value}\n\n{text}"
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, whole), shown.range)


MOST_PATHS = 6
"""Paths that a hover tells about."""


def inlay_hints(document: Document, first: int, last: int) -> list[lsp.InlayHint]:
    """Returns what the verifier puts in: triggers that nobody wrote, ghost statements."""
    analysis = document.current()
    program = analysis.front.program
    if program is None or analysis.front.language is not None:
        return []
    found: list[lsp.InlayHint] = []
    for declared in (*program.methods.values(), *program.functions.values(),
                     *program.predicates.values()):  # fmt: skip
        if declared.span.file is not analysis.source:
            continue
        if declared.span.end < first or declared.span.start > last:
            continue
        for node in descendants(declared):
            if isinstance(node, pe.Forall | pe.Exists) and not node.triggers:
                found.extend(_trigger_hint(analysis, node))
    known = () if document.problems is None else document.problems.members.values()
    for member in known:
        found.extend(_ghost_hints(analysis, member))
    return found


def permission_hints(analysis: Analysis, changes: list[dict[str, Any]]) -> list[lsp.InlayHint]:
    """Returns what statements bring (+) and take (-), behind them."""
    found = []
    for change in changes:
        said = [
            *[f"+ {text}" for text in change["gained"]],
            *[f"- {text}" for text in change["lost"]],
        ]
        more = [] if len(said) <= MOST_PERMISSIONS else [f"{len(said) - MOST_PERMISSIONS} more"]
        label = "  ".join([*said[:MOST_PERMISSIONS], *more])
        tip = "permissions that this statement brings (+) and takes (-):\n" + "\n".join(said)
        place = position_of(analysis.source, change["end"])
        found.append(lsp.InlayHint(place, label, tooltip=tip, padding_left=True))
    return found


MOST_PERMISSIONS = 3
"""Permissions that a hint tells; all are in its tooltip."""


def _trigger_hint(analysis: Analysis, node: pe.Forall | pe.Exists) -> Iterator[lsp.InlayHint]:
    """The chosen triggers, behind the `::` of the quantifier."""
    text = node.span.text
    at = text.find("::")
    chosen = inferred_triggers(node)
    if at < 0 or not chosen or node.span.file is not analysis.source:
        return
    shown = " ".join("{" + ", ".join(text_of(e) for e in t.terms) + "}" for t in chosen[:3])
    position = position_of(analysis.source, node.span.start + at + 2)
    yield lsp.InlayHint(
        position, f" {shown}", tooltip="the triggers that are chosen", padding_left=False
    )


def _ghost_hints(analysis: Analysis, known: MemberProblems) -> Iterator[lsp.InlayHint]:
    """Folds and unfolds that the verdict rests on, in front of or behind their statements."""
    span = analysis.member_span(known.name)
    shift = 0 if span is None else span.line - known.line
    for step in known.inferred:
        place, text = step["place"], str(step["text"])
        assert isinstance(place, dict)
        in_front = str(step["where"]).startswith(("before", "around"))
        line, column = place["start"] if in_front else place["end"]
        source = analysis.source
        if 0 < line + shift <= source.line_count:
            position = position_of(source, source.offset(line + shift, column))
            yield lsp.InlayHint(position, text, tooltip="inferred", padding_right=True)


def highlights(analysis: Analysis, offset: int) -> list[lsp.DocumentHighlight]:
    """Returns all places of the text that mean the same as the name at a place."""
    declared = meaning_at(analysis, offset)
    if declared is None:
        return []
    return [lsp.DocumentHighlight(range_of(use)) for use in analysis.index.uses(declared)]


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
    for declared in analysis.index.declarations if analysis.front.language else ():
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


_WORD = f"{string.ascii_letters}{string.digits}_$"


def completions(analysis: Analysis, offset: int) -> list[lsp.CompletionItem]:
    """Returns fields behind a dot, else all names in scope, keywords and what they stand for."""
    text = analysis.source.text
    before = text[:offset]
    start = len(before.rstrip(_WORD))
    behind_dot = start > 0 and text[start - 1] == "." and text[start - 2 : start] != ".."
    language = language_of(analysis.source.path)
    if language is not None:
        return completions_in(analysis, language, offset, behind_dot=behind_dot)
    if behind_dot:
        return [_completion(d) for d in _unique(analysis.index.declarations) if d.is_selected]
    items = [_completion(d) for d in _unique(analysis.index.visible_at(offset))]
    items.extend(
        lsp.CompletionItem(word, kind=lsp.CompletionItemKind.Keyword) for word in sorted(KEYWORDS)
    )
    items.extend(
        lsp.CompletionItem(
            f"{word} …",
            kind=lsp.CompletionItemKind.Snippet,
            filter_text=word,
            insert_text=snippet,
            insert_text_format=lsp.InsertTextFormat.Snippet,
        )
        for word, snippet in SNIPPETS.items()
    )
    return items


def _unique(declarations: Iterator[Declaration] | tuple[Declaration, ...]) -> list[Declaration]:
    return list({d.name: d for d in declarations}.values())


def _completion(declared: Declaration) -> lsp.CompletionItem:
    kind = _COMPLETIONS.get(declared.kind, lsp.CompletionItemKind.Variable)
    detail = declared.text.split("\n", 1)[0]
    return lsp.CompletionItem(declared.name, kind=kind, detail=detail)


def signature(analysis: Analysis, offset: int) -> lsp.SignatureHelp | None:
    """Returns the parameters of the innermost call around a place."""
    tokens = analysis.index.tokens
    depth, argument = 0, 0
    last = max((i for i, s in enumerate(tokens.starts) if s < offset), default=-1)
    for at in range(last, -1, -1):
        kind = tokens.kinds[at]
        if kind in (")", "]"):
            depth += 1
        elif kind in ("(", "["):
            if depth == 0:
                return _signature_of(analysis, at - 1, argument) if kind == "(" else None
            depth -= 1
        elif kind == "," and depth == 0:
            argument += 1
        elif kind in ("{", "}", ";"):
            return None
    return None


def _signature_of(analysis: Analysis, at: int, argument: int) -> lsp.SignatureHelp | None:
    if at < 0 or analysis.index.tokens.kinds[at] != NAME:
        return None
    declared = analysis.index.meaning(at)
    if declared is None or declared.params is None:
        return None
    shown = [lsp.ParameterInformation(param) for param in declared.params]
    label = f"{declared.name}({', '.join(declared.params)})"
    info = lsp.SignatureInformation(label, parameters=shown)
    return lsp.SignatureHelp([info], active_signature=0, active_parameter=argument)


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


VERIFY_MEMBER = "pitviper.verifyMember"


def lenses(document: Document, *, with_own: bool) -> list[lsp.CodeLens]:
    """Returns what stands above members: what is known, and what can be done.

    With `with_own`, the commands `pitviper.debug` and `pitviper.replay`, which an editor has to
    have itself, are among them.
    """
    analysis = document.current()
    program = analysis.front.program if analysis.front.language is not None else None
    kinds = {declared.name: declared.kind for declared in analysis.index.members()}
    if program is not None:
        kinds = dict.fromkeys([*program.functions, *program.predicates], "pure")
    found = []
    for name, where, known in _lens_places(document):
        title = "verify" if known is None else f"{known.verdict} (verify again)"
        offered = [(title, VERIFY_MEMBER)]
        if known is not None and known.verdict == "refuted":
            offered.append(("counterexample", "pitviper.counterexample"))
        if kinds.get(name, "method") == "method":
            offered.append(("explore", "pitviper.explore"))
        if with_own:
            offered.append(("debug", "pitviper.debug"))
        if with_own and known is not None and known.verdict == "refuted":
            offered.append(("replay", "pitviper.replay"))
        for word, command in offered:
            lens = lsp.Command(word, command, arguments=[document.uri, name])
            found.append(lsp.CodeLens(where, lens))
    return found


def verdict_lenses(document: Document) -> list[lsp.CodeLens]:
    """Returns what is known of members, for editors that have no commands of ours."""
    return [
        lsp.CodeLens(where, lsp.Command(known.verdict, ""))
        for _, where, known in _lens_places(document)
        if known is not None
    ]


def _lens_places(
    document: Document,
) -> Iterator[tuple[str, lsp.Range, MemberProblems | None]]:
    """The members that are verified, where their lenses stand, and what is known of each."""
    analysis = document.current()
    for name in analysis.verified_members if analysis.accepted else ():
        span = analysis.member_span(name)
        if span is not None:
            known = None if document.problems is None else document.problems.members.get(name)
            yield name, range_of(Span(span.file, span.start, span.start)), known
