"""Adds the constraints of the user to a program: a method that inhales them, for every method."""

from __future__ import annotations

import re
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.checking.options import CheckOptions
from pitviper.counterexample.where import Constraints
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.program.member import Method
from pitviper.program.stmt import Declare
from pitviper.program.types import Type
from pitviper.program.walk import descendants
from pitviper.source.diagnostic import Diagnostic

_OWN = "pitviper_where_"
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$']*")


def constrained_program(
    path: Path, where: tuple[str, ...], options: CheckOptions, library: tuple[Path, ...]
) -> tuple[FrontEnd, Constraints]:
    """Returns the program with the added methods; UsageError if the constraints fit no member."""
    front = load(path, options, library)
    if not where or front.program is None:
        return front, Constraints(where)
    text, added, complaint = front.source.text, dict[str, str](), ""
    for method in front.program.methods.values():
        name = f"{_OWN}{method.name}"
        more = f"{text}\n{_method_text(name, method, where)}"
        tried = load_text(more, str(path), options, library)
        if tried.program is not None:
            text, front = more, tried
            added[method.name] = name
        else:
            complaint = complaint or _complaint(tried.errors, len(text))
    if not added:
        raise UsageError(complaint or "there is no method whose states could be constrained")
    return front, Constraints(where, added)


def _method_text(name: str, method: Method, where: tuple[str, ...]) -> str:
    """Returns one line for each constraint: macros and imports stay as they are."""
    params = ", ".join([f"{n}: {t}" for n, t in _variables(method).items() if _NAME.fullmatch(n)])
    lines = "\n".join([f"  inhale {' '.join(text.split())}" for text in where])
    return f"method {name}({params})\n{{\n{lines}\n}}"


def _variables(method: Method) -> dict[str, Type]:
    found = {v.name: v.type for v in (*method.params, *method.returns)}
    if method.body is not None:
        declared = [n.variable for n in descendants(method.body) if isinstance(n, Declare)]
        found.update({v.name: v.type for v in declared})
    return found


def _complaint(errors: tuple[Diagnostic, ...], length: int) -> str:
    for error in errors:
        if error.span is not None and error.span.start >= length:
            return f"in the constraint, at `{error.span.text}`: {error.message}"
    return f"in the constraint: {errors[0].message}" if errors else ""
