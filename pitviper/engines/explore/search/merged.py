"""The model with both sides of small branches run at once, to look where a failure may be.

A run of the model itself takes one side of every branch, so twenty branches in a row are a million
runs. Where nothing but numbers is computed on the sides, both can be computed and the condition
chooses between the values: one run then stands for all of them, and the solver finds inputs for an
assertion behind them at once. Such inputs are given to the model itself: what they show there
counts, and what runs of this one say does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from pitviper.base.record import record, replace
from pitviper.engines.explore.model.program import (
    Assign,
    Branch,
    Call,
    Constraint,
    Instruction,
    Method,
    Model,
    Return,
    terms_of,
)
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN

TOTAL = frozenset(
    [
        *("add", "sub", "mul", "neg", "less", "at_most", "not", "and", "or", "implies", "choice"),
        *("equal", "differ", "is_null", "rational", "held", "read"),
    ]
)
"""Operators that have a value, or end the run, whatever they are applied to."""

DIVISIONS = frozenset(("div", "mod", "fraction"))
"""These have one if the divisor is not 0."""


def merged_model(model: Model) -> Model | None:
    """The model with merged branches; None where there are none."""
    harmless = {name: None for name, method in model.methods.items() if _is_harmless(method)}
    methods = {name: _merged(method, harmless) for name, method in model.methods.items()}
    if all(methods[name] is method for name, method in model.methods.items()):
        return None
    return replace(model, methods=methods)


@record
class _Region:
    """Instructions from a branch up to where all ways from there have come together."""

    start: int
    end: int


def _is_harmless(method: Method) -> bool:
    """Whether a method can be run where no way leads to it: it goes forward, and has values."""
    return all(
        isinstance(i, Return | Assign | Constraint | Branch)
        and all(map(_is_total, terms_of(i)))
        and not (isinstance(i, Branch) and i.target <= index)
        for index, i in enumerate(method.instructions)
    )


def _is_total(term: Term) -> bool:
    """Whether a term has a value that does not depend on the heap, whatever its variables are."""
    match term:
        case Operation(operator, args):
            is_known = operator in TOTAL and operator not in ("held", "read")
            return is_known and all(map(_is_total, args))
        case Fresh():
            return False
        case _:
            return True


def _merged(method: Method, harmless: Mapping[str, None]) -> Method:
    regions = {r.start: r for r in _regions(method, harmless)}
    if not regions:
        return method
    writer = _Writer(method)
    index = 0
    while index < len(method.instructions):
        region = regions.get(index)
        if region is None:
            writer.copy(index)
            index += 1
        else:
            writer.merge(region)
            index = region.end
    return replace(method, instructions=writer.finished())


def _regions(method: Method, harmless: Mapping[str, None]) -> list[_Region]:
    """The outermost parts that can be merged, none inside of another."""
    found: list[_Region] = []
    index = 0
    while index < len(method.instructions):
        region = _region_at(index, method, harmless)
        if region is not None:
            found.append(region)
        index = index + 1 if region is None else region.end
    return found


def _region_at(start: int, method: Method, harmless: Mapping[str, None]) -> _Region | None:
    """The part that begins with a branch: it only goes forward, and is entered at its start."""
    instructions = method.instructions
    first = instructions[start]
    if not isinstance(first, Branch) or isinstance(first.condition, Literal):
        return None
    index, end = start, start + 1
    while index < end:
        instruction = instructions[index]
        if not _is_mergeable(instruction, harmless):
            return None
        if isinstance(instruction, Branch):
            if instruction.target <= index or instruction.target >= len(instructions):
                return None
            end = max(end, instruction.target, index + 1)
        index += 1
    jumps = [(i, j.target) for i, j in enumerate(instructions) if isinstance(j, Branch)]
    inside = range(start + 1, end)
    if any(target in inside and not start <= i < end for i, target in jumps):
        return None
    return _Region(start, end)


def _is_mergeable(instruction: Instruction, harmless: Mapping[str, None]) -> bool:
    match instruction:
        case Assign(_, value):
            return isinstance(value, Fresh) or _has_value(value)
        case Branch(condition) | Constraint(_, condition):
            return _has_value(condition)
        case Call(method, args):
            is_known = method == "heap.write" if instruction.native else method in harmless
            return is_known and all(map(_has_value, args))
        case _:
            return False


def _has_value(term: Term) -> bool:
    match term:
        case Operation(operator, args):
            return operator in TOTAL | DIVISIONS and all(map(_has_value, args))
        case Fresh():
            return False
        case _:
            return True


def _and(left: Term, right: Term) -> Term:
    return Operation("and", (left, right), BOOLEAN)


class _Writer:
    """Writes the instructions of a method anew; targets of jumps are filled in at the end."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._out: list[Instruction] = []
        self._starts: dict[int, int] = {}
        self._jumps: dict[int, int] = {}
        self._variables = 0

    def finished(self) -> tuple[Instruction, ...]:
        for at, target in self._jumps.items():
            jump = self._out[at]
            assert isinstance(jump, Branch)
            self._out[at] = replace(jump, target=self._starts[target])
        return tuple(self._out)

    def copy(self, index: int) -> None:
        self._starts[index] = len(self._out)
        instruction = self._method.instructions[index]
        if isinstance(instruction, Branch):
            self._jumps[len(self._out)] = instruction.target
        self._out.append(instruction)

    def merge(self, region: _Region) -> None:
        """Each block of the region is run under the condition that a way leads to it.

        A block whose condition is known to be false is passed over, as in the model itself.
        """
        self._starts[region.start] = len(self._out)
        guards = {start: self._variable() for start in self._block_starts(region)}
        for start, guard in guards.items():
            self._out.append(Assign(guard, Literal(start == region.start, BOOLEAN)))
        starts = [*guards, region.end]
        for start, end in pairwise(starts):
            skip, passed = len(self._out), Operation("excluded", (guards[start],), BOOLEAN)
            self._out.append(Branch(passed, 0))
            for instruction in self._method.instructions[start:end]:
                if isinstance(instruction, Branch):
                    self._lead(instruction, (guards[start], end), guards)
                else:
                    self._write(instruction, guards[start])
            if not isinstance(self._method.instructions[end - 1], Branch):
                self._add(guards, end, guards[start])
            self._out[skip] = Branch(passed, len(self._out))

    def _block_starts(self, region: _Region) -> list[int]:
        starts = {region.start}
        for index in range(region.start, region.end):
            instruction = self._method.instructions[index]
            if isinstance(instruction, Branch):
                starts |= {instruction.target, index + 1}
        return sorted(s for s in starts if s < region.end)

    def _variable(self) -> Local:
        self._variables += 1
        return Local(f"%merged{self._variables}", BOOLEAN)

    def _write(self, instruction: Instruction, guard: Local) -> None:
        match instruction:
            case Assign(target, value):
                new = value if isinstance(value, Fresh) else _guarded(value, guard)
                if isinstance(new, Fresh):
                    made = Local(f"{target.name}%new", target.type)
                    self._out.append(Assign(made, new, instruction.span))
                    new = made
                chosen = Operation("merge", (guard, new, target), target.type)
                self._out.append(Assign(target, chosen, instruction.span))
            case Constraint():
                condition = _guarded(instruction.condition, guard)
                implied = Operation("implies", (guard, condition), BOOLEAN)
                self._out.append(replace(instruction, condition=implied))
            case Call(native=False):
                given = tuple([_guarded(a, guard) for a in instruction.args])
                targets = tuple([Local(f"{t.name}%new", t.type) for t in instruction.targets])
                self._out.append(replace(instruction, args=given, targets=targets))
                for target, made in zip(instruction.targets, targets, strict=True):
                    chosen = Operation("merge", (guard, made, target), target.type)
                    self._out.append(Assign(target, chosen, instruction.span))
            case Call(_, (heap, receiver, name, value)):
                assert isinstance(name, Literal)
                now = Operation("read", (heap, receiver), value.type, str(name.value))
                chosen = Operation("merge", (guard, _guarded(value, guard), now), value.type)
                self._out.append(replace(instruction, args=(heap, receiver, name, chosen)))
            case _:
                raise AssertionError(instruction)

    def _lead(self, branch: Branch, block: tuple[Local, int], guards: Mapping[int, Local]) -> None:
        """What is known behind a branch, at its target and at the next instruction."""
        guard, behind = block
        if isinstance(branch.condition, Literal):
            self._add(guards, branch.target, guard)
            return
        holds = self._variable()
        self._out.append(Assign(holds, _guarded(branch.condition, guard)))
        self._add(guards, branch.target, _and(guard, holds))
        self._add(guards, behind, _and(guard, Operation("not", (holds,), BOOLEAN)))

    def _add(self, guards: Mapping[int, Local], start: int, way: Term) -> None:
        """A way leads to a block; the one behind the region needs no condition."""
        if start in guards:
            met = Operation("or", (guards[start], way), BOOLEAN)
            self._out.append(Assign(guards[start], met))


def _guarded(term: Term, guard: Local) -> Term:
    """The term, with 1 for the divisors that are looked at on other ways only."""
    if not isinstance(term, Operation):
        return term
    args = tuple([_guarded(arg, guard) for arg in term.args])
    if term.operator in DIVISIONS:
        whole = Literal(1, args[1].type)
        args = (args[0], Operation("choice", (guard, args[1], whole), args[1].type))
    return replace(term, args=args)
