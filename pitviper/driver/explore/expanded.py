"""Values of a run that can be looked into: objects, collections, data, predicate instances."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pitviper.base.qualified import call_words, short_name
from pitviper.base.record import field, record
from pitviper.engines.explore.report.inputs import shown
from pitviper.engines.explore.runtime.heap import Contents, Heap
from pitviper.engines.explore.runtime.value import GuardedSet, Huge, Lazy, Slot, Value, plain
from pitviper.engines.explore.runtime.wands import wand_text
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset, Ref
from pitviper.program.print.objects import ELEMENTS
from pitviper.results.steps import Shown
from pitviper.results.wording import value_text
from pitviper.source.span import Span

MOST = 100
"""Parts of a value that are shown."""


@record
class RunWords:
    """How values are said in the language of a place.

    `arrays` are the types of variables and fields that hold arrays. In the core an array and an
    object may be one reference; types keep them apart, so they have two names.
    """

    arrays: Mapping[str, str] = field(default_factory=dict)
    at: Span | None = None

    def value(self, value: Value, named: str = "") -> str:
        """The text of a value; `named` is the variable or the field that holds it."""
        text = value_text(shown(value), self.at)
        return _OBJECT.sub("array", text) if named in self.arrays else text

    def call(self, predicate: str, args: Sequence[Value]) -> str:
        """An instance of a predicate."""
        return call_words(predicate, [self.value(arg) for arg in args])

    def place(self, number: int, name: str) -> str:
        """A field of an object, or the elements of an array."""
        word = "array" if name.endswith(ELEMENTS) else "object"
        return f"{f'{word}{number}' if number > 0 else f'new{-number}'}.{short_name(name)}"

    def belongs(self, name: str, holder: str) -> bool:
        """Whether a field is one of what a variable or field holds: of an object or an array."""
        return not self.arrays or name.endswith(ELEMENTS) == (holder in self.arrays)


_OBJECT = re.compile(r"\bobject(?=\d)")
PLAIN = RunWords()


def expanded(
    named: tuple[str, str], value: Value, heap: Heap, words: RunWords, around: tuple[int, ...] = ()
) -> Shown:
    """A value with what it consists of; of an object, the fields that are held.

    `named` is what is shown, and the variable or field it is. An object that is inside of itself is
    not opened again: `around` are those that are open.
    """
    value = _decided(value)
    name, holder = named
    parts: list[Shown] = []
    if isinstance(value, Ref):
        if value.number not in around:
            inside = (*around, value.number)
            for told, held, part in _fields(heap, value.number, words):
                if words.belongs(held, holder):
                    parts.append(expanded((told, held), part, heap, words, inside))
    else:
        for word, part in _parts(value):
            parts.append(expanded((word, ""), part, heap, words, around))
    return Shown(name, words.value(value, holder), tuple(parts[:MOST]))


def _decided(value: Value) -> Value:
    while isinstance(value, Lazy | Slot | Huge) and value.decided is not None:
        value = value.decided
    return value


def _fields(heap: Heap, number: int, words: RunWords) -> Iterator[tuple[str, str, Value]]:
    """The fields of an object that are held, and those that instances contain: text and name."""
    found: dict[str, Value] = {}
    places: dict[str, str] = {}
    for place, inside in _heaps(heap, "", words):
        for (owner, name), cell in sorted(inside.cells.items()):
            if owner == number and name not in found:
                found[name] = cell.value
                places[name] = place
    for name, value in found.items():
        place = places[name]
        yield (f"{short_name(name)} (in {place})" if place else short_name(name)), name, value


def _heaps(heap: Heap, place: str, words: RunWords) -> Iterator[tuple[str, Heap]]:
    """The heap, and those inside of its instances, with the outermost instance around them."""
    yield place, heap
    for predicate in sorted(heap.instances):
        for instance in heap.instances[predicate]:
            if instance.contents.heap is not None:
                said = words.call(predicate, instance.args)
                yield from _heaps(instance.contents.heap, place or said, words)


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


def held_in(heap: Heap, words: RunWords = PLAIN) -> tuple[Shown, ...]:
    """What is held: fields with their values, predicate instances with what they contain, wands."""
    found: list[Shown] = []
    for (number, name), cell in sorted(heap.cells.items()):
        named = words.place(number, name), name
        whole = expanded(named, cell.value, heap, words, (number,))
        found.append(_with_amount(whole, cell.amount))
    for predicate in sorted(heap.instances):
        for instance in heap.instances[predicate]:
            inside = instance.contents.heap
            inner = () if inside is None else held_in(inside, words)
            text = contents_text(instance.contents, words)
            whole = Shown(words.call(predicate, instance.args), text, inner)
            found.append(_with_amount(whole, instance.amount))
    for shape in sorted(heap.wands):
        for wand in heap.wands[shape]:
            found.append(Shown(wand_text(shape, tuple(map(shown, wand.holes))), "1"))
    return tuple(found)


def _with_amount(value: Shown, amount: Value) -> Shown:
    return Shown(value.name, f"{value.value}  (permission {plain(amount)})", value.inner)


def contents_text(contents: Contents, words: RunWords = PLAIN) -> str:
    """What an instance contains, as far as the run has looked."""
    if contents.heap is None:
        return "{ not looked into }"
    cells = rows_of(contents.heap, words)
    parts = [f"{place} = {value}" for place, _, value in cells if "(" not in place]
    parts += [place for place, _, _ in cells if "(" in place]
    return f"{{ {', '.join(parts)} }}" if parts else "{ }"


def rows_of(heap: Heap, words: RunWords = PLAIN) -> list[tuple[str, str, str]]:
    """Location, amount and value of all that is held."""
    found = []
    for (number, name), cell in sorted(heap.cells.items()):
        text = words.value(cell.value, name)
        found.append((words.place(number, name), str(plain(cell.amount)), text))
    for predicate in sorted(heap.instances):
        for instance in heap.instances[predicate]:
            said = words.call(predicate, instance.args)
            inside = contents_text(instance.contents, words)
            found.append((said, str(plain(instance.amount)), inside))
    for shape in sorted(heap.wands):
        for wand in heap.wands[shape]:
            found.append((wand_text(shape, tuple(map(shown, wand.holes))), "1", ""))
    return found
