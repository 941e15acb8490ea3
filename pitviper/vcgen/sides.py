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
    """The top-level conjuncts, which decide the shape of a snapshot."""
    result: list[Assertion] = []
    for assertion in assertions:
        if isinstance(assertion, pa.Star):
            result.extend(flattened(assertion.conjuncts))
        else:
            result.append(assertion)
    return tuple(result)


def inhaled_snapshot(snap: Term, pair: pa.InhaleExhale) -> Term:
    """The values on the inhaled side: a function of those on the exhaled side, unless both hold the
    same, conjunct by conjunct."""
    ours, theirs = flattened((pair.inhaled,)), flattened((pair.exhaled,))
    if len(ours) == len(theirs) and all(
        a == b or (not isinstance(a, pa.Impure) and not isinstance(b, pa.Impure))
        for a, b in zip(ours, theirs, strict=True)
    ):
        return snap
    return tb.apply(function(f"inhaled<{pair.span}>", (SNAP,), SNAP), snap)
