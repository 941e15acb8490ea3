"""What wands hold that came in from outside: see NOTE(lent) in `program/wand_sides.py`.

Two questions are answered, because not every part of a wand is plain to see. What must be so of
every heap with the wand is a fact; without it there is no state. What is enough for such a heap to
be there is asked of the instance; without it the state is a candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.encoding.operators import NULL
from pitviper.encoding.symbols import Symbols
from pitviper.engines.symbolic.heap.chunk import Chunk, Kind
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.wand_sides import side_of
from pitviper.terms import build as tb
from pitviper.terms.term import FALSE, TRUE, Term


@record
class Part:
    """A field of an object, with an amount."""

    field: str
    receiver: Term
    amount: Term


@record
class Sides:
    """What a side has and says, in terms of the holes; `is_plain` if that is all of it."""

    parts: tuple[Part, ...]
    says: tuple[Term, ...]
    is_plain: bool

    def amount_at(self, field: str, r: Term) -> Term:
        """Returns how much of a field of an object the side has."""
        return tb.total(
            [
                tb.ite(tb.equal(part.receiver, r), part.amount, tb.NONE)
                for part in self.parts
                if part.field == field
            ]
        )


Amounts: TypeAlias = Callable[[str, Term], Term]
"""How much of a field of an object is held."""


@record
class HeldWand:
    """A wand that is there if `given`; `number` times."""

    given: Term
    number: Term
    left: Sides
    right: Sides

    @property
    def is_plain(self) -> bool:
        return self.left.is_plain and self.right.is_plain

    def may_be_idle(self, held: Amounts) -> Term:
        """Returns whether the footprint may exclude each left-hand state; true if nobody knows."""
        if not self.left.is_plain:
            return TRUE
        found = [tb.negate(said) for said in self.left.says]
        for part in self.left.parts:
            wanted = self.left.amount_at(part.field, part.receiver)
            found.append(tb.equal(part.receiver, NULL))
            found.append(tb.less(held(part.field, part.receiver), wanted))
        return tb.disjoin(*found)

    def is_idle(self, held: Amounts, others: Term) -> Term:
        """Returns whether there is a footprint that surely does; each of the `others` gets as much
        of the same field."""
        found = [tb.negate(said) for said in self.left.says]
        for part in self.left.parts:
            share = tb.times(others, tb.minus(tb.WRITE, part.amount))
            rest = tb.minus(tb.WRITE, held(part.field, part.receiver))
            found.append(tb.conjoin(tb.differ(part.receiver, NULL), tb.less(share, rest)))
        return tb.disjoin(*found)

    def lent(self, field: str, r: Term) -> Term:
        """Returns what a busy wand holds at least of a field of an object."""
        if not self.is_plain:
            return tb.NONE
        gives, takes = self.right.amount_at(field, r), self.left.amount_at(field, r)
        more = tb.minus(gives, takes)
        return tb.times(self.number, tb.ite(tb.greater(more, tb.NONE), more, tb.NONE))

    def promised(self) -> Term:
        """Returns what is so if a plain wand is busy."""
        objects = [
            tb.implies(tb.greater(part.amount, tb.NONE), tb.differ(part.receiver, NULL))
            for part in self.right.parts
        ]
        return tb.conjoin(*self.right.says, *objects)


def wands_of(chunks: Iterable[tuple[Term, Chunk]], symbols: Symbols) -> tuple[HeldWand, ...]:
    """Returns the wands among chunks, each with what has to be so for it to be there."""
    found = []
    for given, chunk in chunks:
        if chunk.resource.kind is Kind.WAND:
            name = chunk.resource.name
            wand, holes = symbols.wands[name], symbols.shapes[name].holes
            there = tb.conjoin(given, tb.greater(chunk.amount, tb.NONE))
            left, right = [_sides(side, holes, chunk.args) for side in (wand.left, wand.right)]
            found.append(HeldWand(there, chunk.amount, left, right))
    return tuple(found)


def _sides(assertion: pa.Assertion, holes: Sequence[pe.Expr], args: Sequence[Term]) -> Sides:
    values = {id(hole): arg for hole, arg in zip(holes, args, strict=True)}
    side = side_of(assertion)
    parts, says, plain = list[Part](), list[Term](), side.is_plain
    for access in side.fields:
        assert isinstance(access.location, pa.FieldLocation)
        receiver = values.get(id(access.location.receiver))
        amount = values.get(id(access.amount))
        if receiver is None or amount is None:
            plain = False
        else:
            parts.append(Part(access.location.field, receiver, amount))
    for said in side.says:
        value = values.get(id(said))
        if value is None:
            plain = False
        else:
            says.append(value)
    return Sides(tuple(parts), tuple(says), plain)


def must_be(wand: HeldWand, held: Amounts) -> Term:
    """Returns what is so of every heap with a wand, apart from what it holds."""
    if not wand.is_plain:
        return TRUE
    return tb.implies(wand.given, tb.disjoin(wand.may_be_idle(held), wand.promised()))


def can_be(wand: HeldWand, held: Amounts, beside: Amounts, number: Term) -> Term:
    """Returns what is enough for a heap with a wand to be there; `held` is without what wands hold,
    `beside` with what other wands hold."""
    busy = tb.negate(wand.may_be_idle(held)) if wand.is_plain else FALSE
    return tb.implies(wand.given, tb.disjoin(busy, wand.is_idle(beside, number)))
