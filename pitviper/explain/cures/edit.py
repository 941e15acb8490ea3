"""A cure that is tried: its edits, the words for them, and for the places where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitviper.base.record import record
from pitviper.explain.advice.case import LONGEST
from pitviper.explain.writing import Edits, at_start_of
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants
from pitviper.source.edit import Edit, edited
from pitviper.source.span import Span


@record
class Candidate:
    """Edits that belong together, and what they are in words: `said` completes "help: ".

    `within` says that nothing but the body of the failing member changes, so that no other one
    has to be looked at; `further` that another error may show once this one is gone. `never` are
    edits that must not verify: they would show that the cure makes the place unreachable. With
    `values` it is told for which values the formula is false. A `weak` one makes the error go away
    without a sign that it is what was meant: advice that knows the cause is better. One that
    `assumes` asks callers for the claim itself: that it is true then is no news. One that `narrows`
    says itself which case of the body is gone with it.
    """

    edits: Edits
    said: str
    within: bool = True
    further: bool = False
    never: Edits = ()
    values: bool = False
    weak: bool = False
    assumes: bool = False
    narrows: bool = False


@record
class Pool:
    """Clauses for one loop, of which some may do: those that do not hold are dropped in turn.

    `lead` says why one is needed.
    """

    loop: s.While
    clauses: tuple[str, ...]
    lead: str


def words_for_front(node: Node) -> str:
    """`in front of line 8`, where the statement begins its line."""
    lead = node.span.file.text[: node.span.start].rpartition("\n")[2]
    if not lead.strip():
        return f"before line {node.span.line}"
    return f"right before {quoted(node)}"


def words_for_end(block: s.Block, method: Method) -> str:
    if method.body is block:
        return "at the end of the body"
    return f"at the end of the block of line {block.span.line}"


def quoted(node: Node) -> str:
    """The statement as it is written, with its line; a long one by its line."""
    text = node.span.text
    if len(text) <= LONGEST and "\n" not in text:
        return f"`{text}` (line {node.span.line})"
    return f"line {node.span.line}"


def never_called(member: Method | Function, edits: Edits) -> Edits:
    """Shows whether a precondition is met by nothing: then the body is never run."""
    if not isinstance(member, Method) or member.body is None:
        return ()
    return (*edits, at_start_of(member.body, "assert false"))


def edited_in(span: Span, *edits: Edit) -> str:
    """The text of a place with edits that are in it."""
    text = span.file.text
    whole = edited(text, edits)
    return whole[span.start : len(whole) - (len(text) - span.end)]


def blocks(node: Node) -> Iterator[s.Block]:
    for inner in descendants(node):
        if isinstance(inner, s.Block):
            yield inner


def statement_at(method: Method, at: Span) -> tuple[s.Stmt, s.Block] | None:
    """The innermost statement of a block around a place, with the block."""
    found = None
    for block in blocks(method):
        for node in block.statements:
            if isinstance(node, s.Block | s.Declare) or not node.span.encloses(at):
                continue
            found = node, block
    return found


def loops_around(method: Method, at: Span) -> list[s.While]:
    """Loops with a place in their bodies, outer ones first."""
    nodes = [n for n in descendants(method) if isinstance(n, s.While)]
    return [n for n in nodes if n.body.span.encloses(at)]


def nested(node: Node) -> Iterator[Node]:
    """The node and all below, with what stands in blocks."""
    yield node
    for part in children(node):
        yield from nested(part)


def loses_an_argument(member: Method | Function, value: Node, text: str) -> bool:
    """Whether a body reads a parameter no more where a value becomes another text."""
    assert member.body is not None
    params = {param.name for param in member.params}
    gone = [n.name for n in descendants(value) if isinstance(n, x.Var) and n.name in params]
    reads = [n.name for n in descendants(member.body) if isinstance(n, x.Var)]
    return any(
        reads.count(name) == gone.count(name) and not re.search(rf"\b{re.escape(name)}\b", text)
        for name in gone
    )
