"""A state as a graph: objects with their fields, who refers to whom, what was so before.

Made from a counterexample; views draw it, in a terminal, as a picture or in a browser.
"""

from __future__ import annotations

from pitviper.base.qualified import short_name
from pitviper.base.record import record, replace
from pitviper.results.counterexample import (
    NOW,
    Counterexample,
    HeapState,
    Instance,
    Location,
    Shown,
    Standing,
)
from pitviper.results.wording import kind_text

NULL = "null"


@record
class Row:
    """A field of an object. `before` tells what it was in an earlier state, where that differs,
    and `had` how much of it was held.

    The earlier state is that of the label `since`, at the method's start without one. A location
    that is held no longer is a `ghost`: its value and amount are those of before.
    """

    field: str
    value: str
    amount: str
    target: str | None = None
    before: str | None = None
    before_target: str | None = None
    ghost: bool = False
    focus: bool = False
    had: str | None = None
    since: str = ""


@record
class Node:
    """An object; `sets` are the collections of references that contain it."""

    name: str
    rows: tuple[Row, ...] = ()
    sets: tuple[str, ...] = ()
    focus: bool = False


@record
class Pointer:
    """Variables that refer to one object, or applications of functions (`computed`) that do."""

    variables: tuple[str, ...]
    target: str
    focus: bool = False
    computed: bool = False


@record
class Frame:
    """A predicate instance or a wand, the objects that it is about, the fields inside it and the
    texts of the instances `inside` it; `had` is the amount of before, where that differs."""

    text: str
    amount: str
    targets: tuple[str, ...]
    kind: str
    ghost: bool = False
    owns: tuple[Row, ...] = ()
    inside: tuple[str, ...] = ()
    had: str | None = None
    focus: bool = False
    """A check fails for want of it; where nothing of it is or was held, its amount is `missing`."""


@record
class Entry:
    """A line of a list beside the graph: a variable or the value of a function."""

    name: str
    value: str
    focus: bool = False
    pinned: bool = True


@record
class HeapGraph:
    caption: str
    note: str
    nodes: tuple[Node, ...]
    pointers: tuple[Pointer, ...]
    frames: tuple[Frame, ...]
    variables: tuple[Entry, ...]
    functions: tuple[Entry, ...]
    functions_title: str = "functions"


def graph_of(instance: Counterexample) -> HeapGraph:
    """The present state, with what differs from the state that the check speaks of: that of a
    label, or that at the method's start."""
    now = next(h for h in instance.heaps if h.label == NOW)
    earlier = _earlier(instance)
    old = next((h for h in earlier if h.label == "old"), None)
    then = old or (earlier[0] if earlier else None)
    return HeapGraph(
        instance.caption,
        f"{instance.member}: {note_of(instance)}",
        tuple([_node(name, now, earlier, instance) for name in instance.objects]),
        _pointers(instance),
        _frames(instance, now, then),
        tuple(
            [
                Entry(v.name, v.value.text, v.name in instance.focus.variables, v.value.pinned)
                for v in instance.variables
                if not _target(v.value)
            ]
        ),
        tuple([Entry(f.text, f.value.text) for f in instance.functions if not _target(f.value)]),
        f"{kind_text('function', instance.span)}s",
    )


def _earlier(instance: Counterexample) -> list[HeapState]:
    """The earlier states that are drawn: those that the check speaks of, else the first."""
    known = {heap.label: heap for heap in instance.heaps if heap.label != NOW}
    named = [known[label] for label in instance.focus.labels if label in known]
    return named or [heap for label, heap in known.items() if label == "old"]


def note_of(instance: Counterexample) -> str:
    """How sure an instance is, in a few words."""
    if instance.standing is Standing.CANDIDATE:
        return "a candidate: not everything about it could be confirmed"
    what = "counterexample" if instance.finding is not None else "example"
    if instance.standing is Standing.CHECKED:
        return f"{what} {instance.number}, checked"
    how = "checked and replayed" if len(instance.confirmed) > 1 else "replayed"
    return f"{what} {instance.number}, {how}"


