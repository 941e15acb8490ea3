"""What a magic wand needs and gives, as far as its parts say so plainly.

NOTE(lent). Whoever holds a wand holds a footprint: with any left-hand state that fits, it has all
of the right-hand side. So a wand `A --* B` is one of these:

    idle    no state with `A` fits the footprint: some of a field that `A` asks for is in it;
    busy    the footprint has at least what `B` gives and `A` does not ask for, and what `B` says
            besides is so.

A state in which a wand can be neither is impossible, though nobody notices before it is applied.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.program import assertion as pa
from pitviper.program import expr as pe


@record
class Side:
    """Fields that a side has under no condition, with their amounts, and what it says besides;
    `plain` if that is all that there is to it."""

    fields: tuple[pa.Access, ...]
    says: tuple[pe.Expr, ...]
    is_plain: bool


def side_of(assertion: pa.Assertion) -> Side:
    """Returns what stands in a side of a wand at the top."""
    fields, says, plain = list[pa.Access](), list[pe.Expr](), True
    todo: list[pa.Assertion] = [assertion]
    while todo:
        match todo.pop(0):
            case pa.Star(conjuncts):
                todo[:0] = conjuncts
            case pa.Access(pa.FieldLocation()) as access:
                fields.append(access)
            case (
                pa.Access()
                | pa.Wand()
                | pa.Guarded()
                | pa.Choice()
                | pa.QuantifiedPermission()
                | pa.Binding()
                | pa.InhaleExhale()
            ):
                plain = False
            case said:
                says.append(said)
    return Side(tuple(fields), tuple(says), plain)
