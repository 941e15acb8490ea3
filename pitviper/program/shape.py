"""Whether a typed program is made of what its classes declare: the first half of validation.

Python does not look at the types of fields, so a front end that is not type-checked can put a
number where an expression belongs, or a list in place of a tuple. What the classes of this folder
declare is compared with what is there; the rules of types (`validate.py`) may then rely on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from pitviper.base.record import annotations_of
from pitviper.program import assertion, expr, member, node, stmt, types
from pitviper.program.node import Node
from pitviper.source.span import Span

_WORDS: dict[str, Any] = {"Mapping": Mapping, "Span": Span}
for _module in (types, node, expr, assertion, stmt, member):
    _WORDS.update(vars(_module))


@cache
def _declared(cls: type) -> tuple[tuple[str, Any], ...]:
    """The fields of a class, with the types they are declared with."""
    found = annotations_of(cls).items()
    return tuple([(name, eval(str(words), _WORDS)) for name, words in found])


def malformed(root: object, declared: object) -> Iterator[tuple[Span | None, str]]:
    """What does not fit the declared type, each with the nearest place."""
    yield from _unfit(root, declared, None, "the program")


def _unfit(
    value: object, declared: Any, at: Span | None, where: str
) -> Iterator[tuple[Span | None, str]]:
    origin, args = get_origin(declared), get_args(declared)
    if origin is tuple:
        yield from _unfit_tuple(value, args, at, where)
    elif origin is Mapping:
        yield from _unfit_table(value, args, at, where)
    elif not _is_one_of(value, declared):
        yield at, f"{where} has to be {_words(declared)}, but is {_kind(value)}"
    elif isinstance(value, Span):
        return
    elif isinstance(value, Node):
        yield from _unfit_fields(value, value.span)
    elif hasattr(value, "__record_fields__"):
        yield from _unfit_fields(value, at)
    elif isinstance(value, tuple):
        (inside,) = [a for a in args if get_origin(a) is tuple]
        yield from _unfit_tuple(value, get_args(inside), at, where)


def _unfit_fields(value: object, at: Span | None) -> Iterator[tuple[Span | None, str]]:
    cls: type = type(value)
    for name, declared in _declared(cls):
        where = f"`{name}` of {_kind(value)}"
        yield from _unfit(getattr(value, name), declared, at, where)


def _unfit_tuple(
    value: object, args: tuple[Any, ...], at: Span | None, where: str
) -> Iterator[tuple[Span | None, str]]:
    if not isinstance(value, tuple):
        yield at, f"{where} has to be a tuple, but is {_kind(value)}"
        return
    wanted = (args[0],) * len(value) if args[-1] is Ellipsis else args
    if len(wanted) != len(value):
        yield at, f"{where} has to be a tuple of {len(wanted)}, but is one of {len(value)}"
        return
    for item, declared in zip(value, wanted, strict=True):
        yield from _unfit(item, declared, at, f"an element in {where}")


def _unfit_table(
    value: object, args: tuple[Any, ...], at: Span | None, where: str
) -> Iterator[tuple[Span | None, str]]:
    if not isinstance(value, Mapping):
        yield at, f"{where} has to be a dictionary, but is {_kind(value)}"
        return
    for key, item in value.items():
        yield from _unfit(key, args[0], at, f"a name in {where}")
        yield from _unfit(item, args[1], at, f"`{key}` in {where}")


def _is_one_of(value: object, declared: Any) -> bool:
    """By the class alone; `bool` is no `int` here."""
    if get_origin(declared) in (Union, UnionType):
        return any(_is_one_of(value, each) for each in get_args(declared))
    cls = get_origin(declared) or declared
    return type(value) is cls or (cls not in (int, bool, str) and isinstance(value, cls))


def _words(declared: Any) -> str:
    """The name of a declared type, `Expr` rather than its fifty classes."""
    for name in ("Expr", "Assertion", "Stmt", "Type", "Location", "Decreases"):
        if declared == _WORDS[name]:
            return f"of the family {name}"
    if get_origin(declared) in (Union, UnionType):
        return " or ".join(_words(each) for each in get_args(declared))
    return "None" if declared is NoneType else f"a {getattr(declared, '__name__', declared)}"


def _kind(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
