"""Invariants for what a loop has not come to yet: it is as it was at the start."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars

_AHEAD = {
    x.CompareOp.LT: "<=",
    x.CompareOp.LE: "<=",
    x.CompareOp.GT: ">",
    x.CompareOp.GE: ">=",
}
"""For `k < n` the index `k` comes next, for `k > 0` the one below, in most programs."""


def rest_unchanged(loop: s.While, changed: set[str], starts: dict[str, x.Expr]) -> Iterator[str]:
    """`forall i: Int :: k <= i && i < n ==> a[i] == old(a[i])`, for fields and for sequences."""
    for name, ahead in _ahead(loop.condition, changed):
        yield from _of_fields(loop, name, ahead, changed)
        yield from _of_sequences(loop, name, ahead, changed, starts)


def _ahead(condition: x.Expr, changed: set[str]) -> Iterator[tuple[str, str]]:
    """A counter, and how an index that it still comes to is compared with it."""
    for part in descendants(condition):
        if not isinstance(part, x.Compare | x.NotEqual) or not isinstance(part.left, x.Var):
            continue
        if part.left.name not in changed or free_vars(part.right) & changed:
            continue
        sign = x.CompareOp.LT if isinstance(part, x.NotEqual) else part.op
        yield part.left.name, _AHEAD[sign]


def _of_fields(loop: s.While, name: str, ahead: str, changed: set[str]) -> Iterator[str]:
    """Fields that are held for all indices of a range, and that the loop writes one by one."""
    written = {node.field for node in descendants(loop.body) if isinstance(node, s.FieldAssign)}
    for node in [n for clause in loop.invariants for n in descendants(clause)]:
        match node:
            case a.QuantifiedPermission(
                (x.Var(index, kind),), _, condition, a.Access(a.FieldLocation(_, field) as location)
            ) if str(kind) == "Int" and field in written:
                if free_vars(location) & changed or free_vars(condition) & changed:
                    continue
                place = text_of(location)
                yield (
                    f"forall {index}: Int :: {text_of(condition)} && {name} {ahead} {index} ==> "
                    f"{place} == old({place})"
                )
            case _:
                continue


def _of_sequences(
    loop: s.While, name: str, ahead: str, changed: set[str], starts: dict[str, x.Expr]
) -> Iterator[str]:
    """A sequence that begins as another one, of which the loop replaces one element at a time."""
    for target in _updated(loop.body):
        start = starts.get(target)
        if not isinstance(start, x.Var) or start.name in changed:
            continue
        whole, index = start.name, _fresh("j", loop)
        yield f"|{target}| == |{whole}|"
        yield (
            f"forall {index}: Int :: 0 <= {index} && {index} < |{whole}| && {name} {ahead} {index} "
            f"==> {target}[{index}] == {whole}[{index}]"
        )


def _updated(body: Node) -> Iterator[str]:
    """Variables to which the sequence that they were is assigned with another element."""
    for node in descendants(body):
        match node:
            case s.LocalAssign(x.Var(target), x.SeqUpdate(x.Var(whole))) if target == whole:
                yield target
            case _:
                continue


def _fresh(name: str, loop: s.While) -> str:
    """A name that the loop does not use."""
    used = {node.name for node in descendants(loop) if isinstance(node, x.Var)}
    return name if name not in used else _fresh(f"{name}2", loop)