def _node(name: str, now: HeapState, earlier: list[HeapState], instance: Counterexample) -> Node:
    held = {at.field: at for at in now.locations if at.object == name}
    before = [
        (heap.label, {at.field: at for at in heap.locations if at.object == name})
        for heap in earlier
    ]
    focus = set(instance.focus.locations)
    rows = [
        _row(
            at,
            [(label, then[field]) for label, then in before if field in then],
            focus=(name, field) in focus,
        )
        for field, at in held.items()
    ]
    lost = {f: at for _, then in reversed(before) for f, at in then.items() if f not in held}
    rows += [_ghost(at, (name, field) in focus) for field, at in lost.items()]
    variables = [v for v in instance.variables if not _target(v.value)]
    sets = [v.name for v in variables if name in v.value.objects]
    return Node(name, tuple(rows), tuple(sets), name in instance.focus.objects)


def _row(at: Location, before: list[tuple[str, Location]], *, focus: bool) -> Row:
    """Told is the first of the earlier states in which it was otherwise."""
    for label, then in before:
        changed, had = then.value.text != at.value.text, then.amount != at.amount
        if changed or had:
            return Row(
                at.field,
                at.value.text,
                at.amount,
                _target(at.value),
                then.value.text if changed else None,
                _target(then.value) if changed else None,
                focus=focus,
                had=then.amount if had else None,
                since="" if label == "old" else label,
            )
    return Row(at.field, at.value.text, at.amount, _target(at.value), focus=focus)


def _ghost(at: Location, focus: bool) -> Row:  # noqa: FBT001 - as in the data
    return Row(at.field, at.value.text, at.amount, _target(at.value), ghost=True, focus=focus)


def _target(value: Shown) -> str | None:
    """The object that a reference refers to; collections and null have none."""
    return value.text if value.objects == (value.text,) and value.text != NULL else None


def _pointers(instance: Counterexample) -> tuple[Pointer, ...]:
    names: dict[str, list[str]] = {}
    for variable in instance.variables:
        if _target(variable.value):
            names.setdefault(variable.value.text, []).append(variable.name)
    looked_at = set(instance.focus.variables)
    pointers = [
        Pointer(tuple(variables), target, not looked_at.isdisjoint(variables))
        for target, variables in names.items()
    ]
    computed: dict[str, list[str]] = {}
    for application in instance.functions:
        target = _target(application.value)
        if target is not None:
            computed.setdefault(target, []).append(application.text)
    return (*pointers, *[Pointer(tuple(t), o, computed=True) for o, t in computed.items()])


def _frames(instance: Counterexample, now: HeapState, then: HeapState | None) -> tuple[Frame, ...]:
    """Instances that are held, were held, or are missing."""
    found = [*[_frame(i, _amount_then(i, then)) for i in now.instances], *_lost(now, then)]
    missing = {(i.kind, i.text): _frame(i) for i in instance.focus.missing}
    marked = [replace(f, focus=(f.kind, f.text) in missing) for f in found]
    known = {(f.kind, f.text) for f in found}
    new = [replace(f, focus=True) for key, f in missing.items() if key not in known]
    return (*marked, *new)


def _frame(held: Instance, had: str | None = None, *, ghost: bool = False) -> Frame:
    targets = [o for arg in held.args for o in arg.objects if o != NULL]
    owns = [
        Row(f"{at.object}.{short_name(at.field)}", at.value.text, at.amount, _target(at.value))
        for at in held.owns
    ]
    objects = tuple(dict.fromkeys(targets))
    return Frame(held.text, held.amount, objects, held.kind, ghost, tuple(owns), held.inside, had)


def _amount_then(held: Instance, then: HeapState | None) -> str | None:
    """How much of an instance was held in an earlier state, where that differs."""
    found = () if then is None else then.instances
    same = [i.amount for i in found if (i.kind, i.text) == (held.kind, held.text)]
    return same[0] if same and same[0] != held.amount else None


def _lost(now: HeapState, then: HeapState | None) -> list[Frame]:
    """Instances that were held before and are not any more."""
    held = {(i.kind, i.text) for i in now.instances}
    found = () if then is None else then.instances
    return [_frame(i, ghost=True) for i in found if (i.kind, i.text) not in held]
