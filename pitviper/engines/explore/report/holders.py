"""Inputs that are arrays, in a language whose types keep arrays and objects apart.

In the core both are references, and one reference may stand for both: `object1` as an object of a
class, `array1` as an array. An input stays one if such a reference becomes two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pitviper.engines.explore.runtime.value import Lazy, Slot, Value
from pitviper.engines.shared.values import Ref

_ELEMENTS = re.compile(r"^object(\d+)(?=\.(?:\w+\[\]\.elems|length)\b)")
_OBJECT = re.compile(r"\bobject(?=\d)")
_ROWS = "object[].elems"


class Holders:
    """Knows which inputs hold arrays; `types` are those of parameters and fields, by name."""

    def __init__(self, inputs: Mapping[str, Value], types: Mapping[str, str]) -> None:
        self._types = dict(types)
        for name, value in inputs.items():
            type_ = self._types.get(self._typed(name))
            held = _decided(value)
            if type_ is not None and type_.endswith("[][]") and isinstance(held, Ref):
                self._types[f"object{held.number}.{_ROWS}"] = type_.removesuffix("[]")

    def _typed(self, name: str) -> str:
        """The name that has a type: that of a parameter, or of the field of an object."""
        if name in self._types:
            return name
        holder, dot, field = name.partition(".")
        return field if dot and holder.startswith("object") else name

    def name(self, name: str) -> str:
        """The name of an input; an array has other parts than an object."""
        return _ELEMENTS.sub(r"array\1", name) if self._types else name

    def text(self, name: str, text: str) -> str:
        """The value of an input as text, if it is one or consists of arrays."""
        return _OBJECT.sub("array", text) if self._typed(name) in self._types else text


def _decided(value: Value) -> Value:
    while isinstance(value, Lazy | Slot) and value.decided is not None:
        value = value.decided
    return value
