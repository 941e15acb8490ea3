"""Whether knowledge from the right-hand side of a wand may help its script."""

from __future__ import annotations

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.walk import descendants


def may_help(s: ps.Package) -> bool:
    """Whether the left-hand side has a part of something that the right-hand side has, too."""
    if not s.script.statements:
        return False
    parts = {_resource(a) for a in _accesses(s.wand.left) if not _is_write(a.amount)}
    return any(_resource(a) in parts for a in _accesses(s.wand.right))


def _accesses(a: pa.Assertion) -> list[pa.Access]:
    return [node for node in descendants(a) if isinstance(node, pa.Access)]


def _resource(a: pa.Access) -> str:
    location = a.location
    return location.field if isinstance(location, pa.FieldLocation) else location.predicate


def _is_write(amount: pe.Expr) -> bool:
    return isinstance(amount, pe.PermLit) and amount.value is pe.PermConstant.WRITE
