"""What is known of the state in which a run begins, as conditions in Viper: they pin it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from pitviper.engines.explore.model.types import BOOLEAN, INT
from pitviper.engines.explore.report.watch import State
from pitviper.engines.explore.runtime.heap import Heap, Instance
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import (
    BagValue,
    Data,
    Lazy,
    MapValue,
    Ref,
    SetValue,
    Sym,
    Value,
    plain,
)
from pitviper.engines.explore.viper.calls import OLD
from pitviper.program import types as pt
from pitviper.program.member import Method, Program

_SAYABLE = (pt.IntType, pt.BoolType, pt.PermType)
"""Types whose values can be written down; those of domains are numbers of ours."""


class Unknown(Exception):
    """A value that the run has not looked at, or that no expression stands for."""


class Pins:
    """Conditions on variables, functions and the heap; and the objects that they are about."""

    def __init__(self, program: Program, name: Callable[[int], str]) -> None:
        self._program = program
        self._name = name
        self._objects: dict[int, str] = {}
        self._values: list[str] = []
        self._heap: list[str] = []

    @property
    def objects(self) -> list[str]:
        return [self._objects[number] for number in sorted(self._objects)]

    def clauses(self) -> list[str]:
        """One condition after the other; each is defined where those before it hold."""
        different = [f"{name} != null" for name in self.objects]
        different += [f"{a} != {b}" for a, b in combinations(self.objects, 2)]
        distinct = [" && ".join(different)] if different else []
        return [*distinct, *self._values, *self._heap]

    def add_start(self, method: Method, state: State) -> None:
        for param in method.params:
            value = state.get(param.name)
            if value is not None and not isinstance(value, Heap):
                self._values += self._equal(param.name, value, param.type)
        heap = state.get(OLD.name)
        if isinstance(heap, Heap):
            self._heap += self._inside(heap)

    def add_tables(self, run: Run) -> None:
        """Functions of numbers and truth values whose value the run has asked for."""
        for (name, args), result in run.tables.items():
            signature = run.model.tables.get(name)
            if signature is None or "[" in name:
                continue
            if all(kind in (INT, BOOLEAN) for kind in (*signature.args, signature.result)):
                given = ", ".join(map(_scalar, args))
                function = name.removeprefix("function ")
                self._values.append(f"{function}({given}) == {_scalar(result)}")

    # ------------------------------------------------------------ the heap

    def _inside(self, heap: Heap) -> list[str]:
        """Fields first; then what predicate instances contain, as far as the run has looked."""
        found = []
        for (number, field), cell in sorted(heap.cells.items()):
            if number > 0:
                kind = self._program.fields[field].type
                found += self._equal(f"{self._object(number)}.{field}", cell.value, kind)
        for predicate in sorted(heap.instances):
            for instance in heap.instances[predicate]:
                found += self._opened(predicate, instance)
        return found

    def _opened(self, predicate: str, instance: Instance) -> list[str]:
        params = self._program.predicates[predicate].params
        if instance.contents.heap is None:
            return []
        inner = self._inside(instance.contents.heap)
        try:
            pairs = zip(instance.args, params, strict=True)
            args = ", ".join([self._text(value, param.type) for value, param in pairs])
        except Unknown:
            return []
        amount = Fraction(plain(instance.amount))
        held = f"{predicate}({args})"
        if amount < 1:
            held = f"acc({held}, {amount.numerator}/{amount.denominator})"
        return [f"(unfolding {held} in {' && '.join(inner)})"] if inner else []

    # ------------------------------------------------------------ values

    def _equal(self, name: str, value: Value, kind: pt.Type) -> list[str]:
        """That something has a value; of a sequence, what is known of it."""
        try:
            return [f"{name} == {self._text(value, kind)}"]
        except Unknown:
            found = _decided(value)
            if not isinstance(found, tuple) or not isinstance(kind, pt.SeqType):
                return []
            parts = [f"|{name}| == {len(found)}"]
            for position, element in enumerate(found):
                parts += self._equal(f"{name}[{position}]", element, kind.element)
            return parts

    def _object(self, number: int) -> str:
        return self._objects.setdefault(number, self._name(number))

    def _text(self, value: Value, kind: pt.Type) -> str:
        """The value as an expression of a type; Unknown where the run did not look."""
        found = _decided(value)
        match found:
            case None:
                raise Unknown
            case Ref():
                return self._reference(found)
            case Data():
                return self._data(found, kind)
            case tuple():
                return self._listed("Seq", [self._text(e, _element(kind)) for e in found], kind)
            case SetValue():
                own = [self._text(e, _element(kind)) for e, there in found.items if plain(there)]
                return self._listed("Set", own, kind)
            case BagValue():
                own = [
                    self._text(e, _element(kind))
                    for e, count in found.items
                    for _ in range(int(plain(count)))
                ]
                return self._listed("Multiset", own, kind)
            case MapValue():
                return self._map(found, kind)
            case bool() | int() | Fraction() if isinstance(kind, _SAYABLE):
                return _scalar(found)
            case _:
                raise Unknown

    def _reference(self, value: Ref) -> str:
        if value.number < 0:
            raise Unknown
        return self._object(value.number) if value.number else "null"

    def _data(self, value: Data, kind: pt.Type) -> str:
        """Parts of a generic type have types that only the checker knows: no empty collections."""
        if not isinstance(kind, pt.AdtType):
            raise Unknown
        constructors = self._program.adts[kind.name].constructors
        params = next(c.params for c in constructors if c.name == value.constructor)
        parts = zip(value.args, params, strict=True)
        return f"{value.constructor}({', '.join([self._text(v, p.type) for v, p in parts])})"

    def _map(self, value: MapValue, kind: pt.Type) -> str:
        assert isinstance(kind, pt.MapType)
        entries = [
            f"{self._text(k, kind.key)} := {self._text(v, kind.value)}" for k, v in value.items
        ]
        return self._listed("Map", entries, kind)

    def _listed(self, word: str, elements: list[str], kind: pt.Type) -> str:
        return f"{word}({', '.join(elements)})" if elements else f"{kind}()"


def _decided(value: Value) -> Value | None:
    """The value without its symbolic half; None if it was never looked at."""
    if isinstance(value, Lazy):
        return None if value.decided is None else _decided(value.decided)
    return value.value if isinstance(value, Sym) else value


def _element(kind: pt.Type) -> pt.Type:
    match kind:
        case pt.SeqType(element) | pt.SetType(element) | pt.MultisetType(element):
            return element
        case _:
            return kind


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return str(value)
