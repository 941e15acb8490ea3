"""Inhale-exhale pairs `[A, B]`: the sides of a contract, and the snapshot they share.

NOTE(brought). What only the inhaled side brings was in nobody's hands. So its value is whatever it
is when it comes out, and another one when it comes out again: an instance that was folded with such
a pair does not determine it. Whoever opens the instance, or applies a wand, gets unknown values; a
function that needs such an instance is applied to an unknown snapshot each time. Inside of a
function, which looks at one state only, they are a function of the snapshot. Example:

    predicate P(x: Ref) { [acc(x.f), true] }
    fold P(x)  unfold acc(P(x), 1/2)  v := x.f  exhale acc(x.f, 1/2)  // somebody writes x.f
    unfold acc(P(x), 1/2)  assert x.f == v  // nobody knows
"""

from __future__ import annotations

from typing import TypeVar

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion
from pitviper.program.member import Function, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, rewrite
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.symbol import function
from pitviper.terms.term import Term

N = TypeVar("N", bound=Node)


def exhaled_side(node: N) -> N:
    """The node with every pair replaced by what is exhaled; the same object if it has none."""
    return rewrite(node, _exhaled)


def _exhaled(node: Node) -> Node | None:
    match node:
        case pa.InhaleExhale(_, exhaled) | pe.InhaleExhaleExpr(_, exhaled):
            return exhaled
        case pa.Star(conjuncts):
            return pa.Star(flattened(conjuncts), span=node.span)
        case _:
            return None


def flattened(assertions: tuple[Assertion, ...]) -> tuple[Assertion, ...]:
    """The top-level conjuncts: they decide the shape of a snapshot, the same way on every use."""
    result: list[Assertion] = []
    for assertion in assertions:
        if isinstance(assertion, pa.Star):
            result.extend(flattened(assertion.conjuncts))
        else:
            result.append(assertion)
    return tuple(result)


def inhaled_snapshot(snap: Term, pair: pa.InhaleExhale) -> Term:
    """What the inhaled side is produced from, given the snapshot of the exhaled one.

    If the sides hold different locations, or the same ones in another order, then the values on one
    side say nothing about those on the other, except that they depend on them.
    """
    if _same_shape(pair.inhaled, pair.exhaled):
        return snap
    name = f"inhaled<{pair.span} {text_of(pair)}>"  # macros have many pairs at one place
    return tb.apply(function(name, (SNAP,), SNAP), snap)


def brings_more(pair: pa.InhaleExhale) -> bool:
    """Whether the inhaled side may hold locations of which the exhaled one gives nothing: what was
    given says nothing about their values, and each time they may have others.

    Amounts do not matter, if something is surely given.
    """
    given = _impure(pair.exhaled)
    surely = [rewrite(part, _without_amount) for part in given if _is_surely_some(part)]
    return any(
        part not in given and rewrite(part, _without_amount) not in surely
        for part in _impure(pair.inhaled)
    )


def reads_what_is_brought(function: Function, program: Program) -> bool:
    """Whether an instance that a function needs may bring what nobody gave: see NOTE(brought)."""
    seen: set[str] = set()
    todo: list[Node] = list(function.preconditions)
    while todo:
        for node in descendants(todo.pop()):
            if isinstance(node, pa.PredicateLocation) and node.predicate not in seen:
                seen.add(node.predicate)
                body = program.predicates[node.predicate].body
                if body is not None:
                    if any(
                        isinstance(n, pa.InhaleExhale) and brings_more(n) for n in descendants(body)
                    ):
                        return True
                    todo.append(body)
    return False


def _impure(a: Assertion) -> list[Assertion]:
    """The conjuncts that hold something, with their conditions."""
    return [part for part in flattened((a,)) if isinstance(part, pa.Impure)]


def _is_surely_some(part: Assertion) -> bool:
    """Whether the text tells that all amounts in it are more than none."""
    amounts = [node.amount for node in descendants(part) if isinstance(node, pa.Access)]
    return all(_is_positive(amount) for amount in amounts)


def _is_positive(amount: pe.Expr) -> bool:
    match amount:
        case pe.PermLit(constant):
            return constant is not pe.PermConstant.NONE
        case pe.PermArith(pe.PermOp.FRACTION, pe.IntLit(over), pe.IntLit(under)):
            return over > 0 and under > 0
        case _:
            return False


_WRITE = pe.PermLit(pe.PermConstant.WRITE)


def _without_amount(node: Node) -> Node | None:
    return pa.Access(node.location, _WRITE, span=node.span) if isinstance(node, pa.Access) else None


def _same_shape(a: Assertion, b: Assertion) -> bool:
    """Whether conjunct by conjunct the same is held, or nothing."""
    ones, others = flattened((a,)), flattened((b,))
    return len(ones) == len(others) and all(
        _holds_the_same(one, other) for one, other in zip(ones, others, strict=True)
    )


def _holds_the_same(one: Assertion, other: Assertion) -> bool:
    """Amounts do not matter to values, if something is surely held on both sides."""
    if not (isinstance(one, pa.Impure) or isinstance(other, pa.Impure)):
        return True
    return one == other or (
        _is_surely_some(one)
        and _is_surely_some(other)
        and rewrite(one, _without_amount) == rewrite(other, _without_amount)
    )
