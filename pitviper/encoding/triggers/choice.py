"""Triggers for quantifiers written without any, chosen on the source so that they can be shown."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.encoding.triggers.loops import without_loops
from pitviper.program import expr as pe
from pitviper.program.assertion import Access, PredicateLocation, QuantifiedPermission
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants, free_vars, once_each

MAX_SETS = 12
"""More alternatives than this slow the solver down more than they help it."""

_POSSIBLE = (
    pe.FunctionApp, pe.DomainApp, pe.SeqIndex, pe.SeqTake, pe.SeqDrop, pe.SeqUpdate, pe.SeqAppend,
    pe.SeqContains, pe.SeqRange, pe.Cardinality, pe.SetContains, pe.SetBinary, pe.Subset,
    pe.MultisetCount, pe.MapLookup, pe.MapUpdate, pe.MapContains, pe.MapDomain, pe.MapRange,
)  # fmt: skip
_SUMS = (pe.IntArith, pe.PermArith)
_ALLOWED = (
    *_POSSIBLE, pe.Var, pe.IntLit, pe.BoolLit, pe.NullLit, pe.PermLit, pe.Result, pe.FieldRead,
    pe.Old, pe.Unfolding, PredicateLocation, pe.SeqLit, pe.SetLit, pe.MultisetLit, pe.MapLit,
)  # fmt: skip
_BINDERS = (pe.Forall, pe.Exists, pe.ForPerm, pe.Let, QuantifiedPermission)


@once_each
def inferred_triggers(e: pe.Forall | pe.Exists) -> tuple[pe.Trigger, ...]:
    """Minimal sets of terms that cover the variables; none if no terms do.

    Terms with + and - are tried only where there are no others. Sets that feed themselves are left
    out where there is a single term.
    """
    return _covering_triggers(e.variables, (e.body,))


@once_each
def triggers_of_permission(a: QuantifiedPermission) -> tuple[pe.Trigger, ...]:
    """From the terms of the location; if they do not do, from the condition as well."""
    location = a.resource.location if isinstance(a.resource, Access) else a.resource
    return _covering_triggers(a.variables, (location,)) or _covering_triggers(
        a.variables, (a.condition, location)
    )


def _covering_triggers(
    variables: tuple[pe.Var, ...], bodies: tuple[Node, ...]
) -> tuple[pe.Trigger, ...]:
    names = frozenset([v.name for v in variables])
    found = [c for body in bodies for c in _candidates(body, names, frozenset())]
    plain = [c for c in found if _has_only(c, _ALLOWED)]
    sets = _covering_sets(_without_repetitions(plain), names)
    if not sets:
        sums = [c for c in found if _has_only(c, (*_ALLOWED, *_SUMS))]
        sets = _covering_sets(_without_repetitions(sums), names)
    chosen = without_loops(sets, bodies, names)[:MAX_SETS]
    return tuple([pe.Trigger(terms, span=terms[0].span) for terms in chosen])


def _candidates(node: Node, names: frozenset[str], inner: frozenset[str]) -> Iterator[pe.Expr]:
    """Possible triggers that mention a variable of the quantifier and none bound further inside."""
    if isinstance(node, _BINDERS):
        bound = (node.variable,) if isinstance(node, pe.Let) else node.variables
        inner = inner | {v.name for v in bound}
    elif isinstance(node, pe.Old):
        for candidate in _candidates(node.operand, names, inner):
            yield pe.Old(node.label, candidate, span=candidate.span)
        return
    if isinstance(node, pe.Trigger):
        return
    if isinstance(node, _POSSIBLE):
        mentioned = free_vars(node)
        if mentioned & names and not mentioned & inner:
            yield node
    for child in children(node):
        yield from _candidates(child, names, inner)


def _has_only(e: pe.Expr, allowed: tuple[type, ...]) -> bool:
    return all(isinstance(node, allowed) and _is_linear(node) for node in descendants(e))


def _is_linear(node: Node) -> bool:
    match node:
        case pe.IntArith(op):
            return op in (pe.IntOp.ADD, pe.IntOp.SUB)
        case pe.PermArith(op):
            return op in (pe.PermOp.ADD, pe.PermOp.SUB)
        case _:
            return True


def _without_repetitions(candidates: list[pe.Expr]) -> list[pe.Expr]:
    return list(dict.fromkeys(candidates))


def _covering_sets(candidates: list[pe.Expr], names: frozenset[str]) -> list[tuple[pe.Expr, ...]]:
    covers = [(c, free_vars(c) & names) for c in candidates]
    sets = _extend((), frozenset(), covers, names)
    tidy = [s for s in sets if not any(_inside(a, b) for a in s for b in s if a is not b)]
    return [s for s in tidy if not any(_is_weaker(s, other) for other in tidy if other is not s)]


def _extend(
    chosen: tuple[pe.Expr, ...],
    covered: frozenset[str],
    covers: list[tuple[pe.Expr, frozenset[str]]],
    names: frozenset[str],
) -> list[tuple[pe.Expr, ...]]:
    """All selections, left to right, in which every term covers a variable still missing."""
    if covered == names:
        return [chosen]
    sets: list[tuple[pe.Expr, ...]] = []
    for at, (candidate, variables) in enumerate(covers):
        if len(sets) > 4 * MAX_SETS:
            break
        if not variables <= covered:
            sets += _extend((*chosen, candidate), covered | variables, covers[at + 1 :], names)
    return sets


def _is_weaker(one: tuple[pe.Expr, ...], other: tuple[pe.Expr, ...]) -> bool:
    """Whether each term of `one` stands inside a term of `other`, so that `one` matches wherever
    `other` does: `{f(x)}` is weaker than `{g(f(x))}`, and matches more often than is wanted."""
    return all(any(_inside(a, b) for b in other) for a in one)


def _inside(part: pe.Expr, whole: pe.Expr) -> bool:
    return part is not whole and part != whole and any(node == part for node in descendants(whole))
