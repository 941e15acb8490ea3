"""What may be written at a place: names, keywords, snippets; arguments of a call."""

from __future__ import annotations

import string
from collections.abc import Iterator

from lsprotocol import types as lsp

from pitviper.languages.registry import language_of
from pitviper.servers.lsp.answers.other_languages import completions_in
from pitviper.servers.lsp.texts.document import Analysis
from pitviper.servers.lsp.texts.index import Declaration
from pitviper.syntax.token import KEYWORDS, NAME

SNIPPETS = {
    "method": "method ${1:name}(${2})\n  requires ${3:true}\n  ensures ${4:true}\n{\n  $0\n}",
    "function": "function ${1:name}(${2}): ${3:Int}\n  requires ${4:true}\n{\n  $0\n}",
    "predicate": "predicate ${1:name}(${2:this: Ref}) {\n  $0\n}",
    "while": "while (${1:condition})\n  invariant ${2:true}\n{\n  $0\n}",
    "forall": "forall ${1:i}: ${2:Int} :: ${3:true} ==> $0",
    "acc": "acc(${1:x}.${2:f})",
}
"""What keywords stand for when one writes them in full."""

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


def signature_at(analysis: Analysis, offset: int) -> lsp.SignatureHelp | None:
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
