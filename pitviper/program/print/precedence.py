"""How tightly each expression binds, so that the printer writes parentheses only where needed.

The numbers are the levels of the grammar, loosest first. A class that is not listed is an atom, or
the printer writes it in parentheses of its own.
"""

from __future__ import annotations

from pitviper.program.assertion import Guarded, Star, Wand
from pitviper.program.expr import (
    And,
    Compare,
    Equal,
    Implies,
    IntArith,
    IntLit,
    IntOp,
    Negate,
    Not,
    NotEqual,
    Or,
    PermArith,
    PermOp,
    SeqAppend,
)
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
    Implies: IMPLIES,
    Guarded: IMPLIES,
    Wand: WAND,
    Or: OR,
    And: AND,
    Star: AND,
    Equal: EQUALITY,
    NotEqual: EQUALITY,
    Compare: COMPARISON,
    SeqAppend: SUM,
    Not: PREFIX,
    Negate: PREFIX,
}

_SUMS = (IntOp.ADD, IntOp.SUB, PermOp.ADD, PermOp.SUB)


def level_of(node: Node) -> int:
    """The level of the outermost operator of the printed text."""
    match node:
        case IntArith(op) | PermArith(op):
            return SUM if op in _SUMS else PRODUCT
        case IntLit(value) if value < 0:
            return PREFIX
        case _:
            return _LEVELS.get(type(node), ATOM)
