"""What both verifiers read off the program text alone, without a state or a solver."""

from __future__ import annotations

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.walk import descendants

_TRUE = pe.BoolLit(value=True)
_WRITE = pe.PermLit(pe.PermConstant.WRITE)


def origin_of(s: ps.Stmt) -> tuple[str, ...] | None:
    """Returns what a plugin that generated a statement wants said in its findings."""
    for annotation in s.annotations:
        if annotation.key == "pitviper.origin":
            return annotation.values
    return None


def denoted_by(s: ps.QuasihavocAll) -> pa.QuantifiedPermission:
    """Returns the permission to the locations whose values a statement forgets."""
    location = s.location
    resource = (
        location if isinstance(location, pa.Wand) else pa.Access(location, _WRITE, span=s.span)
    )
    condition = _TRUE if s.condition is None else s.condition
    return pa.QuantifiedPermission(s.variables, (), condition, resource, span=s.span)


def old_operand(e: pe.Expr) -> pe.Expr:
    """Returns the expression inside of all `old` around it."""
    while isinstance(e, pe.Old):
        e = e.operand
    return e


def within_old(outside: pe.Expr, e: pe.Expr) -> pe.Expr:
    """Returns the expression in the heap that `outside` evaluates its operand in."""
    if not isinstance(outside, pe.Old):
        return e
    return pe.Old(outside.label, within_old(outside.operand, e), span=outside.span)


# ---------------------------------------------------------------- packages


def right_may_help_script(s: ps.Package) -> bool:
    """Says whether knowledge from the right-hand side of a wand may help its script: the left-hand
    side has a part of something that the right-hand side has, too."""
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


def is_universal(e: pe.Expr) -> bool:
    """Says whether a goal is better proved for constants."""
    while isinstance(e, pe.Implies):
        e = e.right
    return isinstance(e, pe.Forall | pe.ForPerm)
