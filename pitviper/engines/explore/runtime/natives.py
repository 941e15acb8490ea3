"""The operators and native methods that compiled models use, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitviper.engines.explore.runtime import arithmetic as ar
from pitviper.engines.explore.runtime import collection as co
from pitviper.engines.explore.runtime import dynamic as dy
from pitviper.engines.explore.runtime import footprint as fo
from pitviper.engines.explore.runtime import resources as re
from pitviper.engines.explore.runtime import wands as wa
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.equality import equal, negation
from pitviper.engines.explore.runtime.freshness import new_reference
from pitviper.engines.explore.runtime.heap import Closure, Contents, Heap
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import shape
from pitviper.engines.explore.runtime.tables import abstract, apply_table, for_all, tell
from pitviper.engines.explore.runtime.trial import living
from pitviper.engines.explore.runtime.value import GuardedSet, Sym, Value
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset
from pitviper.terms.substitute import subterms
from pitviper.terms.term import App


def _wand_arguments(run: Run, tag: str, heap: Heap, position: int) -> Value:
    return tuple([w.holes[position] for w in heap.wands.get(tag, ())])


def _give_wand(run: Run, heap: Heap, source: Heap | None, shape: str, *holes: Value) -> tuple[()]:
    wa.give_wand(run, heap, source, (shape, holes))
    return ()


def _take_wand(
    run: Run, heap: Heap, sink: Heap | None, shape: str, *holes: Value
) -> tuple[Closure]:
    return (wa.take_wand(run, heap, sink, (shape, holes)),)


def _package(run: Run, heap: Heap, around: fo.Around | None, *plan: Any) -> tuple[()]:
    """The methods, the shape, then holes, arguments of the left-hand side and of the script."""
    left, script, shape, holes, arguments, *values = plan
    made = wa.Plan(left, script, (shape, tuple(values[:holes])))
    made.left_arguments = tuple(values[holes : holes + arguments])
    made.captured = tuple(values[holes + arguments :])
    wa.package(run, (heap, *(around or ())), made)
    return ()


def _fetch(run: Run, heap: Heap, reads: Heap, around: fo.Around, *lack: Any) -> tuple[()]:
    field, amount, receiver = lack
    fo.fetch_cell(run, heap, around, fo.Lack(field, (receiver,), amount, reads))
    return ()


def _fetch_instance(run: Run, heap: Heap, reads: Heap, around: fo.Around, *lack: Any) -> tuple[()]:
    predicate, amount, *args = lack
    fo.fetch_instance(run, heap, around, fo.Lack(predicate, tuple(args), amount, reads))
    return ()


def _fetch_wand(run: Run, heap: Heap, reads: Heap, around: fo.Around, *lack: Any) -> tuple[()]:
    shape, *holes = lack
    fo.fetch_wand(run, heap, around, fo.Lack(shape, tuple(holes), None, reads))
    return ()


def _judge(run: Run) -> tuple[Value]:
    """Whether this is the run that looks at a wand alone."""
    chosen = run.option("$judged")
    if chosen:
        run.trials.current = None
    return (chosen,)


def _introspect(run: Run) -> tuple[()]:
    wa.introspect(run)
    return ()


WAND_NATIVES: dict[str, Callable[..., Any]] = {
    "wand.give": _give_wand, "wand.take": _take_wand, "wand.package": _package,
    "wand.fetch_cell": _fetch, "wand.fetch_instance": _fetch_instance,
    "wand.fetch_wand": _fetch_wand, "wand.introspect": _introspect, "wand.judge": _judge,
    "wand.run": wa.result_of,
}  # fmt: skip
"""Called with the run and the arguments; the result is a tuple."""

WAND_TAGGED: dict[str, Callable[..., Any]] = {
    "wand_arguments": _wand_arguments,
    "held_wand": lambda run, tag, heap, *holes: wa.held_wand(run, heap, (tag, holes)),
}  # fmt: skip
"""Called with the run, the shape and the arguments."""


Operator = Callable[..., Any]
"""Arguments and results are as the operator's signature in `model/operators.py` says."""


def _is(run: Run, tag: str, value: Value) -> Value:
    found = shape(run, value)
    assert isinstance(found, Constructed)
    return found.constructor == tag


def _part(run: Run, tag: str, value: Value) -> Value:
    """The argument of a constructor, as `Constructor.number type`; of another one it is any."""
    constructor, _, number = tag.partition(" ")[0].rpartition(".")
    found = shape(run, value)
    assert isinstance(found, Constructed)
    if found.constructor != constructor:
        return apply_table(run, run.model.tables[tag], (found,))
    return found.args[int(number)]


