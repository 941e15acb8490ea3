"""Quantified permissions: a loop over the values that matter, or one value that stands for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pitviper.base.record import record
from pitviper.engines.explore.model.term import Local, Operation, Term
from pitviper.engines.explore.model.types import SEQ, Generic
from pitviper.engines.explore.viper import assertions, quantifiers, wands
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.definedness import is_evidently_injective
from pitviper.engines.explore.viper.emitter import (
    ANY,
    NOTHING,
    Emitter,
    Place,
    Scope,
    boolean,
    negated,
)
from pitviper.engines.explore.viper.ranges import (
    Bounds,
    One,
    Truths,
    first_ranges,
    holding,
    positive,
    ranges_of,
)
from pitviper.program import assertion as pa
from pitviper.program import expr as pe

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation

ENDLESS = "a quantified permission over infinitely many values"


def transfer(
    a: pa.QuantifiedPermission,
    sc: Scope,
    way: assertions.Gain | assertions.Loss,
    out: Emitter,
    tr: Translation,
) -> None:
    """One access for all values of the variables, each for a location of its own."""
    work = _Quantified(a, sc, out, tr)
    conditions = holding(a.condition)
    domains = first_ranges(a.variables, conditions)
    if domains is None:
        work.check_any()
        amount = () if isinstance(a.resource, pa.Wand) else positive(a.resource.amount)
        domains = ranges_of(a.variables, (*conditions, *amount))
    if domains is None:
        work.endless(way)
        return
    is_injective = is_evidently_injective(a, tr.arrays.functions)
    repeats = not all(isinstance(d.domain, Bounds | Truths | One) for d in domains.values())
    seen, met = out.local(Generic(SEQ, (ANY,)), "seen"), out.local(Generic(SEQ, (ANY,)), "met")
    out.assign(seen, Operation("seq", (), seen.type))
    out.assign(met, Operation("seq", (), met.type))

    def inside(inner: Scope) -> None:
        skip = Place()
        if repeats:
            values = work.values(inner)
            out.branch(boolean("seq_contains", values, met), skip)
            out.assign(met, _with(met, values))
        item = work.instance(inner, skip)
        if not is_injective:
            key = out.keep(Operation("seq", _at(item), ANY), "at")
            work.must_differ(negated(boolean("seq_contains", key, seen)))
            out.assign(seen, _with(seen, key))
        if isinstance(item, wands.Located):
            wands.move(item, inner, way, out)
        else:
            assertions.move(item, inner, way, out)
        out.put(skip)

    quantifiers.loop_over(domains, sc, inside, out, tr)


def _with(sequence: Local, element: Term) -> Operation:
    one = Operation("seq", (element,), sequence.type)
    return Operation("append", (sequence, one), sequence.type)


Item: TypeAlias = "assertions.Resource | wands.Located"
"""What is held for some values of the variables."""


def _at(item: Item) -> tuple[Term, ...]:
    return item.holes if isinstance(item, wands.Located) else item.at


@record
class _Quantified:
    """What is emitted for one quantified permission."""

    a: pa.QuantifiedPermission
    sc: Scope
    out: Emitter
    tr: Translation

    def values(self, inner: Scope) -> Operation:
        return Operation("seq", tuple([inner.names[v.name] for v in self.a.variables]), ANY)

    def instance(self, inner: Scope, skip: Place) -> Item:
        """The access for some values; elsewhere if there is none."""
        out, tr, access = self.out, self.tr, self.a.resource
        out.branch(negated(rules.lower(self.a.condition, inner, out, tr)), skip)
        if isinstance(access, pa.Wand):
            return wands.located(access, inner, out, tr)
        at = assertions.arguments_of(access.location, inner, out, tr)
        share = assertions.checked_amount(access.amount, inner, out, tr)
        if share is not None:
            out.branch(negated(boolean("less", assertions.NO_AMOUNT, share)), skip)
        return assertions.Resource(access, at, share)

    def must_differ(self, condition: Term) -> None:
        access = self.a.resource
        shown = access if isinstance(access, pa.Wand) else access.location
        blame = self.sc.obligation.blame("qp.not.injective", access, shown)
        self.out.check(condition, blame)

    def any_instance(self, skip: Place) -> tuple[Scope, Item]:
        inner = quantifiers.any_values(self.a.variables, self.sc, self.out)
        return inner, self.instance(inner, skip)

    def check_any(self) -> None:
        """The parts must have a value whatever the variables are."""
        skip = Place()
        self.any_instance(skip)
        self.out.put(skip)

    def endless(self, way: assertions.Gain | assertions.Loss) -> None:
        """Two values, whichever they are, say whether locations differ; one whether all is held."""
        out = self.out
        if not self._is_variable():
            skip = Place()
            one, first = self.any_instance(skip)
            other, second = self.any_instance(skip)
            out.branch(boolean("equal", self.values(one), self.values(other)), skip)
            same = [boolean("equal", x, y) for x, y in zip(_at(first), _at(second), strict=True)]
            self.must_differ(negated(boolean("and", *same)))
            out.put(skip)
        if isinstance(way, assertions.Gain):
            out.unsupported(ENDLESS)
            return
        skip = Place()
        inner, item = self.any_instance(skip)
        if isinstance(item, wands.Located):
            wands.require(item, inner, way.heap, out)
        else:
            assertions.require(item, inner, way, out)
        out.put(skip)
        if way.sink != NOTHING or (way.further and not self.sc.binary):
            out.unsupported(ENDLESS)

    def _is_variable(self) -> bool:
        match self.a.resource:
            case pa.Access(pa.FieldLocation(pe.Var(name))):
                return [v.name for v in self.a.variables] == [name]
            case pa.Access(pa.PredicateLocation(_, args)):
                given = [arg.name for arg in args if isinstance(arg, pe.Var)]
                return all(v.name in given for v in self.a.variables)
            case _:
                return False
