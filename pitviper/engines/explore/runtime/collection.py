"""Operations on sequences, sets, multisets and maps whose elements may be symbolic."""

from __future__ import annotations

from pitviper.engines.explore.runtime import arithmetic as ar
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.equality import conjunction, disjunction, equal, negation
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import elements, like, shape
from pitviper.engines.explore.runtime.value import GuardedSet, Huge, Pairs, Sym, Value, plain
from pitviper.engines.shared.values import FiniteMap, Multiset, Ref


def seq(run: Run, value: Value) -> tuple[Value, ...]:
    found = elements(run, value)
    assert isinstance(found, tuple)
    return found


def set_of(run: Run, value: Value) -> GuardedSet:
    found = elements(run, value)
    assert isinstance(found, GuardedSet)
    return found


def bag_of(run: Run, value: Value) -> Multiset[Pairs]:
    found = elements(run, value)
    assert isinstance(found, Multiset)
    return found


def map_of(run: Run, value: Value) -> FiniteMap[Pairs]:
    found = elements(run, value)
    assert isinstance(found, FiniteMap)
    return found


MOST = 10_000
"""Elements that a collection of a run may have: it is kept in memory as it is."""


def bounded(run: Run, count: int) -> int:
    """The number of elements that something is about to have; the end of the run beyond."""
    if count > MOST:
        run.end(Status.SIZE, f"a collection of {count} elements")
    return count


# ---------------------------------------------------------------- sequences


def append(run: Run, a: Value, b: Value) -> Value:
    left, right = seq(run, a), seq(run, b)
    bounded(run, len(left) + len(right))
    return (*left, *right)


def seq_range(run: Run, low: Value, high: Value) -> Value:
    """The numbers from low on, below high: how many is decided now."""
    count = bounded(run, _number(run, ar.sub(run, high, low)))
    return tuple([ar.add(run, low, i) for i in range(max(0, count))])


def index(run: Run, sequence: Value, at: Value) -> Value:
    """The element; the position was checked before."""
    listed = seq(run, sequence)
    if at.__class__ is int:
        return listed[int(plain(at))]
    found = listed[-1]
    for position, element in enumerate(listed[:-1]):
        found = ar.choice(run, equal(run, at, position), element, found)
    return found


def take(run: Run, sequence: Value, count: Value) -> Value:
    return seq(run, sequence)[: max(0, _number(run, count, len(seq(run, sequence))))]


def drop(run: Run, sequence: Value, count: Value) -> Value:
    return seq(run, sequence)[max(0, _number(run, count, len(seq(run, sequence)))) :]


def update(run: Run, sequence: Value, at: Value, value: Value) -> Value:
    listed = seq(run, sequence)
    if at.__class__ is Sym and all(ar.is_scalar(e) for e in (value, *listed)):
        return tuple([ar.choice(run, equal(run, at, i), value, e) for i, e in enumerate(listed)])
    here = _number(run, at, len(listed))
    return (*listed[:here], value, *listed[here + 1 :])


def seq_contains(run: Run, element: Value, sequence: Value) -> Value:
    listed = elements(run, sequence, 1)
    assert isinstance(listed, tuple)
    if listed:
        like(run, element, listed[0])
    return disjunction([equal(run, element, e) for e in listed])


def _number(run: Run, value: Value, high: int | None = None) -> int:
    """A number that decides on a shape: which one it is becomes part of the path.

    All numbers below 0 are alike, and with `high` all from there on. The alternatives are asked
    for in an order that does not depend on the value.
    """
    if value.__class__ is int:
        return int(plain(value))
    if run.branch(ar.less(run, value, 0)):
        return -1
    for option in range(10 * run.limits.size if high is None else high):
        if run.branch(equal(run, value, option)):
            return option
    if high is None:
        run.end(Status.SIZE, f"a collection of {plain(value)} elements")
    return high


# ---------------------------------------------------------------- sets


def contains(run: Run, element: Value, collection: Value) -> Value:
    found = elements(run, collection, 1)
    assert isinstance(found, GuardedSet)
    if found.items:
        like(run, element, found.items[0][0])
    near: Pairs | None = found.items
    if element.__class__ is Ref:
        near = found.near(element)
    if near is None:
        return True
    return disjunction([conjunction([t, equal(run, element, e)]) for e, t in near])


def subset(run: Run, a: Value, b: Value) -> Value:
    left = elements(run, a)
    if isinstance(left, Multiset):
        counts = [(count(run, e, left), count(run, e, b)) for e, _ in left.items]
        return conjunction([ar.at_most(run, x, y) for x, y in counts])
    items = set_of(run, left).items
    return conjunction([disjunction([negation(there), contains(run, e, b)]) for e, there in items])


