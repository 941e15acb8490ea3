"""Values of a run that can be looked into: objects, collections, data, predicate instances."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.qualified import short_name
from pitviper.engines.explore.report.inputs import shown
from pitviper.engines.explore.runtime.heap import Contents, Heap
from pitviper.engines.explore.runtime.value import GuardedSet, Huge, Lazy, Slot, Value, plain
from pitviper.engines.explore.runtime.wands import wand_text
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset, Ref
from pitviper.results.steps import Shown

MOST = 100
"""Parts of a value that are shown."""


def expanded(name: str, value: Value, heap: Heap, around: tuple[int, ...] = ()) -> Shown:
    """A value with what it consists of; of an object, the fields that are held.

    An object that is inside of itself is not opened again: `around` are those that are open.
    """
    value = _decided(value)
    parts: list[Shown] = []
    if isinstance(value, Ref):
        if value.number not in around:
            inside = (*around, value.number)
            for field, part in _fields(heap, value.number):
                parts.append(expanded(field, part, heap, inside))
    else:
        for word, part in _parts(value):
            parts.append(expanded(word, part, heap, around))
    return Shown(name, shown(value), tuple(parts[:MOST]))


def _decided(value: Value) -> Value:
    while isinstance(value, Lazy | Slot | Huge) and value.decided is not None:
        value = value.decided
    return value


def _fields(heap: Heap, number: int) -> Iterator[tuple[str, Value]]:
    """The fields of an object that are held, and those that instances contain."""
    found: dict[str, Value] = {}
    for place, inside in _heaps(heap, ""):
        for (owner, field), cell in sorted(inside.cells.items()):
            if owner == number and not any(known.split(" ")[0] == field for known in found):
                found[f"{field} (in {place})" if place else field] = cell.value
    yield from [(short_name(name), value) for name, value in found.items()]


def _heaps(heap: Heap, place: str) -> Iterator[tuple[str, Heap]]:
    """The heap, and those inside of its instances, with the outermost instance around them."""
    yield place, heap
    for predicate in sorted(heap.instances):
        for instance in heap.instances[predicate]:
            if instance.contents.heap is not None:
                args = ", ".join(map(shown, instance.args))
                yield from _heaps(instance.contents.heap, place or f"{predicate}({args})")


def _parts(value: Value) -> Iterator[tuple[str, Value]]:
    """The elements of a collection, the arguments of a constructor."""
    match value:
        case tuple():
            yield from [(f"[{n}]", part) for n, part in enumerate(value)]
        case GuardedSet(items=items):
            held = [part for part, there in items if plain(there)]
            yield from [(str(n), part) for n, part in enumerate(held)]
        case Multiset(items=items):
            yield from [(f"{shown(part)} times", number) for part, number in items]
        case FiniteMap(items=items):
            yield from [(f"[{shown(key)}]", part) for key, part in items]
        case Constructed(args=args):
            yield from [(str(n), part) for n, part in enumerate(args)]
        case _:
            return


def held_in(heap: Heap) -> tuple[Shown, ...]:
    """What is held: fields with their values, predicate instances with what they contain, wands."""
    found: list[Shown] = []
    for (number, field), cell in sorted(heap.cells.items()):
        place = f"object{number}" if number > 0 else f"new{-number}"
        whole = expanded(f"{place}.{short_name(field)}", cell.value, heap, (number,))
        found.append(_with_amount(whole, cell.amount))
    for predicate in sorted(heap.instances):
        for instance in heap.instances[predicate]:
            args = ", ".join(map(shown, instance.args))
            inside = instance.contents.heap
            inner = () if inside is None else held_in(inside)
            text = contents_text(instance.contents)
            whole = Shown(f"{predicate}({args})", text, inner)
            found.append(_with_amount(whole, instance.amount))
    for shape in sorted(heap.wands):
        for wand in heap.wands[shape]:
            found.append(Shown(wand_text(shape, tuple(map(shown, wand.holes))), "1"))
    return tuple(found)


def _with_amount(value: Shown, amount: Value) -> Shown:
    return Shown(value.name, f"{value.value}  (permission {plain(amount)})", value.inner)


def contents_text(contents: Contents) -> str:
    """What an instance contains, as far as the run has looked."""
    if contents.heap is None:
        return "{ not looked into }"
    cells = rows_of(contents.heap)
    parts = [f"{place} = {value}" for place, _, value in cells if "(" not in place]
    parts += [place for place, _, _ in cells if "(" in place]
    return f"{{ {', '.join(parts)} }}" if parts else "{ }"


def rows_of(heap: Heap) -> list[tuple[str, str, str]]:
    """Location, amount and value of all that is held."""
    found = []
    for (number, field), cell in sorted(heap.cells.items()):
        place = f"object{number}" if number > 0 else f"new{-number}"
        found.append((f"{place}.{short_name(field)}", str(plain(cell.amount)), shown(cell.value)))
    for predicate in sorted(heap.instances):
        for instance in heap.instances[predicate]:
            args = ", ".join(map(shown, instance.args))
            inside = contents_text(instance.contents)
            found.append((f"{predicate}({args})", str(plain(instance.amount)), inside))
    for shape in sorted(heap.wands):
        for wand in heap.wands[shape]:
            found.append((wand_text(shape, tuple(map(shown, wand.holes))), "1", ""))
    return found
