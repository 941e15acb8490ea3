"""Sets that may have fewer elements than are written: those that are equal count once."""

from __future__ import annotations

from itertools import combinations

from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants

MOST = 3
"""Elements of a set of which each two are told apart."""


def equal_elements(claim: Node) -> tuple[str, str] | None:
    """``Set(x, y)` has one element where `x == y``, and `x != y`, where a claim counts two.

    Of a multiset it says nothing.
    """
    numbers = {node.value for node in descendants(claim) if isinstance(node, x.IntLit)}
    for node in descendants(claim):
        if not isinstance(node, x.Cardinality):
            continue
        elements = _elements(node.collection)
        pairs = [p for p in combinations(elements, 2) if not _are_numbers(*p)]
        if not 2 <= len(elements) <= MOST or not pairs or len(elements) not in numbers:
            continue
        one, two = (text_of(side) for side in pairs[0])
        whole, left = text_of(node.collection), len(elements) - 1
        said = "one element" if left == 1 else f"at most {left} elements"
        told = f"equal elements count once: `{whole}` has {said} where `{one} == {two}`"
        return told, " && ".join([f"{text_of(a)} != {text_of(b)}" for a, b in pairs])
    return None


def _elements(collection: x.Expr) -> list[x.Expr]:
    """What is written of a set, and of a union of such sets; nothing of others."""
    match collection:
        case x.SetLit(elements):
            return list(elements)
        case x.SetBinary(x.SetOp.UNION, left, right) if str(collection.type).startswith("Set["):
            found = _elements(left), _elements(right)
            return [*found[0], *found[1]] if all(found) else []
        case _:
            return []


def _are_numbers(one: x.Expr, two: x.Expr) -> bool:
    """Whether two elements are different numbers."""
    are_literals = isinstance(one, x.IntLit) and isinstance(two, x.IntLit)
    return are_literals and text_of(one) != text_of(two)
