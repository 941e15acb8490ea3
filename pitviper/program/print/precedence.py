"""How tightly each expression binds, so that the printer writes parentheses only where needed.

The numbers are the levels of the grammar, loosest first. A class that is not listed is an atom, or
the printer writes it in parentheses of its own.
"""

from __future__ import annotations

from pitviper.program import expr as pe
from pitviper.program.assertion import Guarded, Star, Wand
from pitviper.program.node import Node

IMPLIES = 3
WAND = 4
OR = 5
AND = 6
EQUALITY = 7
COMPARISON = 8
SUM = 9
PRODUCT = 10
PREFIX = 11
SUFFIX = 12
ATOM = 13

_LEVELS: dict[type, int] = {
    pe.Implies: IMPLIES,
    Guarded: IMPLIES,
    Wand: WAND,
    pe.Or: OR,
    pe.And: AND,
    Star: AND,
    pe.Equal: EQUALITY,
    pe.NotEqual: EQUALITY,
    pe.Compare: COMPARISON,
    pe.SeqAppend: SUM,
    pe.Not: PREFIX,
    pe.Negate: PREFIX,
}

_SUMS = (pe.IntOp.ADD, pe.IntOp.SUB, pe.PermOp.ADD, pe.PermOp.SUB)


def level_of(node: Node) -> int:
    """The level of the outermost operator of the printed text."""
    match node:
        case pe.IntArith(op) | pe.PermArith(op):
            return SUM if op in _SUMS else PRODUCT
        case pe.IntLit(value) if value < 0:
            return PREFIX
        case _:
            return _LEVELS.get(type(node), ATOM)
