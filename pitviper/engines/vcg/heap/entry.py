"""Entries: the summands of a permission map, with the values known at their indices.

NOTE(signs). Sums of entries are compared with bounds that rest on the sign of each summand, so a
wrong sign is an unsoundness. A sign is computed from the amount by `sign_of`, or stated by whoever
introduced the amount together with an assumption about it.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import TypeAlias

from pitviper.base.record import record, replace
from pitviper.program.node import Node
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import Sort, array
from pitviper.terms.substitute import substitute
from pitviper.terms.term import App, Literal, Term, Var

Index: TypeAlias = tuple[Term, ...]


class Family(Enum):
    """What a kind is of."""

    FIELD = "field"
    PREDICATE = "predicate"
    WAND = "wand"


@record
class Kind:
    """A field, a predicate or a wand shape: all locations of a kind share one array of values.

    Kinds without indices (predicates without parameters) have a plain value instead of an array.
    """

    what: Family
    name: str
    index: tuple[Sort, ...]
    value: Sort

    @property
    def is_field(self) -> bool:
        return self.what is Family.FIELD

    @property
    def sort(self) -> Sort:
        """The sort of its array."""
        return array(self.index, self.value) if self.index else self.value

    def select(self, values: Term, index: Index) -> Term:
        return tb.select(values, *index) if index else values

    def store(self, values: Term, index: Index, value: Term) -> Term:
        return tb.store(values, *index, value) if index else value


@record
class Portion:
    """Some permission to a location."""

    kind: Kind
    index: Index
    amount: Term


class Sign(Enum):
    PLUS = "never negative"
    MINUS = "never positive"
    OPEN = "not known"


@record
class Entry:
    """`amount` at one index; `value`, if there is one, is right wherever the amount is positive."""

    index: Index
    amount: Term
    sign: Sign
    value: Term | None = None

    def at(self, index: Index, same: Term) -> Term:
        """What it adds to the permission at an index; `same` says whether that is its own."""
        return self.amount if index == self.index else tb.ite(same, self.amount, tb.NONE)

    def when(self, condition: Term) -> Entry:
        """The entry under a condition; zero elsewhere."""
        return replace(self, amount=tb.ite(condition, self.amount, tb.NONE))


@record
class QuantifiedEntry:
    """`amount`, a term over `formals`, at every index. `key` tells what it was made from: entries
    with the same key and opposite signs cancel. `values` is an array of what its instances
    remember, for wands that came in together: see NOTE(instances) in `wands/value.py`."""

    formals: tuple[Var, ...]
    amount: Term
    sign: Sign
    key: object = None
    values: Term | None = None

    def at(self, index: Index) -> Term:
        return substitute(self.amount, dict(zip(self.formals, index, strict=True)))

    def when(self, condition: Term) -> QuantifiedEntry:
        return replace(self, amount=tb.ite(condition, self.amount, tb.NONE), key=None)


AnyEntry: TypeAlias = Entry | QuantifiedEntry


def sign_of(amount: Term, known: Collection[Term] = ()) -> Sign:
    """From literals, choices and products of signed terms, and facts `0 <= t`, `0 < t`."""
    if isinstance(amount, Literal):
        assert not isinstance(amount.value, bool)
        return Sign.PLUS if amount.value >= 0 else Sign.MINUS
    if tb.at_least(amount, tb.NONE) in known or tb.greater(amount, tb.NONE) in known:
        return Sign.PLUS
    if isinstance(amount, App):
        if amount.symbol is op.ITE:
            return _common(sign_of(amount.args[1], known), sign_of(amount.args[2], known))
        if amount.symbol in (op.PLUS, op.TIMES, op.DIVIDE):
            both = _common(sign_of(amount.args[0], known), sign_of(amount.args[1], known))
            if both is Sign.PLUS or amount.symbol is op.PLUS:
                return both
    return Sign.OPEN


def _common(a: Sign, b: Sign) -> Sign:
    return a if a is b else Sign.OPEN


def is_positive(amount: Term, known: Collection[Term] = ()) -> bool:
    """Whether an amount is surely more than nothing."""
    if isinstance(amount, Literal):
        return not isinstance(amount.value, bool) and amount.value > 0
    if tb.greater(amount, tb.NONE) in known:
        return True
    if isinstance(amount, App):
        if amount.symbol is op.ITE:
            return all(is_positive(arm, known) for arm in amount.args[1:])
        if amount.symbol in (op.TIMES, op.DIVIDE):
            return all(is_positive(factor, known) for factor in amount.args)
        if amount.symbol is op.PLUS:
            a, b = amount.args
            return (is_positive(a, known) and sign_of(b, known) is Sign.PLUS) or (
                is_positive(b, known) and sign_of(a, known) is Sign.PLUS
            )
    return False


@record
class Request:
    """An amount at an index; with `wildcard`, some part of what is there. `node` is to blame."""

    kind: Kind
    index: Index
    amount: Term
    wildcard: bool
    node: Node
