"""Decides what shape an input has when somebody looks at it.

References become null, an object met before, or a new one: as objects differ by identity only,
it is enough to look at one new object. Collections become lists of so many fresh elements, data
becomes one of its constructors. Each alternative is a branch of the path.
"""

from __future__ import annotations

import re

from pitviper.engines.explore.model import types as mt
from pitviper.engines.explore.model.sizes import number_of_values
from pitviper.engines.explore.runtime.dynamic import of_type
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import (
    GuardedSet,
    Huge,
    Lazy,
    Slot,
    Sym,
    Value,
    both,
    plain,
    ref,
    term_of,
)
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset, Ref
from pitviper.terms import build
from pitviper.terms.sort import INT as INT_SORT


def shape(run: Run, value: Value, default: int = 0) -> Value:
    """The value itself, decided now if it was not yet; `default` is the first choice."""
    if value.__class__ is not Lazy:
        return object_at(run, value) if isinstance(value, Slot) else value
    assert isinstance(value, Lazy)
    if value.decided is None:
        value.decided = _decide(run, value, default)
    return value.decided


def object_at(run: Run, slot: Slot, never: frozenset[int] = frozenset()) -> Ref:
    """The object of a place: that of an equal index, a new one, null, or one of no array.

    It is none of those in `never`: then the run would come to an assumption that is not met.
    """
    if slot.decided is None:
        slot.decided = _same_place(run, slot) or _new_place(run, slot, never)
    return slot.decided


def _same_place(run: Run, slot: Slot) -> Ref | None:
    from pitviper.engines.explore.runtime.equality import conjunction, equal

    for index, made in slot.array.places:
        if made.number not in slot.excluded:
            pairs = zip(slot.index, index, strict=True)
            same = conjunction([equal(run, a, b) for a, b in pairs])
            if same is not False and run.branch(same):
                return made
    return None


def _new_place(run: Run, slot: Slot, never: frozenset[int]) -> Ref:
    """Objects that are places of the same function have other arguments."""
    array, inputs = slot.array, run.inputs
    taken = {made.number for a in inputs.arrays[array.function.name] for _, made in a.places}
    others = [*([0] if array.function.nullable else []), *range(1, inputs.objects + 1)]
    others += [-n for n in range(1, inputs.made + 1)]
    new = inputs.objects + 1
    options = [new, *[n for n in others if n not in taken and n not in never]]
    chosen = options[0]
    if len(options) > 1:
        known = [i for i in slot.index if i.__class__ is int]
        label = ", ".join([str(i) for i in known]) if len(known) == len(slot.index) else "?"
        name = f"{array.name}[{label}]"
        while name in inputs.symbols:
            name += "'"
        chosen = options[run.choose(name, len(options), 0)]
    if chosen == new:
        inputs.objects = new
        run.met(new)
    made = ref(chosen)
    array.places.append((slot.index, made))
    return made


def elements(run: Run, value: Value, default: int = 0) -> Value:
    """The value with its elements; the end of the run where there are too many."""
    found = shape(run, value, default)
    if found.__class__ is not Huge:
        return found
    assert isinstance(found, Huge)
    if found.decided is None:
        found.decided = _large(run, found)
    return found.decided


MOST = 500
"""Elements of a collection of the input whose size the path bounds."""


def _large(run: Run, value: Huge) -> Value:
    """The elements of a collection above the limit: of a size that the path bounds, or larger."""
    low, high = run.path.bounds_of(value.size.term)
    if high is not None and high <= MOST:
        return _collection(run, value.input, _bisected(run, value.size, low, high))
    for size in range(run.limits.size, run.limits.large):
        if run.is_size(value.size, size):
            return _collection(run, value.input, size)
    what = re.sub(r"^\w+\.\w+\[\]\.elems\b", "an array", value.input.name).partition("#")[0]
    run.end(Status.SIZE, f"{what} has {run.limits.large} elements or more")


def _bisected(run: Run, size: Sym, low: int, high: int) -> int:
    """The size, found by a few questions, each of which has an answer for all sizes."""
    while low < high:
        middle = (low + high) // 2
        if run.is_at_most(size, middle):
            high = middle
        else:
            low = middle + 1
    return low


def _decide(run: Run, value: Lazy, default: int) -> Value:
    kind, name = value.type, value.name
    if _is_reference(run, kind):
        return of_type(run, _reference(run, name, value.horizon), kind)
    named = mt.name_of(kind)
    if named is not None and named.namespace == mt.ADT:
        return _data(run, value)
    most = _most_elements(run, kind)
    if most is not None and most < run.limits.size:
        return _collection(run, value, run.choose(f"|{name}|", most + 1, min(default, most)))
    size = run.choose(f"|{name}|", None, min(default, run.limits.size - 1), most)
    if size >= run.limits.size:
        return Huge(value, Sym(size, build.constant(f"|{name}|", INT_SORT)))
    return _collection(run, value, size)


def _most_elements(run: Run, kind: mt.Type) -> int | None:
    """Elements of a set and keys of a map differ: there are no more than values of their type."""
    if not isinstance(kind, mt.Generic) or kind.definition not in (mt.SET, mt.MAP):
        return None
    return number_of_values(kind.args[0], run.model.data)