def union(run: Run, a: Value, b: Value) -> Value:
    left = elements(run, a)
    if isinstance(left, Multiset):
        bag = bag_of(run, b)
        bounded(run, len(left.items) + len(bag.items))
        return Multiset((*left.items, *bag.items))
    one, other = set_of(run, left), set_of(run, b)
    bounded(run, len(one.items) + len(other.items))
    return GuardedSet((*one.items, *other.items))


def intersection(run: Run, a: Value, b: Value) -> Value:
    left = elements(run, a)
    if isinstance(left, Multiset):
        return _each(run, left, lambda e: _least(run, count(run, e, left), count(run, e, b)))
    items = set_of(run, left).items
    return GuardedSet(tuple([(e, conjunction([t, contains(run, e, b)])) for e, t in items]))


def difference(run: Run, a: Value, b: Value) -> Value:
    left = elements(run, a)
    if isinstance(left, Multiset):
        return _each(
            run,
            left,
            lambda e: _least(run, 0, ar.sub(run, count(run, e, left), count(run, e, b)), most=True),
        )
    items = set_of(run, left).items
    return GuardedSet(
        tuple([(e, conjunction([t, negation(contains(run, e, b))])) for e, t in items])
    )


def _each(run: Run, bag: Multiset[Pairs], number: ar.Count) -> Multiset[Pairs]:
    """Every different element once, with a new number of occurrences."""
    made: list[tuple[Value, Value]] = []
    for position, (element, _) in enumerate(bag.items):
        again = disjunction([equal(run, element, e) for e, _ in bag.items[:position]])
        made.append((element, ar.choice(run, again, 0, number(element))))
    return Multiset(tuple(made))


def _least(run: Run, a: Value, b: Value, *, most: bool = False) -> Value:
    first = ar.at_most(run, a, b)
    return ar.choice(run, first, b, a) if most else ar.choice(run, first, a, b)


# ---------------------------------------------------------------- multisets, maps


def count(run: Run, element: Value, collection: Value) -> Value:
    total: Value = 0
    for other, number in bag_of(run, collection).items:
        same = equal(run, element, other)
        total = ar.add(run, total, ar.choice(run, same, number, 0))
    return total


def has_key(run: Run, key: Value, collection: Value) -> Value:
    return disjunction([equal(run, key, k) for k, _ in map_of(run, collection).items])


def lookup(run: Run, collection: Value, key: Value) -> Value:
    """The value of the last entry with this key; that there is one was checked before."""
    items = map_of(run, collection).items
    found = items[0][1]
    for other, value in items[1:]:
        found = ar.choice(run, equal(run, key, other), value, found)
    return found


def map_update(run: Run, collection: Value, key: Value, value: Value) -> Value:
    return FiniteMap((*map_of(run, collection).items, (key, value)))


def keys(run: Run, collection: Value) -> Value:
    return GuardedSet(tuple([(k, True) for k, _ in map_of(run, collection).items]))


def values(run: Run, collection: Value) -> Value:
    """An entry counts unless a later one has its key."""
    items = map_of(run, collection).items
    made: list[tuple[Value, Value]] = []
    for position, (key, value) in enumerate(items):
        later = disjunction([equal(run, key, k) for k, _ in items[position + 1 :]])
        made.append((value, negation(later)))
    return GuardedSet(tuple(made))


# ---------------------------------------------------------------- all


def size(run: Run, collection: Value) -> Value:
    found = shape(run, collection)
    match found:
        case Huge():
            return found.size if found.decided is None else size(run, found.decided)
        case tuple():
            return len(found)
        case Multiset(items=items):
            total: Value = 0
            for _, number in items:
                total = ar.add(run, total, number)
            return total
        case FiniteMap():
            return size(run, keys(run, found))
        case _:
            return _set_size(run, set_of(run, found))


def _set_size(run: Run, collection: GuardedSet) -> Value:
    total: Value = 0
    items = collection.items
    for position, (element, there) in enumerate(items):
        before = [conjunction([t, equal(run, element, e)]) for e, t in items[:position]]
        counts = conjunction([there, negation(disjunction(before))])
        total = ar.add(run, total, ar.choice(run, counts, 1, 0))
    return total


def candidates(run: Run, collection: Value) -> Value:
    """A sequence with at least the elements (the keys) of a collection."""
    found = elements(run, collection)
    if isinstance(found, tuple):
        return found
    assert isinstance(found, GuardedSet | Multiset | FiniteMap)
    return tuple([e for e, _ in found.items])
