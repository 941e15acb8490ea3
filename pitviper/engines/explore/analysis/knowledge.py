"""What is known at a point of a method: ranges of numbers, and conditions with their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from pitviper.base.record import field, record
from pitviper.engines.explore.model.printer import term_text
from pitviper.engines.explore.model.program import subterms
from pitviper.engines.explore.model.term import HIDDEN, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, INT

MANY = 24
"""Conditions that are kept; older ones are forgotten, which is always right."""

_STABLE = frozenset(
    {
        "add", "sub", "mul", "neg", "div", "mod", "fraction", "rational", "less", "at_most", "not",
        "and", "or", "implies", "equal", "differ", "choice", "is_null", "is", "size", "index",
        "seq_contains", "contains", "has_key", "count", "lookup", "subset", "take", "drop",
        "append", "part",
    }
)  # fmt: skip
"""Operators whose value depends on their arguments alone: heaps change without an assignment."""


@record(eq=False)
class Fact:
    """A condition that stands for itself: one object for a term, so that it is found quickly."""

    term: Term
    names: frozenset[str]
    is_stable: bool


@lru_cache(maxsize=50_000)
def fact_of(term: Term) -> Fact:
    names = frozenset([t.name for t in subterms(term) if isinstance(t, Local)])
    return Fact(term, names, is_stable(term) and not isinstance(term, Literal))


@record
class Knowledge:
    """Values of it are shared and never changed: each function gives a new one."""

    ranges: dict[str, Interval] = field(default_factory=dict)
    facts: dict[Fact, bool] = field(default_factory=dict)

    def texts(self) -> list[str]:
        """For people: `x in 1..9`, and conditions that say more than ranges."""
        numbers = Knowledge(self.ranges)
        found = [f"{n} in {r}" for n, r in self.ranges.items() if not n.startswith(HIDDEN)]
        found += [
            _said(f.term, holds=holds)
            for f, holds in self.facts.items()
            if decide(f.term, numbers) is None
            and not any([name.startswith(HIDDEN) for name in f.names])
        ]
        return found


NOTHING = Knowledge()

_OPPOSITE = {"less": ">=", "at_most": ">", "equal": "!=", "differ": "=="}


def _said(term: Term, *, holds: bool) -> str:
    """A condition, or its opposite, as one would write it."""
    while isinstance(term, Operation) and term.operator == "not":
        term, holds = term.args[0], not holds
    if holds or not isinstance(term, Operation):
        return term_text(term) if holds else f"!{term_text(term)}"
    if term.operator in _OPPOSITE:
        left, right = map(term_text, term.args)
        return f"{left} {_OPPOSITE[term.operator]} {right}"
    return f"!({term_text(term)})"


def range_of(term: Term, known: Knowledge) -> Interval:
    """The numbers that an integer term can have."""
    if term.type != INT:
        return ALL
    match term:
        case Literal(int(number)):
            return exactly(number)
        case Local(name):
            return known.ranges.get(name, ALL)
        case Operation("add", (one, other)):
            return plus(range_of(one, known), range_of(other, known))
        case Operation("sub", (one, other)):
            return plus(range_of(one, known), negated(range_of(other, known)))
        case Operation("neg", (one,)):
            return negated(range_of(one, known))
        case Operation("mul", (one, other)):
            return times(range_of(one, known), range_of(other, known))
        case Operation("size"):
            return Interval(0, None)
        case _:
            return ALL


def decide(term: Term, known: Knowledge) -> bool | None:
    """The value of a condition; None if that is not known."""
    if known.facts and (found := known.facts.get(fact_of(term))) is not None:
        return found
    match term:
        case Literal(bool(value)):
            return value
        case Operation("not", (inner,)):
            negative = decide(inner, known)
            return None if negative is None else not negative
        case Operation("and" | "or" as operator, args):
            return _junction([decide(a, known) for a in args], stop=operator == "or")
        case Operation("implies", (left, right)):
            first, second = decide(left, known), decide(right, known)
            return _junction([None if first is None else not first, second], stop=True)
        case Operation("less" | "at_most" | "equal" | "differ" as operator, (one, other)):
            if one.type == INT and other.type == INT:
                return _compare(operator, range_of(one, known), range_of(other, known))
            return None
        case _:
            return None


def _junction(values: list[bool | None], *, stop: bool) -> bool | None:
    """A disjunction (`stop` is True) or a conjunction: one such value decides it."""
    if stop in values:
        return stop
    return None if None in values else not stop


def _compare(operator: str, one: Interval, other: Interval) -> bool | None:
    match operator:
        case "less":
            return is_less(one, other)
        case "at_most":
            value = is_less(other, one)
        case "equal":
            return is_equal(one, other)
        case _:
            value = is_equal(one, other)
    return None if value is None else not value


def assuming(term: Term, holds: bool, known: Knowledge) -> Knowledge | None:  # noqa: FBT001 - a value
    """What is known where a condition has a value; None if it cannot have it."""
    value = decide(term, known)
    if value is not None and value is not holds:
        return None
    match term:
        case Operation("not", (inner,)):
            return assuming(inner, not holds, known)
        case Operation("and", args) if holds:
            return _all(args, known, holds=True)
        case Operation("or", args) if not holds:
            return _all(args, known, holds=False)
        case Operation("implies", (left, right)) if not holds:
            after = assuming(left, True, known)  # noqa: FBT003
            return None if after is None else assuming(right, False, after)  # noqa: FBT003
        case _:
            narrowed = _narrowed(term, known, holds=holds)
            return None if narrowed is None else _noted(term, narrowed, holds=holds)


def _all(terms: Iterable[Term], known: Knowledge, *, holds: bool) -> Knowledge | None:
    current: Knowledge | None = known
    for term in terms:
        if current is None:
            return None
        current = assuming(term, holds, current)
    return current


def _noted(term: Term, known: Knowledge, *, holds: bool) -> Knowledge:
    fact = fact_of(term)
    if not fact.is_stable or fact in known.facts:
        return known
    facts = {**known.facts, fact: holds}
    while len(facts) > MANY:
        del facts[next(iter(facts))]
    return Knowledge(known.ranges, facts)


def _narrowed(term: Term, known: Knowledge, *, holds: bool) -> Knowledge | None:
    """Ranges of the variables that are compared."""
    match term:
        case Operation("less" | "at_most" | "equal" | "differ" as operator, (one, other)):
            if one.type != INT or other.type != INT:
                return known
        case _:
            return known
    low, high = range_of(one, known), range_of(other, known)
    match (operator, holds):
        case ("less", True):
            bounds = (_below(high, 1), _above(low, 1))
        case ("less", False):
            bounds = (_above(high, 0), _below(low, 0))
        case ("at_most", True):
            bounds = (_below(high, 0), _above(low, 0))
        case ("at_most", False):
            bounds = (_above(high, 1), _below(low, 1))
        case ("equal", True) | ("differ", False):
            bounds = (high, low)
        case _:
            return known
    after = _within(one, bounds[0], known)
    return None if after is None else _within(other, bounds[1], after)


def _below(bound: Interval, by: int) -> Interval:
    return Interval(None, None if bound.high is None else bound.high - by)


def _above(bound: Interval, by: int) -> Interval:
    return Interval(None if bound.low is None else bound.low + by, None)


def _within(term: Term, bound: Interval, known: Knowledge) -> Knowledge | None:
    if not isinstance(term, Local):
        return known
    found = meet(known.ranges.get(term.name, ALL), bound)
    if found is None:
        return None
    return known if found == ALL else Knowledge({**known.ranges, term.name: found}, known.facts)


def assigned(target: Local, value: Term, known: Knowledge) -> Knowledge:
    """Behind an assignment."""
    numbers = range_of(value, known)
    truth = decide(value, known) if target.type == BOOLEAN else None
    after = forgetting([target.name], known)
    if target.type == INT and numbers != ALL:
        after = Knowledge({**after.ranges, target.name: numbers}, after.facts)
    return after if truth is None else _noted(target, after, holds=truth)


def forgetting(names: Iterable[str], known: Knowledge) -> Knowledge:
    """Behind a change of variables to anything."""
    gone = frozenset(names)
    ranges, facts = known.ranges, known.facts
    if not gone.isdisjoint(ranges):
        ranges = {n: r for n, r in ranges.items() if n not in gone}
    if any([not gone.isdisjoint(f.names) for f in facts]):
        facts = {f: v for f, v in facts.items() if gone.isdisjoint(f.names)}
    same = ranges is known.ranges and facts is known.facts
    return known if same else Knowledge(ranges, facts)


def joined(one: Knowledge, other: Knowledge) -> Knowledge:
    """What is known where two ways meet."""
    if one is other:
        return one
    ranges = one.ranges
    if ranges is not other.ranges:
        ranges = {}
        for name, mine in one.ranges.items():
            theirs = other.ranges.get(name)
            if theirs is not None and (both := hull(mine, theirs)) != ALL:
                ranges[name] = both
    facts = one.facts
    if facts is not other.facts:
        facts = {f: v for f, v in facts.items() if other.facts.get(f) is v}
    return Knowledge(ranges, facts)


def widened_to(before: Knowledge, after: Knowledge) -> Knowledge:
    ranges = {n: widened(before.ranges[n], r) for n, r in after.ranges.items()}
    return Knowledge({n: r for n, r in ranges.items() if r != ALL}, after.facts)


def is_stable(term: Term) -> bool:
    """Whether the value depends on variables only."""
    return all(
        isinstance(t, Local | Literal) or (isinstance(t, Operation) and t.operator in _STABLE)
        for t in subterms(term)
    )


@record
class Interval:
    """All integers from `low` to `high`; None is no bound. Never empty."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        low = "" if self.low is None else str(self.low)
        high = "" if self.high is None else str(self.high)
        return low if low and low == high else f"{low}..{high}"


