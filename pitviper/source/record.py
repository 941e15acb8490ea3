"""Frozen slotted dataclasses that are made quickly.

The trees have some two hundred classes, and the standard decorator compiles six functions for
each: a tenth of a second before the first line of a program is read. Here only `__init__` is
compiled; the other methods share their code. All that works on a dataclass works on a record
(`replace`, `fields`, `match`, pickling), and a type checker treats it as one. A class that
extends a record is a record, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")
_Fields = tuple["Field[object]", ...]


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None, /, *, kw_only: bool = False
) -> type[T] | Callable[[type[T]], type[T]]:
    """As `dataclass(frozen=True, slots=True)`, without `__post_init__` and default factories."""
    if cls is not None:
        return _record(cls, kw_only=kw_only)
    return lambda decorated: _record(decorated, kw_only=kw_only)


def _record(cls: type[T], *, kw_only: bool) -> type[T]:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else the decorator computes a signature for it
    made = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    found = _fields_of(made)
    methods: dict[str, Callable[..., object]] = {
        "__init__": _init(found, made.__qualname__),
        **_comparison([f.name for f in found if f.compare]),
        "__repr__": _repr,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__getstate__": _get_state,
        "__setstate__": _set_state,
    }
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(made, name, method)
    return made


def _fields_of(made: object) -> _Fields:
    return fields(made)  # type: ignore[arg-type]  # it is a dataclass, which no type says here


def _init(found: _Fields, name: str) -> Callable[..., None]:
    """The constructor, compiled from its text as the standard decorator does it."""
    if any(f.default_factory is not MISSING for f in found):
        raise TypeError(f"{name}: a record has no default factories")
    by_place = [_parameter(f) for f in found if not f.kw_only]
    by_name = [_parameter(f) for f in found if f.kw_only]
    star = ["*", *by_name] if by_name else []
    body = "; ".join(f"_set(self, {f.name!r}, {f.name})" for f in found) or "pass"
    text = f"def __init__({', '.join(['self', *by_place, *star])}): {body}"
    scope: dict[str, object] = {f"_default_{f.name}": f.default for f in found}
    scope["_set"] = object.__setattr__
    exec(text, scope)
    made = scope["__init__"]
    assert callable(made)
    return made


def _parameter(f: Field[object]) -> str:
    return f.name if f.default is MISSING else f"{f.name}=_default_{f.name}"


def _comparison(names: list[str]) -> dict[str, Callable[..., object]]:
    """Equality and hash of the compared fields."""
    key: Callable[[object], object] = attrgetter(*names) if names else (lambda record: ())

    def equal(self: object, other: object) -> object:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return key(self) == key(other)

    def hashed(self: object) -> int:
        return hash(key(self))

    return {"__eq__": equal, "__hash__": hashed}


def _repr(self: object) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in _fields_of(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def _refuse(self: object, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _get_state(self: object) -> list[object]:
    return [getattr(self, f.name) for f in _fields_of(self)]


def _set_state(self: object, state: list[object]) -> None:
    for f, value in zip(_fields_of(self), state, strict=True):
        object.__setattr__(self, f.name, value)
