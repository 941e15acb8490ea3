"""Where clauses and statements are written in a program: every place is found here, once.

Each function returns edits that belong together, or none where there is no place, since some
clauses come from a macro. What ends a clause or statement is a matter of the language, and so are
words of statements; formulas are written as they are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pitviper.program import stmt as s
from pitviper.program.member import Domain, Function, Method
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.results.wording import VIPER, spoken, wording_of
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
    ends = [i.span.end for i in loop.invariants if loop.span.encloses(i.span)]
    text, start = loop.span.file.text, loop.span.start
    end = max(ends) if ends else _closed(text, start, loop.body.span.start)
    if end is None or len(ends) != len(loop.invariants):
        return ()
    return tuple([_written_behind(end, "invariant", formula, loop) for formula in formulas])


def replaced(node: Node, text: str) -> Edit:
    return Edit(node.span, text)


def inserted(node: Node, text: str) -> Edit:
    """A text right in front of a part of a formula."""
    return Edit(Span(node.span.file, node.span.start, node.span.start), text)


def in_front_of(node: Node, statements: Iterable[str]) -> Edit:
    """In front of a statement, within the braces around it."""
    return statements_at(node.span.file, node.span.start, _said(statements, node))


def behind(node: Node, statement: str) -> Edit:
    end = node.span.end
    if node.span.file.text[end : end + 1] == ";":
        end += 1
    (said,) = _said([statement], node)
    return Edit(Span(node.span.file, end, end), f"\n{indent_at(node.span)}{said}")


def at_end_of(block: s.Block, statements: Iterable[str]) -> Edit:
    """In front of the closing brace."""
    said = _said(statements, block)
    return statements_at(block.span.file, block.span.end - 1, said, closing=True)


def at_start_of(block: s.Block, statement: str) -> Edit:
    """Behind the opening brace."""
    at = block.span.start + 1
    (said,) = _said([statement], block)
    return Edit(Span(block.span.file, at, at), f"\n{said}\n")


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
    return () if end is None else (_written_behind(end, word, formula, member),)


def _written_behind(end: int, word: str, formula: str, node: Node) -> Edit:
    """A clause in a line of its own, behind a place and what ends the clause there."""
    ends, text = wording_of(node.span).ends, node.span.file.text
    if ends and text.startswith(ends, end):
        end += len(ends)
    place = Span(node.span.file, end, end)
    return Edit(place, f"\n{indent_at(node.span)}  {word} {formula}{ends}")


def _said(statements: Iterable[str], node: Node) -> list[str]:
    """Statements in words of the language around them."""
    ends = wording_of(node.span).ends
    return [f"{spoken(statement, node.span)}{ends}" for statement in statements]


def _end_of(member: Method | Function, clauses: tuple[Node, ...]) -> int | None:
    """Where the last of some clauses ends; without one, where the header does."""
    ends = [clause.span.end for clause in clauses if member.span.encloses(clause.span)]
    if wording_of(member.span) is not VIPER:
        header = _end_of_header(member)
        return None if header is None else max([header, *ends])  # some clauses nobody wrote
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
    if wording_of(member.span) is not VIPER:
        return end
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


_OF_PROOFS = re.compile(r"\s*(invariant|fold|unfold|package|apply|assert|label|open|close)\b")
"""How a clause or a statement begins that no run and no caller notices."""


def adds_to_proof(edits: Edits, member: Node | None) -> bool:
    """Whether edits change nothing but what a proof needs: no contract, and nothing that runs."""
    loops = [] if member is None else [n for n in descendants(member) if isinstance(n, s.While)]
    clauses = [clause.span for loop in loops for clause in loop.invariants]
    measures = [Span(n.span.file, n.span.start, n.body.span.start) for n in loops]

    def is_of_proof(edit: Edit) -> bool:
        old, new = edit.span.text, edit.text
        if any(span.encloses(edit.span) for span in clauses):
            return True
        if new.lstrip().startswith("decreases"):
            return not old.strip() and any(span.encloses(edit.span) for span in measures)
        if old.strip() and _OF_PROOFS.match(old) is None:
            return False
        return _OF_PROOFS.match(new or old) is not None

    return bool(edits) and all(is_of_proof(edit) for edit in edits)
