"""Inhale-exhale pairs `[A, B]`: the sides of a contract, and the snapshot they share."""

from __future__ import annotations

from typing import TypeVar

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion
from pitviper.program.node import Node
from pitviper.program.walk import rewrite
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
    return tb.apply(function(f"inhaled<{pair.span}>", (SNAP,), SNAP), snap)


def brings_more(pair: pa.InhaleExhale) -> bool:
    """Whether the inhaled side may hold locations of which the exhaled one gives nothing: what was
    given says nothing about their values, and each time they may have others."""
    given = _held(pair.exhaled)
    return any(part not in given for part in _held(pair.inhaled))


def _held(a: Assertion) -> list[Assertion]:
    """The conjuncts that hold something, with their conditions; amounts do not matter."""
    parts = [part for part in flattened((a,)) if isinstance(part, pa.Impure)]
    return [rewrite(part, _without_amount) for part in parts]


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
