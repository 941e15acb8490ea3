"""Terms of the program model: values and how they are made, without side effects."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.engines.explore.model.types import Type

HIDDEN = "%"
"""What names of variables begin with that a source does not have."""

Constant: TypeAlias = int | bool | Fraction | str | None


@record
class Literal:
    """A number, a truth value, a text for operations, or None for null."""

    value: Constant
    type: Type


@record
class Local:
    """A variable of the method around it."""

    name: str
    type: Type


@record
class Operation:
    """An operator on other terms; `tag` is what it knows beside them, such as a field's name."""

    operator: str
    args: tuple[Term, ...]
    type: Type
    tag: str = ""


@record
class Fresh:
    """A value that nothing is known about: the solver chooses it. `hint` says what it is for."""

    type: Type
    hint: str


Term: TypeAlias = Literal | Local | Operation | Fresh
