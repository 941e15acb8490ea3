"""Inhale-exhale pairs `[A, B]`: the sides of a contract, and the snapshot they share."""

from __future__ import annotations

from typing import TypeVar

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion
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
        one == other or not (isinstance(one, pa.Impure) or isinstance(other, pa.Impure))
        for one, other in zip(ones, others, strict=True)
    )
