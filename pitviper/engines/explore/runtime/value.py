"""Values of a run: a plain Python value, or one with the symbolic half beside it.

Numbers and truth values are plain or a `Sym`. References are numbered (0 is null, objects of the
input count up from 1, those made by the run count down from -1). Collections and data have a
plain shape with such values inside. What the input decides and nobody has looked at is a `Lazy`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

from pitviper.base.record import record
from pitviper.engines.explore.model.program import Signature
from pitviper.engines.explore.model.types import Type
from pitviper.engines.explore.runtime.ending import Leak, Site
from pitviper.engines.explore.runtime.known_range import KnownRanges
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset, Ref
from pitviper.terms.build import integer, rational, truth
from pitviper.terms.operators import AND, AT_MOST, EQUAL, LESS, NOT
from pitviper.terms.term import App, Literal, Term

Scalar: TypeAlias = int | bool | Fraction


class Sym:
    """A number or truth value that depends on the input: what it is here, and how it depends."""

    __slots__ = ("term", "value")

    def __init__(self, value: Scalar, term: Term) -> None:
        self.value: Final = value
        self.term: Final = term

    def __repr__(self) -> str:
        return f"{self.value}~{self.term!r}"


_refs: dict[int, Ref] = {}


def ref(number: int) -> Ref:
    """Returns the one reference of an object, so that `is` is identity of objects."""
    found = _refs.get(number)
    return found if found is not None else _refs.setdefault(number, Ref(number))


NULL: Final = ref(0)


class Lazy:
    """An input of a type with shapes; `decided` is its value once somebody has looked at it.

    It may be, or hold, the first `horizon` objects that the run made, and no later ones.
    """

    __slots__ = ("decided", "horizon", "name", "type")

    def __init__(self, kind: Type, name: str, horizon: int) -> None:
        self.type: Final = kind
        self.name: Final = name
        self.horizon: Final = horizon
        self.decided: Value | None = None


class Array:
    """An array of the input: the function that gives its places, and what it is a function of.

    `places` are the indices whose object is decided, `plain` all that were looked at by a number.
    """

    __slots__ = ("function", "name", "owner", "places", "plain")

    def __init__(self, function: Signature, owner: tuple[Value, ...], name: str) -> None:
        self.function: Final = function
        self.owner: Final = owner
        self.name: Final = name
        self.places: list[tuple[tuple[Value, ...], Ref]] = []
        self.plain: dict[tuple[Value, ...], Slot] = {}


class Slot:
    """A place of an array; `decided` is its object once somebody has to know.

    It is none of the `excluded` objects.
    """

    __slots__ = ("array", "decided", "excluded", "index")

    def __init__(self, array: Array, index: tuple[Value, ...]) -> None:
        self.array: Final = array
        self.index: Final = index
        self.decided: Ref | None = None
        self.excluded: frozenset[int] = frozenset()


class GuardedSet:
    """A set by its possible elements, each with the condition under which it is one."""

    __slots__ = ("_sorted", "items")

    def __init__(self, items: tuple[tuple[Value, Value], ...]) -> None:
        self.items: Final = items
        self._sorted: tuple[dict[int, None], Pairs] | None = None

    def near(self, element: Ref) -> Pairs | None:
        """The items that an object may be; None if it is an element whatever they are."""
        if self._sorted is None:
            objects = {e.number: None for e, t in self.items if t is True and e.__class__ is Ref}
            others = [(e, t) for e, t in self.items if t is not True or e.__class__ is not Ref]
            self._sorted = objects, tuple(others)
        return None if element.number in self._sorted[0] else self._sorted[1]


class Huge:
    """A collection of the input above the limit: only its size is known, until `decided`."""

    __slots__ = ("decided", "input", "size")

    def __init__(self, lazy: Lazy, size: Sym) -> None:
        self.input: Final = lazy
        self.size: Final = size
        self.decided: Value | None = None


Pairs: TypeAlias = tuple[tuple["Value", "Value"], ...]
"""Of a multiset: elements with numbers of occurrences, an element may be listed more than once.
Of a map: keys with their values, later ones win."""

Value: TypeAlias = (
    int | bool | Fraction | Sym | Ref | Lazy | Slot | Constructed["Value"] | GuardedSet | Huge
    | Multiset[Pairs] | FiniteMap[Pairs] | tuple["Value", ...]
)  # fmt: skip
"""Sequences are tuples. Heaps are values of compiled methods, too, but are in no other value."""


def plain(value: Value) -> Scalar:
    """The concrete half of a number or truth value."""
    if value.__class__ is Sym:
        return value.value
    if isinstance(value, int):
        return value
    if isinstance(value, Ref):
        return value.number
    assert isinstance(value, Fraction)
    return value


def term_of(value: Value) -> Term:
    """The symbolic half."""
    kind = value.__class__
    if kind is Sym:
        return value.term  # type: ignore[union-attr]  # the class was just looked at
    if kind is bool:
        return truth(holds=bool(value))
    if kind is int:
        assert isinstance(value, int)
        return _integer(value)
    if isinstance(value, Ref):
        return _integer(value.number)
    assert isinstance(value, Fraction)
    return rational(value)


@lru_cache(maxsize=1024)
def _integer(value: int) -> Term:
    """Numbers of a program come again with every run."""
    return integer(value)


def both(value: Scalar, term: Term) -> Value:
    """A value with its term; a term without input in it adds nothing."""
    return value if term.__class__ is Literal else Sym(value, term)


class Kind(Enum):
    """BRANCH and ASSERT are searched on both sides, ASSUME on the side where it holds.

    LARGE is a branch on the size of an input above the limit: searched last. FACT is true of
    every input.
    """

    BRANCH = "branch"
    LARGE = "large"
    ASSERT = "assert"
    ASSUME = "assume"
    FACT = "fact"


@record
class Decision:
    """A condition on the path, and whether it held; `site` is the instruction that asked."""

    term: Term
    taken: bool
    kind: Kind
    site: Site


class PathLog:
    """The path condition, as it grows: `known` are the conditions that are decided on this path.

    The first `given` decisions are those that the solver knew when it chose the inputs.
    `failed_at` is the number of decisions before a failure. `bound` counts the quantifiers around
    here: values may contain variables of the solver. `has_told` says that a quantifier is among
    the decisions. What `ranges` decides is no decision: the path has no other side there.
    """

    __slots__ = ("bound", "decisions", "failed_at", "given", "has_told", "known", "ranges")

    def __init__(self, given: int) -> None:
        self.given = given
        self.decisions: list[Decision] = []
        self.known: dict[Term, bool] = {}
        self.failed_at = 1 << 60
        self.bound = 0
        self.has_told = False
        self.ranges = KnownRanges()

    @property
    def is_foreseen(self) -> bool:
        """Whether the solver knew the decision that comes next."""
        return len(self.decisions) < self.given

    def decide(self, condition: Value, kind: Kind, site: Site) -> bool:
        """Returns whether a condition holds, which is part of the path from here on."""
        if condition.__class__ is bool:
            return bool(condition)
        assert isinstance(condition, Sym)
        taken = bool(condition.value)
        term, positive = condition.term, taken
        while isinstance(term, App) and term.symbol is NOT:
            term, positive = term.args[0], not positive
        if term not in self.known:
            if self.bound and term.free:
                raise Leak
            if self.ranges.decided(term) is not positive:
                self.add(Decision(condition.term, taken, kind, site))
                self.ranges.learn(term, holds=positive)
            self.known[term] = positive
        return taken

    def fact(self, term: Term, site: Site) -> None:
        """Adds what is true of every input."""
        if not isinstance(term, Literal) and term not in self.known:
            self.add(Decision(term, taken=True, kind=Kind.FACT, site=site))
            self.ranges.learn(term, holds=True)

    def add(self, decision: Decision) -> None:
        self.known[decision.term] = decision.taken
        self.decisions.append(decision)

    def bounds_of(self, symbol: Term) -> tuple[int, int | None]:
        """What the path says in numbers about a symbol: the least and the largest it may be.

        Symbols that are said to be equal to it count as well.
        """
        low, high = 0, None
        alike = [symbol]
        for one in alike:
            for decision in self.decisions:
                term, holds = decision.term, decision.taken
                alike += [other for other in _equals(term, one, holds) if other not in alike]
                for least, most in _bounds_in(term, one, holds=holds):
                    low = low if least is None else max(low, least)
                    if most is not None:
                        high = most if high is None else min(high, most)
        return low, high


def _equals(term: Term, symbol: Term, holds: bool) -> list[Term]:  # noqa: FBT001 - a truth value
    if not isinstance(term, App) or not holds:
        return []
    if term.symbol is AND:
        return [other for arg in term.args for other in _equals(arg, symbol, holds)]
    if term.symbol is not EQUAL or symbol not in term.args:
        return []
    return [a for a in term.args if a is not symbol and isinstance(a, App) and not a.args]


def _bounds_in(term: Term, symbol: Term, *, holds: bool) -> Iterator[tuple[int | None, int | None]]:
    """The least and the largest that a symbol may be by a condition, where it says so."""
    if not isinstance(term, App):
        return
    if term.symbol is NOT:
        yield from _bounds_in(term.args[0], symbol, holds=not holds)
    elif term.symbol is AND and holds:
        for arg in term.args:
            yield from _bounds_in(arg, symbol, holds=True)
    elif term.symbol in (EQUAL, LESS, AT_MOST) and len(term.args) == 2:
        left, right = term.args
        is_left = left is symbol
        other = right if is_left else left
        if (is_left or right is symbol) and isinstance(other, Literal):
            number = int(other.value)
            if term.symbol is EQUAL:
                yield (number, number) if holds else (None, None)
            elif is_left == holds:
                strict = (term.symbol is LESS) == holds
                yield None, number - 1 if strict else number
            else:
                strict = (term.symbol is LESS) == holds
                yield number + 1 if strict else number, None


class Coverage:
    """The instructions, the sides of branches and the assertions that a run came to, in order."""

    __slots__ = ("edges", "instructions", "reached")

    def __init__(self) -> None:
        self.instructions: dict[Site, None] = {}
        self.edges: dict[tuple[str, int, int], None] = {}
        self.reached: dict[Site, None] = {}
