"""Places of arrays: objects that an injective function gives for an array and an index.

Places of one function with different arguments differ, so no run asks which of them they are. An
index that depends on the input stays as it is: what is read there is a choice between the values of
all places that are held, and a write changes each of them under a condition. Only where the object
itself matters is it decided.
"""

from __future__ import annotations

from typing import TypeAlias

from pitviper.engines.explore.model.program import Signature
from pitviper.engines.explore.model.types import INT
from pitviper.engines.explore.runtime import arithmetic as ar
from pitviper.engines.explore.runtime.ending import Leak
from pitviper.engines.explore.runtime.equality import conjunction, disjunction, equal
from pitviper.engines.explore.runtime.heap import Cell, Heap
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import shape
from pitviper.engines.explore.runtime.value import Array, Slot, Sym, Value, plain, term_of
from pitviper.terms.term import App


def place(run: Run, function: Signature, args: tuple[Value, ...]) -> Value:
    """The place of an array at an index; the arguments that are numbers are the index."""
    if any(term_of(a).free for a in args if a.__class__ is Sym):
        raise Leak
    pairs = list(zip(function.args, args, strict=True))
    index = tuple([a for kind, a in pairs if kind == INT])
    owner = tuple([shape(run, a) for kind, a in pairs if kind != INT])
    array = _array(run, function, owner)
    if any(i.__class__ is Sym for i in index):
        return Slot(array, index)
    known = array.plain.get(index)
    if known is None:
        known = array.plain[index] = Slot(array, index)
    return known


def _array(run: Run, function: Signature, owner: tuple[Value, ...]) -> Array:
    listed = run.inputs.arrays.setdefault(function.name, [])
    for array in listed:
        pairs = zip(owner, array.owner, strict=True)
        if run.branch(conjunction([equal(run, a, b) for a, b in pairs])):
            return array
    array = Array(function, owner, _name(function, owner))
    listed.append(array)
    return array


def _name(function: Signature, owner: tuple[Value, ...]) -> str:
    """The name of the variable that the array came with, if it is one."""
    terms = [term_of(o) for o in owner]
    names = [t.symbol.name for t in terms if isinstance(t, App) and not t.args]
    if len(names) == len(owner) == 1:
        return names[0]
    return f"{function.name}({', '.join([str(plain(o)) for o in owner])})"


# ---------------------------------------------------------------- an index that is not decided


Spread: TypeAlias = list[tuple[Value, tuple[int, str]]]
"""For each place that is held the condition under which it is meant, and its key in the heap."""


def amount_at(run: Run, heap: Heap, slot: Slot, field: str) -> Value | None:
    """What is held at a place whose index is not decided; None if it must be."""
    spread = _spread(run, heap, slot, field)
    if spread is None:
        return None
    return _chosen(run, [(c, heap.cells[key].amount) for c, key in spread])


def value_at(run: Run, heap: Heap, slot: Slot, field: str) -> Value | None:
    spread = _spread(run, heap, slot, field)
    if spread is None or not all(ar.is_scalar(heap.cells[key].value) for _, key in spread):
        return None
    return _chosen(run, [(c, heap.cells[key].value) for c, key in spread])


def write_at(run: Run, heap: Heap, slot: Slot, field: str, value: Value) -> bool:
    """Writes to the place that is meant, whichever it is; False if that must be decided."""
    spread = _spread(run, heap, slot, field)
    if spread is None or not ar.is_scalar(value):
        return False
    if not all(ar.is_scalar(heap.cells[key].value) for _, key in spread):
        return False
    for condition, key in spread:
        cell = heap.cells[key]
        heap.cells[key] = Cell(cell.amount, ar.choice(run, condition, value, cell.value))
    return True


def _spread(run: Run, heap: Heap, slot: Slot, field: str) -> Spread | None:
    """The places that may be meant, if the index is one of those that are held."""
    if slot.decided is not None or run.path.bound or run.trials.current is not None:
        return None
    places = [(index, made.number) for index, made in slot.array.places]
    held = [(index, (n, field)) for index, n in places if (n, field) in heap.cells]
    if len(held) < 2 or not any(i.__class__ is Sym for i in slot.index):
        return None
    if not run.branch(_is_one_of(run, slot.index, [index for index, _ in held])):
        slot.excluded |= {n for _, (n, _) in held}
        return None
    return [(_same(run, slot.index, index), key) for index, key in held]


def _is_one_of(run: Run, index: tuple[Value, ...], listed: list[tuple[Value, ...]]) -> Value:
    """Whether an index is among several; of numbers without gaps that is a range."""
    numbers = [i[0] for i in listed if i[0].__class__ is int]
    if len(index) == 1 and len(numbers) == len(listed):
        least, most = min(map(plain, numbers)), max(map(plain, numbers))
        if most - least + 1 == len(numbers):
            above, below = ar.at_most(run, least, index[0]), ar.at_most(run, index[0], most)
            return conjunction([above, below])
    return disjunction([_same(run, index, other) for other in listed])


def _same(run: Run, one: tuple[Value, ...], other: tuple[Value, ...]) -> Value:
    return conjunction([equal(run, a, b) for a, b in zip(one, other, strict=True)])


def _chosen(run: Run, options: list[tuple[Value, Value]]) -> Value:
    """The value whose condition holds; one of them does."""
    first = options[0][1]
    if all(v.__class__ is not Sym and v == first for _, v in options):
        return first
    found = options[-1][1]
    for condition, value in reversed(options[:-1]):
        found = ar.choice(run, condition, value, found)
    return found
