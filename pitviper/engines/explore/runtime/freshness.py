"""Which objects a new one may be: one that is truly new, or one that only functions spoke of.

NOTE(older values). A new object is unlike all that variables have, that is held, and that is
stored there; and unlike all that `new` gave before. Nothing else is known of it: the value of a
function that nobody stores may be the new object, also if the run has looked at it before:

    exhale acc(at(i).f);  x := new();  assert at(i) != x  // no verifier proves this

So where functions have given objects of the input that nobody else has, the new object is each of
these in turn. Such a run may do more than the program can, and a failure there is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.engines.explore.model.types import ADT, OBJECT, Generic, Type, name_of
from pitviper.engines.explore.notes import OLDER
from pitviper.engines.explore.runtime.heap import Heap
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import shape
from pitviper.engines.explore.runtime.value import GuardedSet, Huge, Lazy, Value, ref
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset, Ref


def new_reference(run: Run, heap: Heap, variables: tuple[Value | None, ...]) -> Ref:
    """The object that `new` gives where the variables have these values."""
    spoken_of = dict.fromkeys(_of_functions(run))
    if spoken_of:
        known = dict.fromkeys(_known(run, heap, variables))
        others = [n for n in spoken_of if n > 0 and n not in known]
        name = f"%new{run.inputs.made + 1}"
        chosen = run.choose(name, len(others) + 1, 0) if others else 0
        if chosen:
            run.notes[OLDER] = None
            return ref(others[chosen - 1])
    return run.allocate()


def _of_functions(run: Run) -> Iterator[int]:
    """Objects that functions have given so far, by number; null counts as one."""
    inputs, tables = run.inputs, run.model.tables
    for (name, _), value in list(inputs.tables.items()):
        if tables[name].result == OBJECT:
            yield int(value)
    for chosen in list(inputs.shaped.values()):
        for _, _, result in list(chosen):
            yield from _objects_in(run, result)
    for arrays in inputs.arrays.values():
        yield from [made.number for a in arrays for _, made in a.places]


def _known(run: Run, heap: Heap, variables: tuple[Value | None, ...]) -> Iterator[int]:
    """Objects that variables have, that something of is held, or that are stored there."""
    for variable in variables:
        if variable is not None:  # it has a value here
            yield from _objects_in(run, variable)
    for (number, _), cell in list(heap.cells.items()):
        yield number
        yield from _objects_in(run, cell.value)
    for instances in heap.instances.values():
        for instance in list(instances):
            for arg in instance.args:
                yield from _objects_in(run, arg)


def _objects_in(run: Run, value: Value) -> Iterator[int]:
    """The objects that a value is or has, decided now."""
    if isinstance(value, Lazy) and not _may_have_objects(run, value.type):
        return
    found = shape(run, value)
    if isinstance(found, Huge):
        if found.decided is None:
            run.notes["the elements of a large collection were not compared"] = None
            return
        found = found.decided
    if isinstance(found, Ref):
        yield found.number
    for part in _parts(found):
        yield from _objects_in(run, part)


def _parts(value: Value) -> tuple[Value, ...]:
    match value:
        case Constructed(_, args):
            return args
        case GuardedSet() | Multiset() | FiniteMap():
            return tuple([part for pair in value.items for part in pair])
        case tuple():
            return value
        case _:
            return ()


def _may_have_objects(run: Run, kind: Type) -> bool:
    named = name_of(kind)
    if kind == OBJECT or kind in run.model.hierarchy.supertypes:
        return True
    if named is not None and named.namespace == ADT:
        return True
    return isinstance(kind, Generic) and any(_may_have_objects(run, arg) for arg in kind.args)
