"""Results as plain JSON values, and back.

Only classes of results can be stored: a value that holds anything else is not, and whoever wanted
to remember it goes without. Reading runs no code, whoever wrote what is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import TypeAlias

from pitviper.base.record import names_of
from pitviper.results.finding import Condition, Event, Finding
from pitviper.results.ghost import GhostStep, Position
from pitviper.results.report import FileReport, Problem
from pitviper.results.verdict import Crash, MemberAnswer, MemberOutcome, Undecided, Verdict
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.edit import Cure, Edit
from pitviper.source.span import Span

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class NotStorable(Exception):
    """A value that has no stored form here."""


class Unreadable(Exception):
    """Stored data that is not what we write."""


WriteSpan: TypeAlias = Callable[[Span], Json]
ReadSpan: TypeAlias = Callable[[Json], Span]

_RECORDS = {
    cls.__name__: cls
    for cls in (
        Condition, Crash, Cure, Diagnostic, Edit, Event, FileReport, Finding, GhostStep,
        MemberAnswer, MemberOutcome, Problem, Related, Undecided,
    )
}  # fmt: skip
_ENUMS: dict[str, type[Enum]] = {cls.__name__: cls for cls in (Position, Severity, Verdict)}


def to_json(value: object, write: WriteSpan) -> Json:
    """NotStorable for what is no result, and from `write`."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Span():
            return {"at": write(value)}
        case tuple():
            return [to_json(item, write) for item in value]
        case Enum() if _ENUMS.get(type(value).__name__) is type(value):
            return {"of": type(value).__name__, "name": value.name}
        case Path():
            return {"path": str(value)}
        case Mapping():
            return {"map": [[str(k), to_json(v, write)] for k, v in value.items()]}
    cls = type(value)
    if _RECORDS.get(cls.__name__) is cls:
        kept = [n for n in names_of(value) if not (cls is GhostStep and n == "node")]
        inner = {name: to_json(getattr(value, name), write) for name in kept}
        return {"a": cls.__name__, **inner}
    raise NotStorable(cls.__name__)


def from_json(data: Json, read: ReadSpan) -> object:
    """Unreadable for other data, and from `read`."""
    match data:
        case None | bool() | int() | float() | str():
            return data
        case list():
            return tuple([from_json(item, read) for item in data])
        case {"at": place}:
            return read(place)
        case {"of": str(kind), "name": str(name)} if kind in _ENUMS:
            return _enum(_ENUMS[kind], name)
        case {"path": str(path)}:
            return Path(path)
        case {"map": list(pairs)}:
            return _mapping(pairs, read)
        case {"a": str(kind)} if kind in _RECORDS:
            values = {name: value for name, value in data.items() if name != "a"}
            return _record(_RECORDS[kind], values, read)
    raise Unreadable("no stored value")


def _enum(cls: type[Enum], name: str) -> Enum:
    try:
        return cls[name]
    except KeyError as error:
        raise Unreadable(f"no {cls.__name__}: {name}") from error


def _mapping(pairs: list[Json], read: ReadSpan) -> dict[str, object]:
    found: dict[str, object] = {}
    for pair in pairs:
        match pair:
            case [str(key), value]:
                found[key] = from_json(value, read)
            case _:
                raise Unreadable("no pair")
    return found


def _record(cls: type[object], values: dict[str, Json], read: ReadSpan) -> object:
    try:
        return cls(**{name: from_json(value, read) for name, value in values.items()})
    except TypeError as error:
        raise Unreadable(str(error)) from error
