"""Where clauses and statements are written in a program: every place is found here, once.

Each function returns edits that belong together, or none where there is no place: some clauses come
from a macro, or the file is in another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pitviper.program import stmt as s
from pitviper.program.member import Domain, Function, Method
from pitviper.program.node import Node
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Edit, statements_at, step_of
from pitviper.source.span import Span

Edits = tuple[Edit, ...]


def requires(member: Method | Function, formula: str) -> Edits:
    """Behind all that a member asks for already."""
    return _clause("requires", formula, member, _end_of(member, member.preconditions))


def ensures(member: Method | Function, formula: str) -> Edits:
    """Behind all that a member says already."""
    end = _end_of(member, member.postconditions or member.preconditions)
    return _clause("ensures", formula, member, end)


def invariants(loop: s.While, formulas: Iterable[str]) -> Edits:
    """Behind all that a loop keeps already: one edit for each, in their order."""
    if wording_of(loop.span) is not VIPER:
        return ()
    ends = [i.span.end for i in loop.invariants if loop.span.encloses(i.span)]
    text, start = loop.span.file.text, loop.span.start
    end = max(ends) if ends else _closed(text, start, loop.body.span.start)
    if end is None or len(ends) != len(loop.invariants):
        return ()
    place, indent = Span(loop.span.file, end, end), indent_at(loop.span)
    return tuple([Edit(place, f"\n{indent}  invariant {formula}") for formula in formulas])


def replaced(node: Node, text: str) -> Edit:
    return Edit(node.span, text)


def inserted(node: Node, text: str) -> Edit:
    """A text right in front of a part of a formula."""
    return Edit(Span(node.span.file, node.span.start, node.span.start), text)


def in_front_of(node: Node, statements: Iterable[str]) -> Edit:
    """In front of a statement, within the braces around it."""
    return statements_at(node.span.file, node.span.start, [*statements])


def behind(node: Node, statement: str) -> Edit:
    end = node.span.end
    if node.span.file.text[end : end + 1] == ";":
        end += 1
    return Edit(Span(node.span.file, end, end), f"\n{indent_at(node.span)}{statement}")


def at_end_of(block: s.Block, statements: Iterable[str]) -> Edit:
    """In front of the closing brace."""
    return statements_at(block.span.file, block.span.end - 1, [*statements], closing=True)


def at_start_of(block: s.Block, statement: str) -> Edit:
    """Behind the opening brace."""
    at = block.span.start + 1
    return Edit(Span(block.span.file, at, at), f"\n{statement}\n")


def axiom_of(domain: Domain, axiom: str) -> Edit:
    """In front of the closing brace of a domain."""
    file, at = domain.span.file, domain.span.end - 1
    line = file.text[file.text.rfind("\n", 0, at) + 1 : at]
    if line.strip():
        return Edit(Span(file, at, at), f"{'' if line.endswith(' ') else ' '}{axiom} ")
    start = at - len(line)
    return Edit(Span(file, start, start), f"{line}{step_of(file.text)}{axiom}\n")


def without(node: Node) -> Edit:
    """A statement is left out with its semicolon, and with its line if it was alone there."""
    text, start, end = node.span.file.text, node.span.start, node.span.end
    if text[end : end + 1] == ";":
        end += 1
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if stop >= 0 and not text[begin:start].strip() and not text[end:stop].strip():
        start, end = begin, stop + 1
    return Edit(Span(node.span.file, start, end), "")


# ---------------------------------------------------------------- places


def _clause(word: str, formula: str, member: Method | Function, end: int | None) -> Edits:
    if end is None or wording_of(member.span) is not VIPER:
        return ()
    place = Span(member.span.file, end, end)
    return (Edit(place, f"\n{indent_at(member.span)}  {word} {formula}"),)


def _end_of(member: Method | Function, clauses: tuple[Node, ...]) -> int | None:
    """Where the last of some clauses ends; without one, where the header does."""
    ends = [clause.span.end for clause in clauses if member.span.encloses(clause.span)]
    if len(ends) != len(clauses):
        return None  # some come from a macro
    return max(ends) if ends else _end_of_header(member)


_RETURNS = re.compile(r"\s*returns\s*(?=\()")
_RESULT = re.compile(r"\s*:\s*[A-Za-z_$][\w$]*")


def _end_of_header(member: Method | Function) -> int | None:
    text, stop = member.span.file.text, member.span.end
    end = _closed(text, member.span.start, stop)
    if end is None:
        return None
    if isinstance(member, Method):
        returned = _RETURNS.match(text, end, stop)
        return end if returned is None else _closed(text, returned.end(), stop)
    result = _RESULT.match(text, end, stop)
    if result is None:
        return None
    if text[result.end() : result.end() + 1] != "[":
        return result.end()
    return _closed(text, result.end(), stop, "[]")


def _closed(text: str, start: int, stop: int, brackets: str = "()") -> int | None:
    """Behind the bracket that closes the first one from a place."""
    depth = 0
    for at in range(start, stop):
        depth += (text[at] == brackets[0]) - (text[at] == brackets[1])
        if text[at] == brackets[1] and depth == 0:
            return at + 1
    return None


def indent_at(span: Span) -> str:
    """How far the line of a place is indented."""
    line = span.file.line_text(span.line)
    return line[: len(line) - len(line.lstrip())]
