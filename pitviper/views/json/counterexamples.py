"""Counterexamples as JSON, and the schema that they follow."""

from __future__ import annotations

from pitviper.results.counterexample import (
    Absence,
    Counterexample,
    HeapState,
    NoCounterexample,
    Result,
    Standing,
)
from pitviper.source.span import Span
from pitviper.views.json.lines import Json, JsonObject, parts_of


def result_object(result: Result) -> JsonObject:
    if isinstance(result, NoCounterexample):
        return _none(result)
    return _instance(result)


def _instance(result: Counterexample) -> JsonObject:
    return {
        "kind": "counterexample",
        **parts_of(result, "member", "finding"),
        "place": _place(result.span),
        **parts_of(result, "caption", "standing", "number", "objects", "variables"),
        "heaps": [_heap(heap) for heap in result.heaps],
        **parts_of(result, "functions"),
        "focus": parts_of(result.focus, "objects", "locations", "variables"),
        **parts_of(result, "confirmed", "doubts"),
    }


def _none(result: NoCounterexample) -> JsonObject:
    return {
        "kind": "no counterexample",
        **parts_of(result, "member", "finding"),
        "place": _place(result.span),
        **parts_of(result, "absence", "message", "objects"),
        "because": [
            {"text": r.text, "place": None if r.span is None else _place(r.span)}
            for r in result.because
        ],
        "advice": [*result.advice],
    }


def _heap(heap: HeapState) -> JsonObject:
    held = [parts_of(i, "kind", "name", "args", "amount", "owns") for i in heap.instances]
    return {**parts_of(heap, "label", "locations"), "instances": [*held]}


def _place(span: Span) -> JsonObject:
    line, column = span.start_position
    return {"file": str(span.file.path), "line": line, "column": column}


# ---------------------------------------------------------------- schema


def _record(**properties: Json) -> JsonObject:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [*properties],
        "additionalProperties": False,
    }


def _list_of(items: Json) -> JsonObject:
    return {"type": "array", "items": items}


_TEXT: JsonObject = {"type": "string"}
_TEXTS = _list_of(_TEXT)
_MAYBE_TEXT: JsonObject = {"type": ["string", "null"]}
_NUMBER: JsonObject = {"type": "integer"}
_PLACE = _record(file=_TEXT, line=_NUMBER, column=_NUMBER)
_VALUE = _record(text=_TEXT, objects=_TEXTS, pinned={"type": "boolean"})
_LOCATION = _record(object=_TEXT, field=_TEXT, amount=_TEXT, value=_VALUE)
_HELD = _record(
    kind={"enum": ["predicate", "magic wand"]},
    name=_TEXT,
    args=_list_of(_VALUE),
    amount=_TEXT,
    owns=_list_of(_LOCATION),
)

SCHEMA: JsonObject = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "What pitviper counterexample --format json writes, one object a line",
    "oneOf": [
        _record(
            kind={"const": "counterexample"},
            member=_TEXT,
            finding=_MAYBE_TEXT,
            place=_PLACE,
            caption=_TEXT,
            standing={"enum": [s.value for s in Standing]},
            number=_NUMBER,
            objects=_TEXTS,
            variables=_list_of(_record(name=_TEXT, type=_TEXT, value=_VALUE)),
            heaps=_list_of(
                _record(label=_TEXT, locations=_list_of(_LOCATION), instances=_list_of(_HELD))
            ),
            functions=_list_of(_record(text=_TEXT, value=_VALUE)),
            focus=_record(objects=_TEXTS, locations=_list_of(_TEXTS), variables=_TEXTS),
            confirmed=_TEXTS,
            doubts=_TEXTS,
        ),
        _record(
            kind={"const": "no counterexample"},
            member=_TEXT,
            finding=_MAYBE_TEXT,
            place=_PLACE,
            absence={"enum": [a.value for a in Absence]},
            message=_TEXT,
            objects=_NUMBER,
            because=_list_of(_record(text=_TEXT, place={"anyOf": [_PLACE, {"type": "null"}]})),
            advice=_TEXTS,
        ),
    ],
}
