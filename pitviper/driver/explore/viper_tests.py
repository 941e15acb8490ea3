"""Tests as Viper methods: a copy of the method whose precondition pins the inputs.

A verifier that looks at the copy sees the state in which the run began and nothing else, so it
fails where the run failed. Objects of the input are parameters beside those of the method.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import replace
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.steps import start_of
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.front.viper_syntax import viper_members
from pitviper.engines.explore.model.types import BOOLEAN, INT
from pitviper.engines.explore.report.inputs import State
from pitviper.engines.explore.runtime.heap import Heap, Instance
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import GuardedSet, Lazy, Pairs, Sym, Value, plain
from pitviper.engines.explore.viper.calls import OLD
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset, Ref
from pitviper.program import types as pt
from pitviper.program.member import Method, Program
from pitviper.results.testcase import TestCase
from pitviper.source.span import NO_SPAN, SourceFile
from pitviper.syntax import tree
from pitviper.syntax.parse.parser import parse_expression
from pitviper.syntax.print.printer import print_member

_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def viper_tests(front: FrontEnd, tests: list[TestCase], explorer: Explorer) -> str:
    """One method a test; each says in a comment what the run did."""
    methods = {m.name.name: m for m in viper_members(front) if isinstance(m, tree.Method)}
    taken = set(_WORD.findall("\n".join(_texts(front))))
    parts = []
    wanted = [test for test in tests if test.method in methods]
    pinned = run_deep(lambda: [_pinned(test, explorer, taken) for test in wanted])
    for number, (test, pins) in enumerate(zip(wanted, pinned, strict=True), 1):
        named = _free(f"test_{test.method}_{number}", taken)
        parts.append(f"{_comment(test)}\n{_method(methods[test.method], named, pins)}")
    return "\n".join(parts)


def _texts(front: FrontEnd) -> list[str]:
    imported = [file.text for _, file in front.imports if isinstance(file, SourceFile)]
    return [front.source.text, *imported]


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _comment(test: TestCase) -> str:
    where = f" with {test.finding} in line {test.line}" if test.finding else ""
    return f"// {test.status}{where}"


def _pinned(test: TestCase, explorer: Explorer, taken: set[str]) -> Pins:
    """What is known of the state in which the run of a test begins."""
    program: Program = explorer.program
    state, run = start_of(test, explorer)
    pins = Pins(program, lambda number: _free(f"object{number}", taken))
    if state is not None:
        pins.add_start(program.methods[test.method], state)
        pins.add_tables(run)
    return pins


def _method(method: tree.Method, name: str, pins: Pins) -> str:
    objects = [_parameter(o) for o in pins.objects]
    clauses = [_clause(text) for text in pins.clauses()]
    first_promise = next(
        (n for n, s in enumerate(method.specs) if not _is_precondition(s)), len(method.specs)
    )
    before, behind = method.specs[:first_promise], method.specs[first_promise:]
    late = [s for s in behind if _is_precondition(s)]
    others = [s for s in behind if not _is_precondition(s)]
    copy = replace(
        method,
        name=tree.Identifier(name, span=NO_SPAN),
        params=(*method.params, *objects),
        specs=(*before, *late, *clauses, *others),
    )
    return print_member(copy)


def _is_precondition(spec: tree.Specification) -> bool:
    return isinstance(spec, tree.Clause) and spec.kind == "requires"


def _parameter(name: str) -> tree.VarBinding:
    kind = tree.TypeName("Ref", span=NO_SPAN)
    return tree.VarBinding(tree.Identifier(name, span=NO_SPAN), kind, span=NO_SPAN)


def _clause(text: str) -> tree.Clause:
    condition, problems = parse_expression(SourceFile(Path("<test>"), text))
    assert condition is not None, (text, problems)
    return tree.Clause("requires", condition, span=NO_SPAN)


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
        for (name, args), result in run.inputs.tables.items():
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
            case Constructed():
                return self._data(found, kind)
            case tuple():
                return self._listed("Seq", [self._text(e, _element(kind)) for e in found], kind)
            case GuardedSet():
                own = [self._text(e, _element(kind)) for e, there in found.items if plain(there)]
                return self._listed("Set", own, kind)
            case Multiset():
                own = [
                    self._text(e, _element(kind))
                    for e, count in found.items
                    for _ in range(int(plain(count)))
                ]
                return self._listed("Multiset", own, kind)
            case FiniteMap():
                return self._map(found, kind)
            case bool() | int() | Fraction() if isinstance(kind, _SAYABLE):
                return _scalar(found)
            case _:
                raise Unknown

    def _reference(self, value: Ref) -> str:
        if value.number < 0:
            raise Unknown
        return self._object(value.number) if value.number else "null"

    def _data(self, value: Constructed[Value], kind: pt.Type) -> str:
        """Parts of a generic type have types that only the checker knows: no empty collections."""
        if not isinstance(kind, pt.AdtType):
            raise Unknown
        constructors = self._program.adts[kind.name].constructors
        params = next(c.params for c in constructors if c.name == value.constructor)
        parts = zip(value.args, params, strict=True)
        return f"{value.constructor}({', '.join([self._text(v, p.type) for v, p in parts])})"

    def _map(self, value: FiniteMap[Pairs], kind: pt.Type) -> str:
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
