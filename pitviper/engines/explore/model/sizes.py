"""How many values a type has: a set has no more elements, and a map no more keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import mul

from pitviper.engines.explore.model import types as mt
from pitviper.engines.explore.model.program import Constructor

Data = Mapping[mt.Type, tuple[Constructor, ...]]
"""The constructors of data types."""

MOST = 4096
"""Sets and maps over types with more values than this are as good as without bound."""


def number_of_values(
    kind: mt.Type, data: Data, within: frozenset[mt.Type] = frozenset()
) -> int | None:
    """None if there is no end of them, or if nothing is known about their number."""
    if kind == mt.BOOLEAN:
        return 2
    if kind == mt.NULL:
        return 1
    if kind in data:
        return None if kind in within else _of_data(data[kind], data, within | {kind})
    if isinstance(kind, mt.Generic):
        return _of_collection(kind, data, within)
    return None


def _of_data(
    constructors: tuple[Constructor, ...], data: Data, within: frozenset[mt.Type]
) -> int | None:
    """Of a type that contains itself there is no end."""
    total = 0
    for constructor in constructors:
        numbers = [number_of_values(kind, data, within) for kind in constructor.args]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers):
            return None
        total += reduce(mul, known, 1)
    return total


def _of_collection(kind: mt.Generic, data: Data, within: frozenset[mt.Type]) -> int | None:
    """Each value is in a set or not; each key has one of the values, or is none."""
    if kind.definition not in (mt.SET, mt.MAP):
        return None
    keys = number_of_values(kind.args[0], data, within)
    values = 1 if kind.definition == mt.SET else number_of_values(kind.args[1], data, within)
    if keys is None or values is None or keys > MOST:
        return None
    return int((values + 1) ** keys)
