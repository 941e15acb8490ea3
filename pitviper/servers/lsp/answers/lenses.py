"""Lenses: what stands above members, what is known of each and what can be done."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from pitviper.servers.lsp.protocol.positions import range_of
from pitviper.servers.lsp.protocol.problems import MemberProblems
from pitviper.servers.lsp.texts.document import Document
from pitviper.source.span import Span

VERIFY_MEMBER = "pitviper.verifyMember"


def member_lenses(document: Document, *, with_own: bool) -> list[lsp.CodeLens]:
    """Returns what stands above members: what is known, and what can be done.

    With `with_own`, the commands `pitviper.debug` and `pitviper.replay`, which an editor has to
    have itself, are among them.
    """
    analysis = document.current()
    program = analysis.front.program if analysis.language is not None else None
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
