"""Quantified chunks in the words of the quantifiers that they come from."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.engines.symbolic.heap.chunk import QuantifiedChunk
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var

Inverses = Mapping[object, tuple[Function, ...]]


def denoted(
    chunk: QuantifiedChunk, inverses: Inverses
) -> tuple[tuple[Var, ...], Term, tuple[Term, ...], Term] | None:
    """The variables, the condition, the location over them, and the amount where it holds.

    None for a chunk whose amount is not about a single quantifier.
    """
    used = {t.symbol for t in subterms(chunk.amount) if isinstance(t, App)}
    found = [(key, symbols) for key, symbols in inverses.items() if not used.isdisjoint(symbols)]
    if len(found) != 1:
        return None
    key, (image, *backs) = found[0]
    if not isinstance(key, tuple) or len(key) != 4 or key[3]:
        return None
    _, variables, (condition, *args), _ = key
    binding: dict[Term, Term] = {tb.apply(image, *chunk.formals): tb.TRUE}
    for back, variable in zip(backs, variables, strict=True):
        binding[tb.apply(back, *chunk.formals)] = variable
    amount = substitute(substitute(chunk.amount, binding), {condition: tb.TRUE})
    if any(formal in amount.free for formal in chunk.formals):
        return None  # some location was taken out of it
    return variables, condition, tuple(args), amount
