"""Loops that forget to change a variable: what they count, or what they gather.

    while (i < e) invariant r == pow(b, i) { i := i + 1 }    // r := r * b

As with slips, each is a guess that is told only where it was seen to work.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from pitviper.explain.advice.case import Case
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.writing import at_end_of, at_start_of
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.types import INT
from pitviper.program.walk import assigned_variables, descendants, free_vars

_MOST_NAMES = 3
"""Variables of a formula that are tried as what is added."""


def forgotten_updates(case: Case) -> Iterator[Candidate]:
    """A variable of the condition that no iteration changes, then one of the failing formula."""
    method = case.member
    if not isinstance(method, Method) or case.part is None:
        return
    fixed = {param.name for param in method.params}
    numbers = {v.name for v in (*method.params, *method.returns) if v.type == INT}
    numbers |= {
        n.variable.name
        for n in descendants(method)
        if isinstance(n, s.Declare) and n.variable.type == INT
    }
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        changed = {variable.name for variable in assigned_variables(loop.body)}
        counting = free_vars(loop.condition)
        if not counting & changed:
            yield from counted(loop, (counting & numbers) - fixed)
        about = free_vars(case.part) & numbers
        for name in sorted((about & _begun(method, loop)) - changed - fixed - counting):
            yield from _gathered(loop, name, sorted(about - {name}))


def _begun(method: Method, loop: s.While) -> set[str]:
    """Variables that begin with a number in front of a loop, as what is counted or gathered does;
    one that begins with a value of the heap keeps it."""
    return {
        node.target.name
        for node in descendants(method)
        if isinstance(node, s.LocalAssign)
        and isinstance(node.value, x.IntLit)
        and node.span.end <= loop.span.start
    }


def counted(loop: s.While, names: Set[str], *, further: bool = False) -> Iterator[Candidate]:
    """A step of a variable that the condition reads and no iteration changes."""
    for name in sorted(names):
        for sign in "+-":
            text = f"{name} := {name} {sign} 1"
            yield Candidate(
                (at_end_of(loop.body, [text]),),
                f"nothing in the loop of line {loop.span.line} changes `{name}`, so it goes on for "
                f"ever: write `{text}` at the end of its body",
                further=further,
            )


def _gathered(loop: s.While, name: str, others: list[str]) -> Iterator[Candidate]:
    """At the start of the body, and in branches that do nothing."""
    lead = f"nothing in the loop of line {loop.span.line} changes `{name}`"
    empty = [
        block
        for node in descendants(loop.body)
        if isinstance(node, s.If)
        for block in (node.then, node.otherwise)
        if not block.statements and block.span.text.startswith("{")
    ]
    for block in (*empty, loop.body):
        where = (
            "at the start of its body"
            if block is loop.body
            else f"in the empty braces of line {block.span.line}"
        )
        for step in (f"{name} + 1", f"{name} - 1", *_with(name, others[:_MOST_NAMES])):
            text = f"{name} := {step}"
            yield Candidate((at_start_of(block, text),), f"{lead}: write `{text}` {where}")


def _with(name: str, others: list[str]) -> Iterator[str]:
    for other in others:
        yield f"{name} + {other}"
        yield f"{name} * {other}"
