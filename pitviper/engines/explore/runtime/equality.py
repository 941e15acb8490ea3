"""Truth values with a symbolic half, and equality of all values."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import elements, is_decided, like
from pitviper.engines.explore.runtime.value import (
    GuardedSet,
    Lazy,
    Pairs,
    Slot,
    Sym,
    Value,
    both,
    plain,
    term_of,
)
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset, Ref
from pitviper.terms import build


def negation(a: Value) -> Value:
    if a.__class__ is bool:
        return not a
    return both(not plain(a), negated(term_of(a)))


negated = lru_cache(maxsize=4096)(build.negate)
"""The conditions of a program come again with every run."""


def conjunction(values: Iterable[Value]) -> Value:
    """Whether all hold; plain values are left out of the term."""
    left: list[Value] = []
    for value in values:
        if value.__class__ is bool:
            if not value:
                return False
        else:
            left.append(value)
    if not left:
        return True
    if len(left) == 1:
        return left[0]
    return both(all(plain(v) for v in left), build.conjoin(*[term_of(v) for v in left]))


def disjunction(values: Iterable[Value]) -> Value:
    left: list[Value] = []
    for value in values:
        if value.__class__ is bool:
            if value:
                return True
        else:
            left.append(value)
    if not left:
        return False
    if len(left) == 1:
        return left[0]
    return both(any(plain(v) for v in left), build.disjoin(*[term_of(v) for v in left]))


def equal(run: Run, a: Value, b: Value) -> Value:
    """Whether two values of one type are equal; what the input leaves open is decided."""
    if a is b:
        return True
    if a.__class__ is Ref and b.__class__ is Ref:
        return False  # an object has one reference
    if a.__class__ is tuple and b.__class__ is tuple:
        return _same_sequence(run, a, b)
    if isinstance(a, Slot) and isinstance(b, Slot):
        known = _same_slot(run, a, b)
        if known is not None:
            return known
    a, b = _decided(run, a, b)
    if a.__class__ is Ref and b.__class__ is Ref:
        return a is b
    if isinstance(a, Sym) or isinstance(b, Sym):
        return both(plain(a) == plain(b), build.equal(term_of(a), term_of(b)))
    if isinstance(a, tuple):
        assert isinstance(b, tuple)
        return _same_sequence(run, a, b)
    if isinstance(a, Constructed):
        assert isinstance(b, Constructed)
        if a.constructor != b.constructor:
            return False
        return conjunction([equal(run, x, y) for x, y in zip(a.args, b.args, strict=True)])
    if isinstance(a, GuardedSet | Multiset | FiniteMap):
        return _same_collection(run, a, b)
    return a == b


def _same_sequence(run: Run, a: tuple[Value, ...], b: tuple[Value, ...]) -> Value:
    """Elements that are different objects tell sequences apart, whatever the others are."""
    if len(a) != len(b):
        return False
    for x, y in zip(a, b, strict=True):
        if x.__class__ is Ref and y.__class__ is Ref and x is not y:
            return False
    for x, y in zip(a, b, strict=True):
        like(run, x, y) if is_decided(y) else like(run, y, x)
    return conjunction([equal(run, x, y) for x, y in zip(a, b, strict=True)])


def _same_slot(run: Run, a: Slot, b: Slot) -> Value | None:
    """Places of one function differ if their arguments do; None if the functions differ."""
    if a.array.function is not b.array.function:
        return None
    if a.array is not b.array:
        return False
    return conjunction([equal(run, x, y) for x, y in zip(a.index, b.index, strict=True)])


def _decided(run: Run, a: Value, b: Value) -> tuple[Value, Value]:
    """Both values with their elements; of two sequences the other is first as long as the one."""
    a = elements(run, a, _length(b))
    return a, elements(run, b, _length(a))


def _length(value: Value) -> int:
    """Of a sequence that somebody has looked at."""
    if value.__class__ is Lazy:
        assert isinstance(value, Lazy)
        return 0 if value.decided is None else _length(value.decided)
    return len(value) if isinstance(value, tuple) else 0


def _same_collection(run: Run, a: Value, b: Value) -> Value:
    from pitviper.engines.explore.runtime import collection as c

    match a, b:
        case GuardedSet(), GuardedSet():
            return conjunction([c.subset(run, a, b), c.subset(run, b, a)])
        case Multiset(), Multiset():
            listed = [e for e, _ in (*a.items, *b.items)]
            counts = [(c.count(run, e, a), c.count(run, e, b)) for e in listed]
            return conjunction([equal(run, x, y) for x, y in counts])
        case FiniteMap(), FiniteMap():
            keys = [k for k, _ in (*a.items, *b.items)]
            return conjunction([_same_entry(run, key, a, b) for key in keys])
        case _:
            raise TypeError("values of different types are compared")


def _same_entry(run: Run, key: Value, a: FiniteMap[Pairs], b: FiniteMap[Pairs]) -> Value:
    from pitviper.engines.explore.runtime import collection as c

    if not run.branch(conjunction([c.has_key(run, key, a), c.has_key(run, key, b)])):
        return False
    return equal(run, c.lookup(run, a, key), c.lookup(run, b, key))