ALL = Interval()


def exactly(number: int) -> Interval:
    return Interval(number, number)


def hull(one: Interval, other: Interval) -> Interval:
    """The smallest interval around both."""
    if one is other:
        return one
    return Interval(_both(min, one.low, other.low), _both(max, one.high, other.high))


def meet(one: Interval, other: Interval) -> Interval | None:
    """What is in both; None if that is nothing."""
    low, high = _tight(max, one.low, other.low), _tight(min, one.high, other.high)
    if low is not None and high is not None and low > high:
        return None
    return Interval(low, high)


def widened(before: Interval, after: Interval) -> Interval:
    """Bounds that moved are given up, so that a loop is looked at only a few times."""
    low = before.low if after.low == before.low else None
    high = before.high if after.high == before.high else None
    return Interval(low, high)


def plus(one: Interval, other: Interval) -> Interval:
    return Interval(_sum(one.low, other.low), _sum(one.high, other.high))


def negated(one: Interval) -> Interval:
    low = None if one.high is None else -one.high
    return Interval(low, None if one.low is None else -one.low)


def times(one: Interval, other: Interval) -> Interval:
    """Exact for bounded factors; without a bound on one of them only signs are known."""
    mine = [bound for bound in (one.low, one.high) if bound is not None]
    theirs = [bound for bound in (other.low, other.high) if bound is not None]
    if len(mine) == len(theirs) == 2:
        products = [a * b for a in mine for b in theirs]
        return Interval(min(products), max(products))
    if _is_natural(one) and _is_natural(other):
        return Interval(0, None)
    return ALL


def is_less(one: Interval, other: Interval) -> bool | None:
    """Whether each number of one is below each of the other; None if that depends."""
    if one.high is not None and other.low is not None and one.high < other.low:
        return True
    if one.low is not None and other.high is not None and one.low >= other.high:
        return False
    return None


def is_equal(one: Interval, other: Interval) -> bool | None:
    if meet(one, other) is None:
        return False
    return True if one == other and one.low is not None and one.low == one.high else None


def _is_natural(one: Interval) -> bool:
    return one.low is not None and one.low >= 0


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _both(pick: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else pick(one, other)


def _tight(pick: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return pick(one, other)
