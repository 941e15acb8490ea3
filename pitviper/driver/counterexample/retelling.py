"""Counterexamples of a program in another language than Viper, in the words of that language.

Types are those that the file declares. Objects are named by their class, which is known from the
fields and predicates that are held of them: `Counter1` instead of `Ref1`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pitviper.base.qualified import is_qualified, short_name
from pitviper.base.record import replace
from pitviper.results.counterexample import (
    Application,
    Counterexample,
    Focus,
    HeapState,
    Instance,
    Location,
    Result,
    Shown,
)
from pitviper.results.wording import value_text

Types = Mapping[str, Mapping[str, str]]
"""By member, the types of its variables, in words of the language."""

Told = Callable[[str], str]

_UNTYPED = ("this", "result")
"""Variables that nobody declares; all others without a type are those of the core alone."""

_OBJECT = re.compile(r"\bRef(\d+)\b")


def retold(result: Result, types: Types) -> Result:
    """The result with names of classes for objects and types."""
    if not isinstance(result, Counterexample):
        return result
    known = types.get(result.member, {})
    names = _names(result, known)

    def told(text: str) -> str:
        named = _OBJECT.sub(lambda m: names.get(m.group(), f"object{m.group(1)}"), text)
        return value_text(named, result.span)

    return replace(
        result,
        caption=told(result.caption),
        objects=tuple([told(name) for name in result.objects]),
        variables=tuple(
            [
                replace(v, type=known.get(v.name, "Object" if v.type == "Ref" else v.type.lower()),
                        value=_shown(v.value, told))
                for v in result.variables
                if not known or v.name in known or v.name in _UNTYPED
            ]
        ),
        heaps=tuple([_heap(heap, told) for heap in result.heaps]),
        functions=tuple(
            [
                Application(told(f.text), _shown(f.value, told))
                for f in result.functions
                if not f.text.endswith(".class") and not f.text.startswith("null.")
            ]
        ),
        focus=Focus(
            tuple([told(name) for name in result.focus.objects]),
            tuple([(told(name), _field(field)) for name, field in result.focus.locations]),
            result.focus.variables,
            result.focus.labels,
        ),
        confirmed=tuple([told(text) for text in result.confirmed]),
        doubts=tuple([told(text) for text in result.doubts]),
    )  # fmt: skip


def _names(result: Counterexample, types: Mapping[str, str]) -> dict[str, str]:
    """For each object its class and number."""
    classes: dict[str, str] = {}
    for heap in result.heaps:
        inside = [at for held in heap.instances for at in held.owns]
        for at in (*heap.locations, *inside):
            if is_qualified(at.field):
                classes.setdefault(at.object, at.field.rpartition(".")[0])
        for held in heap.instances:
            if is_qualified(held.name) and held.args:
                classes.setdefault(held.args[0].text, held.name.partition(".")[0])
    for variable in result.variables:
        if variable.name in types:
            classes.setdefault(variable.value.text, types[variable.name])
    return {
        name: f"{kind.replace('[]', 'Array')}{name.removeprefix('Ref')}"
        for name, kind in classes.items()
        if _OBJECT.fullmatch(name)
    }


def _shown(value: Shown, told: Told) -> Shown:
    return replace(
        value, text=told(value.text), objects=tuple([told(name) for name in value.objects])
    )


def _heap(heap: HeapState, told: Told) -> HeapState:
    return replace(
        heap,
        locations=tuple([_location(at, told) for at in heap.locations]),
        instances=tuple([_instance(held, told) for held in heap.instances]),
    )


def _location(at: Location, told: Told) -> Location:
    value = _shown(at.value, told)
    return replace(at, object=told(at.object), field=_field(at.field), value=value)


def _field(name: str) -> str:
    """A field as its object has it; that of arrays has one name, whatever their elements are."""
    return short_name(name)


def _instance(held: Instance, told: Told) -> Instance:
    return replace(
        held,
        args=tuple([_shown(arg, told) for arg in held.args]),
        owns=tuple([_location(at, told) for at in held.owns]),
        inside=tuple([told(text) for text in held.inside]),
    )
