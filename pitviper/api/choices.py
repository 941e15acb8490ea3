"""Options that a script gives: what none of them can mean is told at once, with what is right."""

from __future__ import annotations

import types
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pitviper.base.record import names_of
from pitviper.base.similar import nearest
from pitviper.base.usage_error import UsageError
from pitviper.driver.verify.options import BACKENDS

T = TypeVar("T")

CHOICES: dict[str, tuple[str, ...]] = {"backend": BACKENDS}

FROM_ONE_ON = ("errors", "limit", "objects", "instances", "at", "memory", "infer_depth")
"""Numbers that count something: none of them is not asked for by 0, but by None."""


def require_options(options: T | None, default: T) -> T:
    """The options that were given, or the default; UsageError where a value means nothing."""
    if options is None:
        return default
    kind = type(default)
    if not isinstance(options, kind):
        raise UsageError(f"options are a {kind.__name__}, not {_shown(options)}")
    for name, wanted in get_type_hints(kind).items():
        if name in names_of(options):
            _require(f"{kind.__name__}({name}=...)", name, getattr(options, name), wanted)
    return options


def _require(option: str, name: str, value: object, wanted: Any) -> None:
    if not _fits(value, wanted):
        raise UsageError(f"{option} takes {_told(wanted)}, not {_shown(value)}")
    known = CHOICES.get(name)
    if known is not None and value not in known:
        close = nearest(str(value), known)
        hint = f": did you mean {close!r}?" if close else ""
        raise UsageError(f"{option} is one of {', '.join(map(repr, known))}, not {value!r}{hint}")
    if name in FROM_ONE_ON and isinstance(value, int) and value < 1:
        raise UsageError(f"{option} is a number from 1 on, not {value}")
    if name == "timeout" and isinstance(value, int | float) and not value > 0:
        raise UsageError(f"{option} is a number of seconds above 0, not {value}")


def _fits(value: object, wanted: Any) -> bool:
    if wanted is Any:
        return True
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(each, inner[0]) for each in value)
    if wanted is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if wanted is int and isinstance(value, bool):
        return False
    return isinstance(value, origin or wanted)


def _told(wanted: Any) -> str:
    """`int or None`, `tuple of str`: a type in words."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return " or ".join([_told(one) for one in inner])
    if origin is tuple:
        return f"a tuple of {_told(inner[0])}"
    return "None" if wanted is type(None) else getattr(wanted, "__name__", str(wanted))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"a {type(value).__name__}"
