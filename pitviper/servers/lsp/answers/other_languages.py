"""Completion in programs of other languages than Viper: their words, and the names of the file."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from pitviper.base.qualified import short_name
from pitviper.languages.registry import Language
from pitviper.servers.lsp.texts.document import Analysis

_NAME = re.compile(r"\b[A-Za-z_]\w*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def completions_in(
    analysis: Analysis, language: Language, offset: int, *, behind_dot: bool
) -> list[lsp.CompletionItem]:
    """Returns the names of the file and, unless a member is meant, the words of the language.

    The word that is being written at the place is no name yet.
    """
    text, words = analysis.source.text, language.words()
    text = _COMMENT.sub(lambda comment: " " * len(comment[0]), text)
    places = [m for m in _NAME.finditer(text) if not m.start() < offset <= m.end()]
    names = dict.fromkeys([m[0] for m in places if m[0] not in words])
    syntax = analysis.front.syntax
    declared = () if syntax is None else syntax.declared
    methods = {short_name(one.name) for one in declared}
    kinds = {True: lsp.CompletionItemKind.Method, False: lsp.CompletionItemKind.Variable}
    items = [lsp.CompletionItem(name, kind=kinds[name in methods]) for name in sorted(names)]
    if behind_dot:
        return items
    keyword = lsp.CompletionItemKind.Keyword
    return [*items, *[lsp.CompletionItem(word, kind=keyword) for word in sorted(words)]]
