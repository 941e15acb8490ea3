"""Methods of the program model, and the model as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitviper.engines.explore.model.instruction import Instruction
from pitviper.engines.explore.model.term import Local
from pitviper.engines.explore.model.types import FLAT, Hierarchy, Type


@dataclass(frozen=True, slots=True)
class Method:
    """`member` is the declaration of the source program that it comes from."""

    name: str
    member: str
    params: tuple[Local, ...]
    results: tuple[Local, ...]
    instructions: tuple[Instruction, ...]

    def locals(self) -> dict[str, Type]:
        """All variables with their types, in the order in which they occur."""
        from pitviper.engines.explore.model.walk import locals_of

        found = {v.name: v.type for v in (*self.params, *self.results)}
        for instruction in self.instructions:
            for variable in locals_of(instruction):
                found.setdefault(variable.name, variable.type)
        return found


@dataclass(frozen=True, slots=True)
class Constructor:
    """One shape of an algebraic data type."""

    name: str
    args: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """A function whose values the solver chooses. `known` says that axioms speak about it.

    If these are not `sayable` to the solver, the function has no value that could be trusted.
    """

    name: str
    args: tuple[Type, ...]
    result: Type
    known: bool = False
    domain: str = ""
    sayable: bool = True


@dataclass(frozen=True, slots=True)
class Model:
    """`tables` are the functions that the solver chooses, `data` the shapes of data types."""

    methods: Mapping[str, Method]
    fields: Mapping[str, Type] = field(default_factory=dict)
    data: Mapping[Type, tuple[Constructor, ...]] = field(default_factory=dict)
    tables: Mapping[str, Signature] = field(default_factory=dict)
    hierarchy: Hierarchy = FLAT
