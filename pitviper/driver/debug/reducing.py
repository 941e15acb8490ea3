"""A smaller program that still shows a failure: parts are left out as long as it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitviper.base.record import replace
from pitviper.driver.front.selection import select_members
from pitviper.program import stmt as ps
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants, rewrite

MOST_RUNS = 150
"""Verifications that a reduction may cost."""

Shows = Callable[[Program], bool]


def reduced(program: Program, member: str, shows: Shows) -> Program:
    """Returns a program with fewer statements, clauses, bodies and members that still fails."""
    search = _Search(shows)
    changed = True
    while changed and search.runs < MOST_RUNS:
        changed = False
        for smaller in _smaller(program, member):
            if search.shows(smaller):
                program, changed = smaller, True
                break
    return _only_needed(program, member)


class _Search:
    def __init__(self, shows: Shows) -> None:
        self._shows = shows
        self.runs = 0

    def shows(self, program: Program) -> bool:
        self.runs += 1
        return self.runs <= MOST_RUNS and self._shows(program)


def _smaller(program: Program, member: str) -> Iterator[Program]:
    """Programs with one part less, large parts first."""
    for name in program.methods:
        method = program.methods[name]
        if name != member:
            if method.body is not None:
                yield _with(program, replace(method, body=None))
            for fewer in _fewer_clauses(method):
                yield _with(program, fewer)
    if member in program.methods:
        yield from _smaller_bodies(program, program.methods[member])


def _smaller_bodies(program: Program, method: Method) -> Iterator[Program]:
    if method.body is None:
        return
    for statement in _by_size(method.body):
        yield _with(program, replace(method, body=_without(method.body, statement)))
    for fewer in _fewer_clauses(method):
        yield _with(program, fewer)


def _with(program: Program, method: Method) -> Program:
    return replace(program, methods={**program.methods, method.name: method})


def _fewer_clauses(method: Method) -> Iterator[Method]:
    for at in range(len(method.postconditions)):
        kept = method.postconditions[:at] + method.postconditions[at + 1 :]
        yield replace(method, postconditions=kept)
    for at in range(len(method.preconditions)):
        kept = method.preconditions[:at] + method.preconditions[at + 1 :]
        yield replace(method, preconditions=kept)


def _by_size(body: ps.Block) -> list[ps.Stmt]:
    """All statements, those with most inside first; declarations stay, they cost nothing."""
    found = [n for n in descendants(body) if isinstance(n, ps.Stmt) and n is not body]
    found = [s for s in found if not isinstance(s, ps.Declare | ps.Block)]
    return sorted(found, key=lambda s: -sum(1 for _ in descendants(s)))


def _without(body: ps.Block, gone: ps.Stmt) -> ps.Block:
    def rule(node: Node) -> Node | None:
        if isinstance(node, ps.Block) and any(s is gone for s in node.statements):
            kept = tuple([s for s in node.statements if s is not gone])
            return ps.Block(kept, span=node.span)
        return None

    return rewrite(body, rule)


def _only_needed(program: Program, member: str) -> Program:
    """Without members, fields and types that the rest does not mention."""
    program = select_members(program, (member,))
    words = {
        value
        for table in (program.methods, program.functions, program.predicates, program.domains)
        for declared in table.values()
        for node in descendants(declared)
        for value in [getattr(node, "field", None), *getattr(node, "fields", ())]
        if isinstance(value, str)
    }
    fields = {name: field for name, field in program.fields.items() if name in words}
    return replace(program, fields=fields)
