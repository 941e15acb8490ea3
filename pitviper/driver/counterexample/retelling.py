"""Counterexamples of a program in another language than Viper, in the words of that language.

Types are those that the file declares. Objects are named by their class, which is known from the
fields and predicates that are held of them: `Counter1` instead of `Ref1`. In the core an array may
be an object of a class as well; types keep them apart, so they are told apart: an instance stays
one if such an object becomes two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pitviper.base.qualified import is_qualified, short_name
from pitviper.base.record import record, replace
from pitviper.languages.registry import FIELDS
from pitviper.results.counterexample import (
    Application,
    Counterexample,
    Focus,
    HeapState,
    Instance,
    Location,
    Moment,
    Result,
    Shown,
)
from pitviper.results.wording import value_text
from pitviper.source.span import Span

Types = Mapping[str, Mapping[str, str]]
"""By member, the types of its variables, in words of the language; those of fields as well."""

_UNTYPED = ("this", "result")
"""Variables that nobody declares; all others without a type are those of the core alone."""

_OBJECT = re.compile(r"\bRef(\d+)\b")
_LENGTH = re.compile(r"Ref\d+\.length")

ELEMENTS = "object[].elems"
"""The elements of arrays of objects, and of arrays of arrays."""

OBJECT, ARRAY = "", "[]"
"""What a type says about a reference, as far as it matters here."""


def retold(result: Result, types: Types) -> Result:
    """The result with names of classes for objects and types."""
    if not isinstance(result, Counterexample):
        return result
    known, fields = types.get(result.member, {}), types.get(FIELDS, {})
    teller = _Teller(
        _names(result, known, fields), known, fields, _rows(result, known, fields), result.span
    )
    told, focus = teller.told, result.focus
    return replace(
        result,
        caption=told(result.caption),
        objects=tuple([name for ref in result.objects for name in teller.parts(ref)]),
        variables=tuple(
            [
                replace(v, type=known.get(v.name, "Object" if v.type == "Ref" else v.type.lower()),
                        value=teller.shown(v.value, known.get(v.name, OBJECT)))
                for v in result.variables
                if not known or v.name in known or v.name in _UNTYPED
            ]
        ),
        heaps=tuple([teller.heap(heap) for heap in result.heaps]),
        functions=tuple(
            [
                Application(
                    told(f.text, ARRAY if _LENGTH.fullmatch(f.text) else None),
                    teller.shown(f.value, None),
                )
                for f in result.functions
                if not f.text.endswith(".class") and not f.text.startswith("null.")
            ]
        ),
        focus=Focus(
            tuple([name for ref in focus.objects for name in teller.meant(ref, focus)]),
            tuple([(told(ref, _holder(field)), _field(field)) for ref, field in focus.locations]),
            focus.variables,
            focus.labels,
        ),
        confirmed=tuple([told(text) for text in result.confirmed]),
        doubts=tuple(dict.fromkeys([told(_plainly(text)) for text in result.doubts])),
        trail=tuple([teller.moment(moment) for moment in result.trail]),
    )  # fmt: skip


_DERIVED = re.compile(r"@[0-9]|%|\b[A-Za-z_]\w*: [A-Z]\w*(?:\[.*?\])? ::")
"""In facts that the verifier derived: names of ours, and quantifiers of Viper."""


def _plainly(doubt: str) -> str:
    """What is in doubt and why; nobody wrote what the verifier derived, so that it has no text."""
    fact, _, why = doubt.rpartition(": ")
    return f"a fact that the verifier derived: {why}" if _DERIVED.search(fact) else doubt


Part = tuple[str, str]
"""A reference of the core, as an array or as an object of a class."""


def _part(ref: str, type_: str) -> Part:
    return ref, ARRAY if ARRAY in type_ else OBJECT


def _names(
    result: Counterexample, types: Mapping[str, str], fields: Mapping[str, str]
) -> dict[Part, str]:
    """For each object and each array its class and number."""
    classes: dict[Part, str] = {}
    for ref, kind in _kinds(result, types, fields):
        classes.setdefault(_part(ref, kind), kind)
    return {
        part: f"{kind.replace(ARRAY, 'Array')}{part[0].removeprefix('Ref')}"
        for part, kind in classes.items()
        if _OBJECT.fullmatch(part[0])
    }


def _kinds(
    result: Counterexample, types: Mapping[str, str], fields: Mapping[str, str]
) -> Iterator[Part]:
    """What is known about the types of references, the surest first."""
    locations = []
    for heap in result.heaps:
        locations += [*heap.locations, *[at for held in heap.instances for at in held.owns]]
    for at in locations:
        if is_qualified(at.field):
            yield at.object, _holder(at.field)
    for held in [held for heap in result.heaps for held in heap.instances]:
        if is_qualified(held.name) and held.args:
            yield held.args[0].text, held.name.partition(".")[0]
    for variable in result.variables:
        if variable.name in types:
            yield variable.value.text, types[variable.name]
    for at in locations:
        if at.field in fields:
            yield at.value.text, fields[at.field]
    rows = _rows(result, types, fields)
    for at in locations:
        if at.field == ELEMENTS and at.object in rows:
            for element in at.value.objects:
                yield element, rows[at.object]


def _rows(
    result: Counterexample, types: Mapping[str, str], fields: Mapping[str, str]
) -> dict[str, str]:
    """The types of the elements of arrays, as far as variables and fields tell them."""
    told = [(v.value.text, types[v.name]) for v in result.variables if v.name in types]
    told += [
        (at.value.text, fields[at.field])
        for heap in result.heaps
        for at in [*heap.locations, *[inner for held in heap.instances for inner in held.owns]]
        if at.field in fields
    ]
    return {ref: type_.removesuffix(ARRAY) for ref, type_ in told if type_.endswith(ARRAY)}


@record
class _Teller:
    """Knows names and types; a type that is told with a text is that of the objects in it."""

    names: Mapping[Part, str]
    types: Mapping[str, str]
    fields: Mapping[str, str]
    rows: Mapping[str, str]
    span: Span

    def told(self, text: str, type_: str | None = None) -> str:
        named = _OBJECT.sub(lambda m: self._name(m[0], type_), text)
        return value_text(named, self.span)

    def _name(self, ref: str, type_: str | None) -> str:
        sides = (OBJECT, ARRAY) if type_ is None else (_part(ref, type_)[1],)
        known = [self.names[ref, side] for side in sides if (ref, side) in self.names]
        return known[0] if known else f"object{ref.removeprefix('Ref')}"

    def parts(self, ref: str) -> list[str]:
        """The object and the array that a reference is; one of them, as a rule."""
        both = [self.names[ref, side] for side in (OBJECT, ARRAY) if (ref, side) in self.names]
        return both or [self.told(ref)]

    def meant(self, ref: str, focus: Focus) -> list[str]:
        """Those of them whose fields matter."""
        held = [self.told(ref, _holder(field)) for of, field in focus.locations if of == ref]
        return list(dict.fromkeys(held)) or self.parts(ref)[:1]

    def shown(self, value: Shown, type_: str | None) -> Shown:
        objects = tuple([self.told(name, type_) for name in value.objects])
        return replace(value, text=self.told(value.text, type_), objects=objects)

    def heap(self, heap: HeapState) -> HeapState:
        return replace(
            heap,
            locations=tuple([self._location(at) for at in heap.locations]),
            instances=tuple([self._instance(held) for held in heap.instances]),
        )

    def _location(self, at: Location) -> Location:
        type_ = self.rows.get(at.object) if at.field == ELEMENTS else self._type(at.field)
        value = self.shown(at.value, type_)
        holder = self.told(at.object, _holder(at.field))
        return replace(at, object=holder, field=_field(at.field), value=value)

    def _type(self, field: str) -> str | None:
        """The type of a field, or of the elements of an array, if the field tells it."""
        if field == ELEMENTS:
            return None
        return self.fields.get(field, _holder(field).removesuffix(ARRAY))

    def _instance(self, held: Instance) -> Instance:
        args = [self.shown(arg, OBJECT if n == 0 else None) for n, arg in enumerate(held.args)]
        return replace(
            held,
            args=tuple(args),
            owns=tuple([self._location(at) for at in held.owns]),
            inside=tuple([self.told(text) for text in held.inside]),
        )

    def moment(self, moment: Moment) -> Moment:
        values = [self._changed(name, text) for name, text in moment.values]
        return replace(moment, values=tuple(values))

    def _changed(self, name: str, text: str) -> tuple[str, str]:
        """A variable, or a field as its object has it: `c.x` for `c.Cell.x`; with its value."""
        holder, dot, field = name.partition(".")
        if not dot:
            return name, self.told(text, self.types.get(name))
        value = self.told(text, self._type(field))
        return f"{self.told(holder, _holder(field))}.{_field(field)}", value


def _holder(field: str) -> str:
    """The class or the type of arrays that has a field."""
    return field.rpartition(".")[0]


def _field(name: str) -> str:
    """A field as its object has it; that of arrays has one name, whatever their elements are."""
    return short_name(name)
