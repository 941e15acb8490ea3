"""Frozen slotted dataclasses that are made quickly.

Some four hundred classes stand between the command line and an answer. The standard decorator
compiles six functions for each, and loads `inspect`: a fifth of a second before the first line of
a program is read. Here a constructor is made when it is called first, and all methods share their
code with those of other classes. All that works on a dataclass works on a record (`replace`,
`fields`, `match`, pickling), and a type checker treats it as one. A class that extends a record is
a record, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, NoReturn, TypeAlias, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:  # a type checker knows the standard functions and checks their uses
    from dataclasses import field as field
    from dataclasses import replace as replace

T = TypeVar("T")

MISSING = object()
"""In place of a default where there is none."""


class Given:
    """What is known about a field: its defaults, and where it counts."""

    __slots__ = ("annotation", "compare", "default", "factory", "kw_only", "repr")

    def __init__(
        self,
        default: object = MISSING,
        factory: Callable[[], object] | None = None,
        *,
        compare: bool = True,
        repr: bool = True,
        kw_only: bool = False,
    ) -> None:
        self.annotation: object = None
        self.default = default
        self.factory = factory
        self.compare = compare
        self.repr = repr
        self.kw_only = kw_only

    @property
    def is_optional(self) -> bool:
        return self.default is not MISSING or self.factory is not None


if not TYPE_CHECKING:

    def field(*, default=MISSING, default_factory=None, **more):
        """As the standard function: `default`, `default_factory`, `compare`, `repr`, `kw_only`."""
        return Given(default, default_factory, **more)

    def replace(value, /, **changes):
        """The record with other values in some fields."""
        cls = value.__class__
        for name in cls.__record_fields__:
            if name not in changes:
                changes[name] = getattr(value, name)
        return cls(**changes)


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(
    *, kw_only: bool = False, eq: bool = True, weakref_slot: bool = False
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None,
    /,
    *,
    kw_only: bool = False,
    eq: bool = True,
    weakref_slot: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """As `dataclass(frozen=True, slots=True)`, without `__post_init__`."""

    def decorate(decorated: type[T]) -> type[T]:
        found = _fields_of(decorated, kw_only=kw_only)
        methods = {**_SHARED, "__setattr__": _refuse, "__delattr__": _refuse}
        if eq:
            methods |= _comparison(found)
        return _made(decorated, found, methods, ("__weakref__",) if weakref_slot else ())

    return decorate if cls is None else decorate(cls)


@overload
def struct(cls: type[T], /) -> type[T]: ...
@overload
def struct(*, eq: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(field_specifiers=(field,))
def struct(
    cls: type[T] | None = None, /, *, eq: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """As `dataclass(slots=True)`: what grows while something is done."""

    def decorate(decorated: type[T]) -> type[T]:
        found = _fields_of(decorated, kw_only=False)
        methods = dict(_SHARED)
        if eq:
            methods |= {**_comparison(found), "__hash__": None}
        return _made(decorated, found, methods, ())

    return decorate if cls is None else decorate(cls)


_Fields = Mapping[str, Given]
_Method = Callable[..., object] | None


# ---------------------------------------------------------------- making a class


def _fields_of(cls: type, *, kw_only: bool) -> _Fields:
    """Those of records that the class extends, then its own."""
    found: dict[str, Given] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= base.__dict__.get("__record_fields__", {})
    for name, annotation in _annotations(cls).items():
        if not _is_class_variable(annotation):
            given = _given(cls.__dict__.get(name, MISSING))
            given.annotation = annotation
            given.kw_only = given.kw_only or kw_only
            found[name] = given
    _require_order(cls, found)
    return found


def _annotations(cls: type) -> Mapping[str, object]:
    """Of the class itself. The standard function for this would load `inspect`."""
    found: Mapping[str, object] = cls.__dict__.get("__annotations__", {})  # noqa: RUF063
    return found


def _is_class_variable(annotation: object) -> bool:
    return str(annotation).removeprefix("typing.").startswith("ClassVar")


def _given(value: object) -> Given:
    """From the right-hand side of a field; what the standard `field` gives will do, too."""
    if isinstance(value, Given):
        return value
    if "dataclasses" in sys.modules:
        from pitviper.base.standard_fields import from_standard

        return from_standard(value) or Given(value)
    return Given(value)


def _require_order(cls: type, found: _Fields) -> None:
    optional = [given.is_optional for given in found.values() if not given.kw_only]
    if optional != sorted(optional):
        raise TypeError(f"{cls.__qualname__}: a field without default follows one with default")


def _made(
    cls: type[T], found: _Fields, methods: dict[str, _Method], more_slots: tuple[str, ...]
) -> type[T]:
    """The class anew, with slots for its own fields: only a new class can have them."""
    body = {name: value for name, value in cls.__dict__.items() if name not in _OF_THE_OLD}
    own = [name for name in _annotations(cls) if name in found]
    for name in own:
        body.pop(name, None)
    taken = {slot for base in cls.__mro__[1:] for slot in base.__dict__.get("__slots__", ())}
    body["__slots__"] = (*[name for name in own if name not in taken], *more_slots)
    body["__doc__"] = cls.__doc__ or cls.__name__
    body["__record_fields__"] = found
    body["__dataclass_fields__"] = _STANDARD_FIELDS
    body.setdefault("__match_args__", tuple([n for n, given in found.items() if not given.kw_only]))
    for name, method in methods.items():
        body.setdefault(name, method)
    metaclass: Callable[..., type[T]] = type(cls)
    made = metaclass(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    if "__init__" not in body:
        _set_constructor(made, found)
    return made


_OF_THE_OLD = ("__dict__", "__weakref__")
"""Of the class that is replaced by one with slots."""


# ---------------------------------------------------------------- construction


def _set_constructor(made: type, found: _Fields) -> None:
    """Most classes are never instantiated in a run: the first call makes the constructor."""

    def first(self: object, *arguments: object, **named: object) -> None:
        init = _init(made, found)
        type.__setattr__(made, "__init__", init)
        init(self, *arguments, **named)

    type.__setattr__(made, "__init__", first)


def _init(made: type, found: _Fields) -> Callable[..., None]:
    by_place = {name: given for name, given in found.items() if not given.kw_only}
    by_name = {name: given for name, given in found.items() if given.kw_only}
    names = (*by_place, *by_name)
    code = _code(len(by_place), len(by_name)).replace(
        co_varnames=("self", *names), co_qualname=f"{made.__qualname__}.__init__"
    )
    setters: dict[str, object] = {
        f"_set_{at}": _setter(made, name, found[name]) for at, name in enumerate(names)
    }
    defaults = [given.default for given in by_place.values() if given.is_optional]
    init = FunctionType(code, setters, "__init__", tuple(defaults))
    init.__kwdefaults__ = {name: g.default for name, g in by_name.items() if g.is_optional}
    return init


@cache
def _code(by_place: int, by_name: int) -> CodeType:
    """Of a constructor with so many parameters: compiled once for all classes that need it."""
    names = [f"value_{at}" for at in range(by_place + by_name)]
    star = ["*", *names[by_place:]] if by_name else []
    body = "; ".join(f"_set_{at}(self, {name})" for at, name in enumerate(names)) or "pass"
    scope: dict[str, FunctionType] = {}
    exec(f"def __init__({', '.join(['self', *names[:by_place], *star])}): {body}", scope)
    return scope["__init__"].__code__


def _setter(made: type, name: str, given: Given) -> Callable[[object, object], None]:
    """What stores the value of a field; for a factory, MISSING stands for what it makes."""
    store: Callable[[object, object], None] = getattr(made, name).__set__
    factory = given.factory
    if factory is None:
        return store
    return lambda record, value: store(record, factory() if value is MISSING else value)


# ---------------------------------------------------------------- shared methods


def _comparison(found: _Fields) -> dict[str, _Method]:
    """Equality and hash of the compared fields."""
    names = [name for name, given in found.items() if given.compare]
    key: Callable[[object], object] = attrgetter(*names) if names else (lambda record: ())

    def equal(self: object, other: object) -> object:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return key(self) == key(other)

    def hashed(self: object) -> int:
        return hash(key(self))

    return {"__eq__": equal, "__hash__": hashed}


def names_of(record: object) -> tuple[str, ...]:
    """The names of the fields of a record, or of a class of records; TypeError for others."""
    return tuple(_known(record))


def is_record(value: object) -> bool:
    """Says whether a value, no class, has the fields of a record."""
    return not isinstance(value, type) and hasattr(value, "__record_fields__")


def annotations_of(record: object) -> dict[str, object]:
    """The declared type of each field, as text where annotations are."""
    return {name: given.annotation for name, given in _known(record).items()}


def _known(record: object) -> _Fields:
    found: _Fields | None = getattr(record, "__record_fields__", None)
    if found is None:
        raise TypeError(f"{record!r} is no record")
    return found


def _repr(self: object) -> str:
    known = _known(self).items()
    shown = [f"{name}={getattr(self, name)!r}" for name, given in known if given.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, *value: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot change field {name!r}")


def _get_state(self: object) -> list[object]:
    return [getattr(self, name) for name in _known(self)]


def _set_state(self: object, state: list[object]) -> None:
    for store, value in zip(_stores(type(self)), state, strict=True):
        store(self, value)


_Store: TypeAlias = Callable[[object, object], None]
_known_stores: dict[type, tuple[_Store, ...]] = {}


def _stores(kind: type) -> tuple[_Store, ...]:
    """What stores the values of the fields, in order: thousands of records cross processes."""
    found = _known_stores.get(kind)
    if found is None:
        found = tuple([getattr(kind, name).__set__ for name in names_of(kind)])
        _known_stores[kind] = found
    return found


_SHARED: dict[str, _Method] = {
    "__repr__": _repr,
    "__getstate__": _get_state,
    "__setstate__": _set_state,
}


# ---------------------------------------------------------------- for the standard functions


class _StandardFields:
    """`__dataclass_fields__` of records, made for the first who asks."""

    def __get__(self, instance: object, owner: type) -> Mapping[str, object]:
        from pitviper.base.standard_fields import to_standard

        fields = to_standard(owner.__name__, _known(owner))
        type.__setattr__(owner, "__dataclass_fields__", fields)
        return fields


_STANDARD_FIELDS = _StandardFields()
