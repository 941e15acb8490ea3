"""Expressions that have a value in every state, so that no order of evaluation matters."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.node import Node
from pitviper.program.types import IntType
from pitviper.program.walk import children, descendants

_SIMPLE = (
    pe.IntLit, pe.BoolLit, pe.NullLit, pe.PermLit, pe.Var, pe.Result, pe.Not, pe.And, pe.Or,
    pe.Implies, pe.Conditional, pe.Equal, pe.NotEqual, pe.Negate, pe.Compare, pe.SeqLit, pe.SetLit,
    pe.MultisetLit, pe.MapLit, pe.SeqRange, pe.SeqAppend, pe.SeqTake, pe.SeqDrop, pe.SeqContains,
    pe.SetBinary, pe.Subset, pe.SetContains, pe.MultisetCount, pe.Cardinality, pe.MapUpdate,
    pe.MapContains, pe.MapDomain, pe.MapRange, pe.Construct, pe.Discriminate, pe.IntArith,
    pe.PermArith,
)  # fmt: skip

_TOTAL = (*_SIMPLE, pe.DomainApp)

PARTIAL = (pe.IntOp.DIV, pe.IntOp.MOD, pe.PermOp.DIV, pe.PermOp.INT_DIV, pe.PermOp.FRACTION)


def is_simple(e: pe.Expr) -> bool:
    """Whether an expression has a value, and computing it is never the end of a run."""
    return _consists_of(e, _SIMPLE)


def is_total(e: pe.Expr) -> bool:
    """Whether an expression has a value."""
    return _consists_of(e, _TOTAL)


def _consists_of(e: pe.Expr, kinds: tuple[type, ...]) -> bool:
    for node in descendants(e):
        if not isinstance(node, kinds):
            return False
        if isinstance(node, pe.IntArith | pe.PermArith) and node.op in PARTIAL:
            divisor = node.right
            if not isinstance(divisor, pe.IntLit) or divisor.value == 0:
                return False
    return True


# ---------------------------------------------------------------- conditions that may come first


Known: TypeAlias = tuple[Node, ...]
"""Conditions that hold, and locations that may be read."""


def conditions_ahead(clauses: tuple[pa.Assertion, ...], injective: frozenset[str]) -> list[pe.Expr]:
    """Conditions of a contract that stand behind others and may as well be assumed before them.

    Sizes are bounded then before elements are looked at. Whatever stands before such a condition
    must have a value without it: otherwise the contract makes no sense, which a run has to see.
    `injective` are functions that give different arguments different objects.
    """
    found: list[pe.Expr] = []
    known: Known = ()
    is_behind = False
    for part in [part for clause in clauses for part in _conjuncts(clause)]:
        if isinstance(part, pe.Compare | pe.Equal | pe.And | pe.Or | pe.Implies) and _is_bound(
            part
        ):
            found += [part] if is_behind else []
        else:
            is_behind = True
            if not _Evidence(injective).is_defined(part, known):
                break
        known = (*known, *_told_by(part))
    return found


def _is_bound(part: pe.Expr) -> bool:
    """Whether a condition is about numbers and sizes: no element of a collection is looked at."""
    numbers = (pe.IntLit, pe.IntArith, pe.Negate, pe.DomainApp, pe.Cardinality, pe.Compare)
    links = (pe.Not, pe.And, pe.Or, pe.Implies, pe.Conditional, pe.Equal, pe.NotEqual, pe.BoolLit)
    for node in descendants(part):
        if isinstance(node, pe.Equal | pe.NotEqual) and not isinstance(node.left.type, IntType):
            return False
        if not isinstance(node, (*numbers, *links, pe.Var)):
            return False
    return is_total(part)


class _Evidence:
    """Whether it can be read off from a part of a contract that it has a value."""

    def __init__(self, injective: frozenset[str]) -> None:
        self._injective = injective

    def is_defined(self, node: Node, known: Known) -> bool:
        match node:
            case pe.And(parts) | pa.Star(parts):
                return self._in_order(parts, known)
            case pe.Implies(left, right) | pa.Guarded(left, right):
                return self._in_order((left, right), known)
            case pe.Conditional(condition, then, other) | pa.Choice(condition, then, other):
                return self._in_order((condition, then), known) and self.is_defined(other, known)
            case pe.Forall(variables, _, body) | pe.Exists(variables, _, body):
                return self.is_defined(body, _without(variables, known))
            case pa.QuantifiedPermission(variables, _, condition, pa.Access() as access):
                inner = _without(variables, known)
                return is_evidently_injective(node, self._injective) and self._in_order(
                    (condition, access), inner
                )
            case pa.Access(pa.FieldLocation(receiver), pe.PermLit()):
                return self.is_defined(receiver, known)
            case pa.Access(pa.PredicateLocation(_, args), pe.PermLit()):
                return all(self.is_defined(arg, known) for arg in args)
            case pe.FieldRead(receiver, field):
                return pa.FieldLocation(receiver, field) in known
            case pe.SeqIndex(sequence, index):
                is_whole = self.is_defined(sequence, known) and self.is_defined(index, known)
                return is_whole and _is_within(index, sequence, known)
            case pe.MapLookup(looked_up, key):
                is_whole = self.is_defined(looked_up, known) and self.is_defined(key, known)
                return is_whole and _is_key(key, looked_up, known)
            case _:
                return _is_total_alone(node) and all(
                    self.is_defined(c, known) for c in children(node)
                )

    def _in_order(self, parts: tuple[Node, ...], known: Known) -> bool:
        for part in parts:
            if not self.is_defined(part, known):
                return False
            known = (*known, *_told_by(part))
        return True


def is_evidently_injective(a: pa.QuantifiedPermission, places: frozenset[str]) -> bool:
    """Whether different values have different locations: each is a place of an array, or itself."""
    match a.resource:
        case pa.Access(pa.FieldLocation(pe.DomainApp(function=function, args=args))):
            return function in places and all(v in args for v in a.variables)
        case pa.Access(pa.FieldLocation(pe.Var() as receiver)):
            return a.variables == (receiver,)
        case _:
            return False


def _conjuncts(clause: Node) -> tuple[Node, ...]:
    if isinstance(clause, pe.And):
        return tuple([c for part in clause.operands for c in _conjuncts(part)])
    if isinstance(clause, pa.Star):
        return tuple([c for part in clause.conjuncts for c in _conjuncts(part)])
    return (clause,)


def _told_by(part: Node) -> Known:
    told = _conjuncts(part)
    return (*told, *[c.location for c in told if isinstance(c, pa.Access)])


def _without(variables: tuple[pe.Var, ...], known: Known) -> Known:
    names = {v.name for v in variables}
    nodes = [(k, list(descendants(k))) for k in known]
    return tuple(
        [
            k
            for k, parts in nodes
            if not any(isinstance(n, pe.Var) and n.name in names for n in parts)
        ]
    )


def _is_within(index: pe.Expr, sequence: pe.Expr, known: Known) -> bool:
    """Whether an index is known to be one of a sequence."""
    size, op = pe.Cardinality(sequence), pe.CompareOp
    above = (pe.Compare(op.LT, index, size), pe.Compare(op.GT, size, index))
    zero, least = pe.IntLit(0), (index.value if isinstance(index, pe.IntLit) else -1)
    below = (pe.Compare(op.LE, zero, index), pe.Compare(op.GE, index, zero))
    if any(_is_range(k, index, size) for k in known):
        return True
    return any(k in above for k in known) and (least >= 0 or any(k in below for k in known))


def _is_range(part: Node, index: pe.Expr, size: pe.Expr) -> bool:
    """Whether a condition says that an index is in `[0..size)`, or from a later number on."""
    match part:
        case pe.SeqContains(element, pe.SeqRange(pe.IntLit(low), high)):
            return low >= 0 and element == index and high == size
        case _:
            return False


def _is_key(key: pe.Expr, looked_up: pe.Expr, known: Known) -> bool:
    """Whether a map is known to have a key."""
    for part in known:
        match part:
            case pe.MapContains(element, found) | pe.SetContains(element, pe.MapDomain(found)):
                if element == key and found == looked_up:
                    return True
    return False


def _is_total_alone(node: Node) -> bool:
    """Whether a node has a value if its parts have."""
    if isinstance(node, pe.IntArith | pe.PermArith) and node.op in PARTIAL:
        return is_total(node)
    return isinstance(node, _TOTAL)