def _is_reference(run: Run, kind: mt.Type) -> bool:
    return kind == mt.OBJECT or kind in run.model.hierarchy.supertypes


def _collection(run: Run, value: Lazy, size: int) -> Value:
    """A collection of so many elements that nobody has looked at."""
    kind, name, horizon = value.type, value.name, value.horizon
    assert isinstance(kind, mt.Generic)
    named, element = mt.name_of(kind), kind.args[0]
    if named == mt.SEQ:
        return tuple([run.part(element, f"{name}[{i}]", horizon) for i in range(size)])
    if named == mt.SET:
        return GuardedSet(tuple([(e, True) for e in _different(run, value, size)]))
    if named == mt.MULTISET:
        return Multiset(
            tuple([(run.part(element, f"{name}[{i}]", horizon), 1) for i in range(size)])
        )
    assert named == mt.MAP
    keys = _different(run, value, size)
    return FiniteMap(
        tuple(
            [(key, run.part(kind.args[1], f"{name}[{i}]=", horizon)) for i, key in enumerate(keys)]
        )
    )


def _reference(
    run: Run,
    name: str,
    horizon: int,
    first: Ref | None = None,
    never: frozenset[int] = frozenset(),
) -> Ref:
    """A new object, null, one met before, or one that the run made; none of those in `never`.

    Fields are null first, which makes small structures; others are a new object first.
    """
    met = run.inputs.objects
    every = [*range(met + 2), *[-n for n in range(1, horizon + 1)]]
    options = [n for n in every if n not in never] if never else every
    wanted = 0 if "." in name else met + 1
    if first is not None and 0 <= first.number <= met:
        wanted = first.number
    default = options.index(wanted if wanted in options else met + 1)
    chosen = options[run.choose(name, len(options), default)] if len(options) > 1 else options[0]
    if chosen < 0:
        return ref(chosen)
    run.inputs.objects = max(met, chosen)
    run.met(chosen)
    return ref(chosen)


def decide_object(run: Run, value: Value, never: frozenset[int]) -> None:
    """Decides which object an input is, if nobody has: none of those in `never`.

    With these the run would come to an assumption that is not met.
    """
    if isinstance(value, Slot):
        object_at(run, value, never)
    elif isinstance(value, Lazy) and value.decided is None and _is_reference(run, value.type):
        made = _reference(run, value.name, value.horizon, None, never)
        value.decided = of_type(run, made, value.type)


def _data(run: Run, value: Lazy) -> Constructed[Value]:
    constructors = run.model.data.get(value.type)
    if not constructors:
        run.end(Status.UNSUPPORTED, f"values of type {value.type}")
    name = value.name
    chosen = constructors[run.choose(f"{name}.tag", len(constructors), 0)]
    parts = enumerate(chosen.args)
    args = [run.part(arg, f"{name}.{i}", value.horizon) for i, arg in parts]
    return Constructed(chosen.name, tuple(args))


def is_decided(value: Value) -> bool:
    return not isinstance(value, Lazy | Slot) or value.decided is not None


def like(run: Run, value: Value, other: Value) -> None:
    """Decide a reference that nobody has looked at, first as the same object as another one."""
    if isinstance(value, Lazy) and value.decided is None and _is_reference(run, value.type):
        other = shape(run, other)
        assert isinstance(other, Ref)
        made = _reference(run, value.name, value.horizon, other)
        value.decided = of_type(run, made, value.type)


def _different_objects(run: Run, value: Lazy, size: int) -> list[Value]:
    """Null, then objects in the order of their numbers, then those that the run made."""
    last = -1
    found: list[Value] = []
    for i in range(size):
        options = [*range(max(0, last + 1), run.inputs.objects + 2)] if last < MADE else []
        options += [MADE + n for n in range(1, value.horizon + 1) if MADE + n > last]
        run.require(bool(options))
        new = options.index(run.inputs.objects + 1) if last < MADE else 0
        last = options[run.choose(f"{value.name}[{i}]", len(options), new)]
        run.inputs.objects = max(run.inputs.objects, last if last < MADE else 0)
        run.met(run.inputs.objects)
        found.append(ref(last if last < MADE else MADE - last))
    return found


MADE = 1 << 40
"""Where the numbers of objects that the run made begin, when sets are put in order."""


def _different(run: Run, value: Lazy, size: int) -> list[Value]:
    """Elements of a set: numbers in order, others pairwise different."""
    from pitviper.engines.explore.runtime.equality import equal, negation

    assert isinstance(value.type, mt.Generic)
    kind, name = value.type.args[0], value.name
    if kind == mt.OBJECT:
        return _different_objects(run, value, size)
    found: list[Value] = []
    for i in range(size):
        element = run.part(kind, f"{name}[{i}]", value.horizon)
        if kind == mt.INT and found:
            before = found[-1]
            less = build.less(term_of(before), term_of(element))
            holds = plain(before) < plain(element)
            run.require(both(holds, less))
        else:
            for other in found:
                run.require(negation(equal(run, element, other)))
        found.append(element)
    return found
