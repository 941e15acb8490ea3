"""Decides what shape an input has when somebody looks at it.

References become null, an object met before, or a new one: as objects differ by identity only,
it is enough to look at one new object. Collections become lists of so many fresh elements, data
becomes one of its constructors. Each alternative is a branch of the path.
"""

from __future__ import annotations

from pitviper.explore.model.types import (
    ADT,
    INT,
    MAP,
    MULTISET,
    OBJECT,
    SEQ,
    SET,
    Generic,
    name_of,
)
from pitviper.explore.runtime.run import Run, Status
from pitviper.explore.runtime.value import (
    BagValue,
    Data,
    Huge,
    Lazy,
    MapValue,
    Ref,
    SetValue,
    Sym,
    Value,
    both,
    plain,
    ref,
    term_of,
)
from pitviper.terms import build
from pitviper.terms.sort import INT as INT_SORT


def shape(run: Run, value: Value) -> Value:
    """The value itself, decided now if it was not yet."""
    if value.__class__ is not Lazy:
        return value
    assert isinstance(value, Lazy)
    if value.decided is None:
        value.decided = _decide(run, value)
    return value.decided


def elements(run: Run, value: Value) -> Value:
    """The value with its elements; the end of the run where there are too many."""
    found = shape(run, value)
    if found.__class__ is Huge:
        assert isinstance(found, Huge)
        run.end(Status.SIZE, f"{found.name} has {found.size.value} elements")
    return found


def _decide(run: Run, value: Lazy) -> Value:
    kind, name, horizon = value.type, value.name, value.horizon
    if kind == OBJECT:
        return _reference(run, name, horizon)
    named = name_of(kind)
    if named is not None and named.namespace == ADT:
        return _data(run, value)
    assert isinstance(kind, Generic)
    size = run.choose(f"|{name}|", None, 0)
    if size >= run.limits.size:
        return Huge(name, Sym(size, build.constant(f"|{name}|", INT_SORT)))
    element = kind.args[0]
    if named == SEQ:
        return tuple([run.part(element, f"{name}[{i}]", horizon) for i in range(size)])
    if named == SET:
        return SetValue(tuple([(e, True) for e in _different(run, value, size)]))
    if named == MULTISET:
        return BagValue(
            tuple([(run.part(element, f"{name}[{i}]", horizon), 1) for i in range(size)])
        )
    assert named == MAP
    keys = _different(run, value, size)
    return MapValue(
        tuple(
            [(key, run.part(kind.args[1], f"{name}[{i}]=", horizon)) for i, key in enumerate(keys)]
        )
    )


def _reference(run: Run, name: str, horizon: int) -> Ref:
    """A new object, null, one met before, or one that the run made.

    Fields are null first, which makes small structures; others are a new object first.
    """
    met = run.objects
    chosen = run.choose(name, met + 2 + horizon, 0 if "." in name else met + 1)
    if chosen > met + 1:
        return ref(met + 1 - chosen)
    run.objects = max(met, chosen)
    return ref(chosen)


def _data(run: Run, value: Lazy) -> Data:
    constructors = run.model.data.get(value.type)
    if not constructors:
        run.end(Status.UNSUPPORTED, f"values of type {value.type}")
    name = value.name
    chosen = constructors[run.choose(f"{name}.tag", len(constructors), 0)]
    parts = enumerate(chosen.args)
    args = [run.part(arg, f"{name}.{i}", value.horizon) for i, arg in parts]
    return Data(chosen.name, tuple(args))


def _different(run: Run, value: Lazy, size: int) -> list[Value]:
    """Elements of a set: numbers in order, others pairwise different."""
    from pitviper.explore.runtime.equality import equal, negation

    assert isinstance(value.type, Generic)
    kind, name = value.type.args[0], value.name
    found: list[Value] = []
    for i in range(size):
        element = run.part(kind, f"{name}[{i}]", value.horizon)
        if kind == INT and found:
            before = found[-1]
            less = build.less(term_of(before), term_of(element))
            holds = plain(before) < plain(element)
            run.require(both(holds, less))
        else:
            for other in found:
                run.require(negation(equal(run, element, other)))
        found.append(element)
    return found