OPERATORS: dict[str, Operator] = {
    "add": ar.add, "sub": ar.sub, "mul": ar.mul, "neg": ar.neg, "div": ar.div, "mod": ar.mod,
    "fraction": ar.fraction, "rational": ar.rational, "less": ar.less, "at_most": ar.at_most,
    "not": ar.not_, "and": ar.and_, "or": ar.or_, "implies": ar.implies, "choice": ar.choice,
    "merge": ar.merge, "excluded": ar.excluded, "equal": equal, "symbolic": ar.is_symbolic,
    "append": co.append, "range": co.seq_range, "index": co.index, "take": co.take,
    "drop": co.drop, "update": co.update, "seq_contains": co.seq_contains,
    "contains": co.contains, "subset": co.subset, "union": co.union,
    "intersection": co.intersection, "difference": co.difference, "count": co.count,
    "has_key": co.has_key, "lookup": co.lookup, "map_update": co.map_update, "keys": co.keys,
    "values": co.values, "size": co.size, "candidates": co.candidates,
    "identical": equal,
    "differ": lambda run, a, b: negation(equal(run, a, b)),
    "is_null": lambda run, value: re.reference(run, value).number == 0,
    "seq": lambda run, *elements: elements,
    "set": lambda run, *elements: GuardedSet(tuple([(e, True) for e in elements])),
    "multiset": lambda run, *elements: Multiset(tuple([(e, 1) for e in elements])),
    "map": lambda run, *parts: FiniteMap(tuple(zip(parts[::2], parts[1::2], strict=True))),
}  # fmt: skip
"""Called with the run and the arguments."""

TAGGED: dict[str, Operator] = {
    "is": _is, "part": _part,
    "for_all": for_all, **WAND_TAGGED,
    "construct": lambda run, tag, *args: Constructed(tag, args),
    "held": lambda run, tag, heap, receiver: re.held(run, heap, receiver, tag),
    "read": lambda run, tag, heap, receiver: re.read(run, heap, receiver, tag),
    "held_instance": lambda run, tag, heap, *args: re.held_instance(run, heap, tag, *args),
    "receivers": lambda run, tag, heap: re.receivers(run, heap, tag),
    "arguments": lambda run, tag, heap, position: re.arguments(run, heap, tag, position),
    "table": lambda run, tag, *args: apply_table(run, run.model.tables[tag], args),
    "is_a": lambda run, tag, value: dy.is_a(run, re.reference(run, value), tag),
    "is_exactly": lambda run, tag, value: dy.is_exactly(run, re.reference(run, value), tag),
    "cast": lambda run, tag, value: value,
}  # fmt: skip
"""Called with the run, the tag and the arguments."""


# ---------------------------------------------------------------- native methods


def _replace(run: Run, heap: Heap, other: Heap) -> tuple[Heap]:
    """The heap gets what another one holds; what it held is the result."""
    before = heap.copy()
    heap.cells, heap.instances, heap.wands = other.cells, other.instances, other.wands
    return (before,)


MOST_GAINED = 8
"""Heaps of a run that are looked into when it fails, beside the first one."""


def _gained(run: Run, heap: Heap) -> tuple[()]:
    """What a method begins with, and what it has when it gets more, is remembered."""
    hides = any(heap.instances.values()) or any(heap.wands.values())
    if run.trials.current is None and (hides or not run.gained):
        run.gained.append(heap.copy())
        del run.gained[1:-MOST_GAINED]
    return ()


def _pour(run: Run, heap: Heap, other: Heap) -> tuple[()]:
    re.pour(run, heap, other)
    return ()


def _new(run: Run, heap: Heap, fields: str, *variables: Value | None) -> tuple[Value]:
    """A new object, unlike all that the variables have."""
    made = new_reference(run, heap, variables)
    kinds = [name.split(":", 1)[0] for name in fields.split(",") if name]
    re.new_object(run, heap, tuple([(n, run.model.fields[n]) for n in kinds]), made)
    return (made,)


def _new_of(run: Run, heap: Heap, kind: str, fields: str) -> tuple[Value]:
    """A new object of a type of the hierarchy."""
    (made,) = _new(run, heap, fields)
    dy.made_as(run, re.reference(run, made), kind)
    return (made,)


def _reach(run: Run, heap: Heap, receiver: Value, field: str) -> tuple[()]:
    """A field of an object of the input is there when it is first looked at.

    For languages without permissions: what of a heap was there before a method began is met lazily.
    """
    re.reach(run, heap, receiver, (field, run.model.fields[field]))
    return ()


def _write(run: Run, heap: Heap, receiver: Value, field: str, value: Value) -> tuple[()]:
    re.write(run, heap, receiver, field, value)
    return ()


def _give(run: Run, heap: Heap, source: Heap | None, *at: Any) -> tuple[()]:
    receiver, field, amount = at
    re.give(run, heap, source, (receiver, field, run.model.fields[field]), amount)
    return ()


def _take(run: Run, heap: Heap, sink: Heap | None, *at: Any) -> tuple[()]:
    receiver, field, amount = at
    re.take(run, heap, sink, (receiver, field), amount)
    return ()


def _give_instance(
    run: Run, heap: Heap, source: Heap | None, predicate: str, amount: Value, *args: Value
) -> tuple[()]:
    re.give_instance(run, heap, source, (predicate, args), amount)
    return ()


