"""Small values of a data type: those that need no others first, then what is made of these."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, product

from pitviper.explain.advice.runs.run import Made, Value
from pitviper.program.member import Program
from pitviper.program.types import BOOL, INT, AdtType, Type, TypeVar

_ROUNDS = 3
"""How deep values are: a list of two elements, a tree with children."""

_MOST = 24
"""Values of a round."""


def small_values(kind: AdtType, program: Program) -> tuple[Made, ...]:
    """Values of a data type, small ones first; none where a part is of a type without values."""
    found: tuple[Made, ...] = ()
    for _ in range(_ROUNDS):
        found = _next_round(kind, program, {kind: found})
    return found


def _next_round(
    kind: AdtType, program: Program, known: Mapping[Type, tuple[Made, ...]]
) -> tuple[Made, ...]:
    """What constructors make of known values, behind these."""
    adt = program.adts.get(kind.name)
    if adt is None:
        return ()
    types: dict[str, Type] = dict(zip(adt.type_params, kind.args, strict=True))
    made = list(known.get(kind, ()))
    for constructor in adt.constructors:
        choices = [
            _choices(_inside(param.type, types), program, known) for param in constructor.params
        ]
        values = islice(product(*choices), _MOST)
        made += [Made(constructor.name, tuple(args)) for args in values]
    return tuple(dict.fromkeys(made))[:_MOST]


def _choices(
    kind: Type, program: Program, known: Mapping[Type, tuple[Made, ...]]
) -> tuple[Value, ...]:
    if kind in known:
        return known[kind]
    if kind == INT:
        return (0, 1)
    if kind == BOOL:
        return (False, True)
    if isinstance(kind, AdtType):  # of another data type those that need nothing else
        return _next_round(kind, program, {**known, kind: ()})
    return ()


def _inside(kind: Type, types: Mapping[str, Type]) -> Type:
    """A type of a part of a data type, with types for its parameters."""
    match kind:
        case TypeVar(name):
            return types.get(name, kind)
        case AdtType(name, args):
            return AdtType(name, tuple([_inside(arg, types) for arg in args]))
        case _:
            return kind
