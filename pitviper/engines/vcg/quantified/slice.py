"""Snapshots of quantified permissions: the values at all indices of a family, as one term.

NOTE(slices). `slice(h, zs)` stands for the array `h` restricted to the indices that the family
denotes for the parameters `zs`. Two slices with the same indices and the same values there are
equal; whether that is so is asked at one index that depends on the two. What comes out of a slice
agrees with the array that went in, at these indices only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitviper.encoding.quantify import axiom
from pitviper.engines.vcg.heap.entry import Kind
from pitviper.engines.vcg.ivl.language import Assume, Block
from pitviper.engines.vcg.ivl.visit import commands
from pitviper.engines.vcg.quantified.inverse import Family, Inverse
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, unwrap
from pitviper.terms.sort import BOOL
from pitviper.terms.substitute import substitute
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import Term, Var

_NAME = "slice"
SLICES: Final = "slices"
"""Where facts come from that are true everywhere: the axioms of slices."""


def slice_symbol(kind: Kind, family: Family) -> Function:
    """Takes the array, whether the common amount is positive, and the parameters."""
    sorts = tuple([p.sort for p in family.shape.parameters])
    return function(f"{_NAME}<{kind.name}>#{family.digest}", (kind.sort, BOOL, *sorts), SNAP)


def slice_term(kind: Kind, inverse: Inverse, values: Term, positive: Term) -> Term:
    symbol = slice_symbol(kind, inverse.family)
    return tb.apply(symbol, values, positive, *inverse.parameters)


def slice_axioms(kind: Kind, family: Family) -> tuple[Term, ...]:
    if not kind.index:
        return ()
    one, two = _Side(kind, family, ""), _Side(kind, family, "'")
    read = kind.select(unwrap(one.whole, kind.sort), family.formals)
    same = tb.equal(read, kind.select(one.values, family.formals))
    formals = family.formals
    look = axiom(
        f"slice.{kind.name}",
        (*one.variables, *formals),
        tb.implies(one.inside(formals), same),
        read,
    )
    witness = _witness(kind, family, one.whole, two.whole)
    agree = tb.equal(kind.select(one.values, witness), kind.select(two.values, witness))
    alike = tb.conjoin(
        tb.iff(one.inside(witness), two.inside(witness)),
        tb.implies(one.inside(witness), agree),
    )
    equal = axiom(
        f"slice.extensional.{kind.name}",
        (*one.variables, *two.variables),
        tb.implies(alike, tb.equal(one.whole, two.whole)),
        (one.whole, two.whole),
    )
    return look, equal


class _Side:
    """A slice over variables."""

    def __init__(self, kind: Kind, family: Family, mark: str) -> None:
        self.family = family
        self.values = tb.variable(f"h{mark}", kind.sort)
        self.positive = tb.variable(f"p{mark}", BOOL)
        self.parameters = tuple(
            [tb.variable(f"{z.name}{mark}", z.sort) for z in family.shape.parameters]
        )
        symbol = slice_symbol(kind, family)
        self.whole = tb.apply(symbol, self.values, self.positive, *self.parameters)

    @property
    def variables(self) -> tuple[Var, ...]:
        return (self.values, self.positive, *self.parameters)

    def inside(self, index: tuple[Term, ...]) -> Term:
        family = self.family
        binding: dict[Term, Term] = dict(
            zip(
                (*family.shape.parameters, *family.formals),
                (*self.parameters, *index),
                strict=True,
            )
        )
        return tb.conjoin(self.positive, substitute(family.domain, binding))


def _witness(kind: Kind, family: Family, one: Term, two: Term) -> tuple[Term, ...]:
    """An index where two slices differ, if there is one."""
    return tuple(
        [
            tb.apply(
                function(f"differ<{kind.name}>#{family.digest}.{i}", (SNAP, SNAP), sort), one, two
            )
            for i, sort in enumerate(kind.index)
        ]
    )


def slice_axioms_in(blocks: Sequence[Block]) -> tuple[Term, ...]:
    """The axioms among what was assumed: told by where they come from, since what a user writes
    can have any name."""
    found = [c for c in commands(blocks) if isinstance(c, Assume) and c.origin == SLICES]
    return tuple(dict.fromkeys([command.fact for command in found]))