def _take_instance(
    run: Run, heap: Heap, sink: Heap | None, predicate: str, amount: Value, *args: Value
) -> tuple[()]:
    re.take_instance(run, heap, sink, (predicate, args), amount)
    return ()


def _open(run: Run, heap: Heap, predicate: str, amount: Value, *args: Value) -> tuple[Any, Any]:
    """Take an instance to look inside: its contents, and whether they are known."""
    contents = re.take_instance(run, heap, None, (predicate, args), amount)
    assert contents is not None
    return contents, contents.heap is not None


def _inside(run: Run, contents: Contents) -> tuple[Heap]:
    """The heap inside of an instance; an empty one, to be filled, if nothing is known."""
    heap = contents.heap
    if heap is None:
        run.choosing("the contents of a predicate instance")
        heap = contents.opened()
        run.trials.suspended.append(run.trials.current)
        run.trials.current = living(contents.trial)
    return (heap,)


def _filled(run: Run) -> tuple[()]:
    """What was unknown inside of an instance has been made up."""
    run.trials.current = run.trials.suspended.pop()
    return ()


def _unpack(run: Run, heap: Heap, contents: Contents, amount: Value) -> tuple[()]:
    assert contents.heap is not None
    re.pour(run, heap, contents.heap, re.share_of(run, amount, contents.unit))
    return ()


def _close(
    run: Run, heap: Heap, inside: Heap, predicate: str, amount: Value, *args: Value
) -> tuple[()]:
    """The instance whose contents were collected."""
    re.close(run, heap, inside, (predicate, args), amount)
    return ()


def _forget(run: Run, heap: Heap, predicate: str, *args: Value) -> tuple[()]:
    """An instance that is held gets other contents, of which nothing is known."""
    re.forget(run, heap, predicate, args)
    return ()


def _tie(run: Run, heap: Heap, before: Heap, predicate: str, *args: Value) -> tuple[()]:
    """An instance is as it was in an earlier heap."""
    re.tie(run, heap, before, predicate, args)
    return ()


def _note(run: Run, heap: Heap, sink: Heap, receiver: Value, field: str) -> tuple[()]:
    """Remember a cell that a function may look at."""
    key = (re.reference(run, receiver).number, field)
    sink.cells[key] = heap.cells[key]
    return ()


def _note_instance(run: Run, heap: Heap, sink: Heap, predicate: str, *args: Value) -> tuple[()]:
    found = re.find(run, heap, predicate, args)
    assert found is not None
    sink.instances.setdefault(predicate, []).append(heap.instances[predicate][found])
    return ()


def _remark(run: Run, what: str) -> tuple[()]:
    run.notes[what] = None
    return ()


def _moment(run: Run) -> tuple[int, int]:
    """How many decisions were made and how many unknowns were met, up to here."""
    return len(run.path.decisions), len(run.inputs.symbols)


def _is_same(run: Run, decided: int, met: int, value: Value) -> tuple[bool]:
    """Whether a value is the same for all values of unknowns that were met since a moment.

    No decision since then was about one of them, and the value is not either.
    """
    terms = [d.term for d in run.path.decisions[decided:]]
    if isinstance(value, Sym):
        terms.append(value.term)
    new = frozenset(list(run.inputs.symbols)[met:])
    symbols = [t.symbol.name for t in subterms(*terms) if isinstance(t, App) and not t.args]
    return (new.isdisjoint(symbols),)


def _unsupported(run: Run, what: str) -> tuple[()]:
    run.end(Status.UNSUPPORTED, what)


def _done(run: Run) -> tuple[()]:
    """The end of a run that is none of the program: it looked at something alone."""
    run.end(Status.UNMET)


def _stop(run: Run) -> tuple[()]:
    """The end of a run that has nothing left to check."""
    run.end(Status.PASSED)


NATIVES: dict[str, Operator] = {
    "heap.replace": _replace, "heap.pour": _pour, "heap.gained": _gained,
    "heap.new": _new, "heap.new_of": _new_of, "heap.reach": _reach,
    "heap.write": _write, "heap.give": _give, "heap.take": _take,
    "heap.give_instance": _give_instance, "heap.take_instance": _take_instance,
    "heap.open": _open, "heap.inside": _inside, "heap.unpack": _unpack, "heap.close": _close,
    "heap.filled": _filled, "heap.forget": _forget, "heap.note": _note,
    "heap.note_instance": _note_instance,
    "function.abstract": abstract, "unsupported": _unsupported, "stop": _stop, "done": _done,
    "heap.tie": _tie, "remark": _remark, "tell": tell,
    "moment": _moment, "is_same": _is_same, **WAND_NATIVES,
    "heap.empty": lambda run: (Heap(),),
    "heap.copy": lambda run, heap: (heap.copy(),),
}  # fmt: skip
"""Called with the run and the arguments; the result is a tuple."""
