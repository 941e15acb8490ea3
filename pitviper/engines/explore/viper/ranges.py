"""Which values of quantified variables matter: ranges of numbers, elements of collections.

A universal quantifier is decided by the values for which its body may be false, an existential
one by those for which it may be true. Both are read off from a list of conditions that must hold
of such values.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.engines.explore.viper.definedness import is_total
from pitviper.program import expr as pe
from pitviper.program.node import Node
from pitviper.program.types import BoolType, IntType
from pitviper.program.walk import children, descendants


@record
class Bounds:
    """The numbers from `low` on, below `high`."""

    low: pe.Expr
    high: pe.Expr


@record
class Elements:
    """The elements of a collection."""

    collection: pe.Expr


@record
class One:
    """A single value."""

    value: pe.Expr


@record
class Truths:
    """Both truth values."""


@record
class Several:
    """The values of all parts; none without parts."""

    parts: tuple[Guarded, ...] = ()


Range: TypeAlias = Bounds | Elements | One | Truths | Several


@record
class Guarded:
    """A domain that is there only if some conditions hold, which may be needed to speak of it.

    Unless it is `certain`, more may be needed: then it may have no value without any error.
    """

    domain: Range
    guards: tuple[pe.Expr, ...] = ()
    certain: bool = True


@record
class Either:
    """One of several lists of conditions holds."""

    options: tuple[tuple[Condition, ...], ...]


Condition: TypeAlias = pe.Expr | Either
Conditions: TypeAlias = tuple[Condition, ...]

ONE = pe.IntLit(1)
MOST = 8
"""Alternatives inside of alternatives that are followed."""


# ---------------------------------------------------------------- conditions


def holding(e: pe.Expr) -> Conditions:
    """What holds where an expression does."""
    match e:
        case pe.And(operands):
            return tuple([c for operand in operands for c in holding(operand)])
        case pe.Or(operands):
            return (Either(tuple([holding(operand) for operand in operands])),)
        case pe.Implies(left, right):
            return (Either((failing(left), holding(right))),)
        case pe.Not(operand):
            return failing(operand)
        case pe.Conditional(condition, then, otherwise):
            first = (*holding(condition), *holding(then))
            return (Either((first, (*failing(condition), *holding(otherwise)))),)
        case pe.Equal(left, right) if isinstance(left.type, BoolType):
            neither = (*failing(left), *failing(right))
            return (Either(((*holding(left), *holding(right)), neither)),)
        case pe.NotEqual(left, right) if isinstance(left.type, BoolType):
            return failing(pe.Equal(left, right))
        case _:
            return (e,)


def failing(e: pe.Expr) -> Conditions:
    """What holds where an expression does not."""
    match e:
        case pe.BoolLit(value):
            return (pe.BoolLit(not value),)
        case pe.Or(operands):
            return tuple([c for operand in operands for c in failing(operand)])
        case pe.And(operands):
            return (Either(tuple([failing(operand) for operand in operands])),)
        case pe.Implies(left, right):
            return (*holding(left), *failing(right))
        case pe.Not(operand):
            return holding(operand)
        case pe.Conditional(condition, then, otherwise):
            first = (*holding(condition), *failing(then))
            return (Either((first, (*failing(condition), *failing(otherwise)))),)
        case pe.Equal(left, right) if isinstance(left.type, BoolType):
            first = (*holding(left), *failing(right))
            return (Either((first, (*failing(left), *holding(right)))),)
        case pe.NotEqual(left, right):
            return holding(pe.Equal(left, right))
        case pe.Compare(op, left, right):
            return (pe.Compare(_OPPOSITE[op], left, right),)
        case _:
            return (pe.Not(e),)


_OPPOSITE = {
    pe.CompareOp.LT: pe.CompareOp.GE,
    pe.CompareOp.LE: pe.CompareOp.GT,
    pe.CompareOp.GT: pe.CompareOp.LE,
    pe.CompareOp.GE: pe.CompareOp.LT,
}


def positive(amount: pe.Expr) -> Conditions:
    """What holds where a permission amount is not `none`, as far as its form says."""
    match amount:
        case pe.PermLit(pe.PermConstant.NONE):
            return (pe.BoolLit(value=False),)
        case pe.Conditional(condition, then, otherwise):
            first = (*holding(condition), *positive(then))
            return (Either((first, (*failing(condition), *positive(otherwise)))),)
        case _:
            return ()


def first_ranges(variables: tuple[pe.Var, ...], conditions: Conditions) -> Ranges | None:
    """Ranges by the conditions that come first, if nothing is evaluated for other values.

    For a value outside of its range evaluation ends at one of these conditions: they must have a
    value whatever the variables are, or what may have none is evaluated where the range is. None
    if there are no such ranges: then it has to be checked for any values that all has a value.
    """
    names = frozenset(v.name for v in variables)
    first = _while(_is_total, conditions)
    found = ranges_of(variables, first)
    if found is not None:
        return found
    kept = _while(lambda c: _is_total(c) or _is_range(c, names), conditions)
    for end in range(len(first) + 1, len(kept) + 1):
        found = ranges_of(variables, kept[:end])
        if found is not None:
            partial = [c for c in kept[:end] if not _is_total(c)]
            return found if all(_is_evaluated(c, found, names) for c in partial) else None
    return None


def _while(is_kept: Callable[[Condition], bool], conditions: Conditions) -> Conditions:
    """The conditions before the first that is not kept."""
    return tuple(takewhile(is_kept, conditions))


def _is_evaluated(condition: Condition, ranges: Ranges, names: frozenset[str]) -> bool:
    """Whether what a variable is compared with is part of a range."""
    assert not isinstance(condition, Either)
    compared = [part for part in children(condition) if not mentions(part, names)]
    parts = [part for guarded in ranges.values() for part in _parts(guarded.domain)]
    nodes = [node for part in parts for node in descendants(part)]
    return all(any(node == one for node in nodes) for one in compared)


def _is_total(condition: Condition) -> bool:
    if isinstance(condition, Either):
        return all(_is_total(c) for option in condition.options for c in option)
    return is_total(condition)


def _is_range(condition: Condition, names: frozenset[str]) -> bool:
    """Whether a variable is compared with, or looked for in, something without variables."""
    match condition:
        case pe.Compare(_, left, right) | pe.Equal(left, right):
            return (is_total(left) and not mentions(right, names)) or (
                is_total(right) and not mentions(left, names)
            )
        case (
            pe.SeqContains(element, inside)
            | pe.SetContains(element, inside)
            | pe.MapContains(element, inside)
        ):
            return is_total(element) and not mentions(inside, names)
        case _:
            return False


# ---------------------------------------------------------------- domains


Ranges: TypeAlias = dict[str, Guarded]
"""For each variable, in an order in which they can be looped over."""


def ranges_of(variables: tuple[pe.Var, ...], conditions: Conditions) -> Ranges | None:
    """The ranges of all variables, certain ones first; None if one has none."""
    found: Ranges = {}
    waiting = list(variables)
    while waiting:
        later = frozenset(v.name for v in waiting)
        domains = [(v, _Finder(v, later).domain(conditions, MOST)) for v in waiting]
        known = [(v, domain) for v, domain in domains if domain is not None]
        if not known:
            return None
        variable, domain = next((one for one in known if one[1].certain), known[0])
        found[variable.name] = domain
        waiting.remove(variable)
    return found


class _Finder:
    """Looks for the values of one variable; `later` are those without a value when it gets one."""

    def __init__(self, variable: pe.Var, later: frozenset[str]) -> None:
        self._variable = variable
        self._later = later

    def domain(self, conditions: Conditions, depth: int) -> Guarded | None:
        if isinstance(self._variable.type, BoolType):
            return Guarded(Truths())
        rules = (self._nothing, self._single, self._bounds)
        found = [domain for rule in rules if (domain := rule(conditions)) is not None]
        for domain in found:
            if domain.certain:
                return domain
        if found:
            return found[0]
        return self._either(conditions, depth) if depth else None

    def _nothing(self, conditions: Conditions) -> Guarded | None:
        return Guarded(Several()) if pe.BoolLit(value=False) in conditions else None

    def _single(self, conditions: Conditions) -> Guarded | None:
        for position, condition in enumerate(conditions):
            domain = self._of_one(condition)
            if domain is not None:
                return self._guarded(domain, conditions[:position])
        return None

    def _of_one(self, condition: Condition) -> Range | None:
        match condition:
            case (
                pe.SeqContains(pe.Var(name), inside)
                | pe.SetContains(pe.Var(name), inside)
                | pe.MapContains(pe.Var(name), inside)
            ) if self._speaks_of(name, inside):
                return Elements(inside)
            case pe.Compare():
                bag = _multiset(self._variable.name, condition)
                return None if bag is None or mentions(bag, self._later) else Elements(bag)
            case pe.Equal(pe.Var(name), value) if self._speaks_of(name, value):
                return One(value)
            case pe.Equal(value, pe.Var(name)) if self._speaks_of(name, value):
                return One(value)
            case _:
                return None

    def _speaks_of(self, name: str, through: pe.Expr) -> bool:
        return name == self._variable.name and not mentions(through, self._later)

    def _guarded(self, domain: Range, before: Conditions) -> Guarded:
        """With the conditions before its place that may be needed to make sense of it."""
        if all(is_total(part) for part in _parts(domain)):
            return Guarded(domain)
        known = [c for c in before if not isinstance(c, Either)]
        guards = tuple([c for c in known if not mentions(c, self._later)])
        others = [c for c in known if mentions(c, self._later)]
        return Guarded(domain, guards, self._leaves_some(others) and len(known) == len(before))

    def _leaves_some(self, conditions: list[pe.Expr]) -> bool:
        """Whether conditions hold for some value: all bound the variable from the same side."""
        name, others = self._variable.name, self._later
        for rule in (lower_bound, upper_bound):
            bounds = [rule(name, c) for c in conditions]
            if all(bound is not None and not mentions(bound, others) for bound in bounds):
                return True
        return False

    def _bounds(self, conditions: Conditions) -> Guarded | None:
        if not isinstance(self._variable.type, IntType):
            return None
        name = self._variable.name
        low = self._bound((name,), conditions, lower_bound)
        high = self._bound((name,), conditions, upper_bound)
        if low is None or high is None:
            return None
        domain = Bounds(low[1], high[1])
        return self._guarded(domain, conditions[: max(low[0], high[0])])

    def _bound(
        self, names: tuple[str, ...], conditions: Conditions, rule: Rule
    ) -> tuple[int, pe.Expr] | None:
        """The position of a condition and the bound it gives, directly or by other variables.

        The last of the names is the variable that is looked at, for the sake of those before it.
        """
        name = names[-1]
        through: list[tuple[int, pe.Var]] = []
        for position, condition in enumerate(conditions):
            bound = None if isinstance(condition, Either) else rule(name, condition)
            if bound is None:
                continue
            if not mentions(bound, self._later):
                return position, bound
            other = bound.left if isinstance(bound, pe.IntArith) and bound.right is ONE else bound
            if isinstance(other, pe.Var) and other.name not in names:
                through.append((position, other))
        for position, other in through:
            further = self._bound((*names, other.name), conditions, rule)
            if further is not None:
                return max(position, further[0]), further[1]
        return None

    def _either(self, conditions: Conditions, depth: int) -> Guarded | None:
        for position, condition in enumerate(conditions):
            if not isinstance(condition, Either):
                continue
            rest = (*conditions[:position], *conditions[position + 1 :])
            parts = [self.domain((*rest, *option), depth - 1) for option in condition.options]
            known = [p for p in parts if p is not None]
            if len(known) == len(parts):
                return Guarded(Several(tuple(known)))
        return None


def _multiset(name: str, condition: pe.Compare) -> pe.Expr | None:
    """The multiset of which a condition says that the variable occurs in it."""
    match condition:
        case pe.Compare(
            pe.CompareOp.GT | pe.CompareOp.GE,
            pe.MultisetCount(pe.Var(element), inside),
            pe.IntLit(least),
        ) | pe.Compare(
            pe.CompareOp.LT | pe.CompareOp.LE,
            pe.IntLit(least),
            pe.MultisetCount(pe.Var(element), inside),
        ) if element == name:
            strict = condition.op in (pe.CompareOp.GT, pe.CompareOp.LT)
            return inside if least > 0 or (strict and least == 0) else None
        case _:
            return None


def _parts(domain: Range) -> tuple[pe.Expr, ...]:
    match domain:
        case Bounds(low, high):
            return (low, high)
        case Elements(part) | One(part):
            return (part,)
        case _:
            return ()


def mentions(e: Node, names: frozenset[str]) -> bool:
    return any(isinstance(node, pe.Var) and node.name in names for node in descendants(e))


# ---------------------------------------------------------------- bounds


Rule: TypeAlias = Callable[[str, pe.Expr], pe.Expr | None]


def upper_bound(name: str, condition: pe.Expr) -> pe.Expr | None:
    """The first number that is too large."""
    return _bound(name, condition, pe.CompareOp.LT, pe.CompareOp.LE)


def lower_bound(name: str, condition: pe.Expr) -> pe.Expr | None:
    """The least number."""
    return _bound(name, condition, pe.CompareOp.GE, pe.CompareOp.GT)


def _bound(
    name: str, condition: pe.Expr, exact: pe.CompareOp, one_less: pe.CompareOp
) -> pe.Expr | None:
    """What a name is compared with; `one_less` is a comparison with the number before the bound."""
    op, value = _compared(name, condition) or (None, ONE)
    if op is exact:
        return value
    return pe.IntArith(pe.IntOp.ADD, value, ONE) if op is one_less else None


def _compared(name: str, condition: pe.Expr) -> tuple[pe.CompareOp, pe.Expr] | None:
    """A comparison as `name op value`; sums around the name are moved to the other side."""
    if not isinstance(condition, pe.Compare):
        return None
    only = frozenset({name})
    op, left, right = condition.op, condition.left, condition.right
    if not mentions(left, only):
        op, left, right = _TURNED[op], right, left
    if mentions(right, only) or not isinstance(left.type, IntType):
        return None
    while isinstance(left, pe.IntArith) and left.op in (pe.IntOp.ADD, pe.IntOp.SUB):
        one, other, adding = left.left, left.right, left.op is pe.IntOp.ADD
        if mentions(one, only) and mentions(other, only):
            return None
        if mentions(one, only):
            inverse = pe.IntOp.SUB if adding else pe.IntOp.ADD
            left, right = one, pe.IntArith(inverse, right, other)
        elif adding:
            left, right = other, pe.IntArith(pe.IntOp.SUB, right, one)
        else:
            op = _TURNED[op]
            left, right = other, pe.IntArith(pe.IntOp.SUB, one, right)
    return (op, right) if isinstance(left, pe.Var) and left.name == name else None


_TURNED = {
    pe.CompareOp.LT: pe.CompareOp.GT,
    pe.CompareOp.LE: pe.CompareOp.GE,
    pe.CompareOp.GT: pe.CompareOp.LT,
    pe.CompareOp.GE: pe.CompareOp.LE,
}
