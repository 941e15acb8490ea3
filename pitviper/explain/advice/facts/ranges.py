"""Quantifiers with the wrong connective behind their range, as they are meant."""

from __future__ import annotations

from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.walk import descendants, free_vars


def is_range(part: Node, names: set[str]) -> bool:
    """Whether a comparison says where a variable is, and looks into nothing."""
    is_compared = isinstance(part, x.Compare | x.SetContains | x.SeqContains)
    looks = (x.SeqIndex, x.FieldRead, x.FunctionApp)
    return (
        is_compared
        and bool(free_vars(part) & names)
        and not any(isinstance(node, looks) for node in descendants(part))
    )


def head_of(quantifier: x.Forall | x.Exists) -> str:
    """What is written in front of the body: `forall i: Int :: `, with triggers."""
    return quantifier.span.text[: quantifier.body.span.start - quantifier.span.start]


def as_implication(quantifier: x.Forall) -> str | None:
    """`forall i: Int :: range ==> fact` for `forall i: Int :: range && fact`."""
    if not isinstance(quantifier.body, x.And):
        return None
    names = {variable.name for variable in quantifier.variables}
    parts = quantifier.body.operands
    ranges = [part.span.text for part in parts if is_range(part, names)]
    facts = [part.span.text for part in parts if not is_range(part, names)]
    if not ranges or not facts:
        return None
    whole = f"{head_of(quantifier)}{' && '.join(ranges)} ==> {' && '.join(facts)}"
    return " ".join(whole.split())


def as_conjunction(quantifier: x.Exists) -> str | None:
    """`exists i: Int :: range && fact` for `exists i: Int :: range ==> fact`."""
    match quantifier.body:
        case x.Implies(left, right):
            whole = f"{head_of(quantifier)}{left.span.text} && {right.span.text}"
            return " ".join(whole.split())
        case _:
            return None
