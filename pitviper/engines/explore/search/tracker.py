"""Follows a program that runs elsewhere, by its callbacks alone (section 2.4.5).

The other runtime tells which instruction comes next, which branches jump, which constraints hold,
and which methods are entered and left. That is enough to evaluate the model beside it, and to
know the path condition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pitviper.engines.explore.model.program import (
    Assign,
    Branch,
    Call,
    Constraint,
    ConstraintKind,
    Model,
)
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import NULL as NOTHING
from pitviper.engines.explore.runtime.heap import Heap
from pitviper.engines.explore.runtime.natives import NATIVES, OPERATORS, TAGGED
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import NULL, Scalar, Value

Held: TypeAlias = Value | Heap
"""What a variable of a model may be."""


class OutOfStep(Exception):
    """The other runtime does not run this model: a branch or a constraint has another value."""


Program: TypeAlias = Callable[[str, Mapping[str, Scalar], "Tracker"], None]
"""A program elsewhere: runs a method on inputs by their names, and tells a tracker about it.

An input that is not among them is 0 (false): no condition was about it yet.
"""


class Monitored:
    """Code that runs elsewhere, for a search: it is known by its callbacks alone."""

    def __init__(self, model: Model, program: Program) -> None:
        self.model = model
        self.functions: Mapping[str, Callable[..., tuple[object, ...]]] = {}
        self._program = program

    def run(self, method: str, run: Run) -> None:
        """Has the program run a method; it ends by returning or with `Ended`."""
        self._program(method, run.inputs.assignment.values, Tracker(self.model, run))


class Tracker:
    """One run of another runtime. `run` collects decisions, coverage and symbols."""

    def __init__(self, model: Model, run: Run) -> None:
        self._model = model
        self.run = run
        self._frames: list[dict[str, Held]] = []
        self._call: Call | None = None
        self._results: tuple[Held, ...] = ()
        self._open_calls: list[int] = []

    def enter(self, method: str) -> None:
        """The arguments are those of the call that was told last."""
        found = self._model.methods[method]
        values: tuple[Held, ...] = ()
        if self._call is not None and self._frames:
            values = tuple([self._value(a) for a in self._call.args])
        self._call = None
        self.run.enter(method)
        self._frames.append({p.name: v for p, v in zip(found.params, values, strict=True)})

    def leave(self, method: str) -> None:
        found = self._model.methods[method]
        frame = self._frames.pop()
        self._results = tuple([frame[r.name] for r in found.results])
        self.run.leave(method)
        self.run.outputs = self._results
        if self._frames:
            instruction = self._model.methods[self.run.method].instructions[self._calling.pop()]
            assert isinstance(instruction, Call)
            self._take(instruction, self._results)

    @property
    def _calling(self) -> list[int]:
        return self._open_calls

    def instruction(self, index: int) -> None:
        self.run.instruction(index)
        instruction = self._model.methods[self.run.method].instructions[index]
        if isinstance(instruction, Assign):
            self._frames[-1][instruction.target.name] = self._value(instruction.value)
        elif isinstance(instruction, Call) and instruction.native:
            given = [self._argument(a) for a in instruction.args]
            self._take(instruction, NATIVES[instruction.method](self.run, *given))
        elif isinstance(instruction, Call):
            self._call = instruction
            self._calling.append(index)

    def _take(self, call: Call, results: tuple[Held, ...]) -> None:
        for target, value in zip(call.targets, results, strict=True):
            self._frames[-1][target.name] = value

    def transition(self, index: int, *, jumps: bool) -> None:
        branch = self._model.methods[self.run.method].instructions[index]
        assert isinstance(branch, Branch)
        if self.run.transition(index, self._value(branch.condition)) != jumps:
            raise OutOfStep(f"{self.run.method}, {index}: the other runtime went elsewhere")

    def constraint(self, index: int, *, holds: bool) -> None:
        """Ends the run where the constraint does not hold, as a compiled one would."""
        constraint = self._model.methods[self.run.method].instructions[index]
        assert isinstance(constraint, Constraint)
        condition = self._value(constraint.condition)
        is_assertion = constraint.kind is ConstraintKind.ASSERT
        if not holds:
            self.run.constraint(index, condition, assertion=is_assertion)
            raise OutOfStep(f"{self.run.method}, {index}: the constraint holds here")
        self.run.constraint(index, condition, assertion=is_assertion)

    def _argument(self, term: Term) -> Any:
        """Native methods are also given texts, and nothing."""
        if isinstance(term, Literal) and (isinstance(term.value, str) or term.type == NOTHING):
            return term.value
        return self._value(term)

    def _value(self, term: Term) -> Any:
        match term:
            case Local(name):
                return self._frames[-1][name]
            case Literal(value):
                if value is None:
                    return NULL
                assert not isinstance(value, str)
                return value
            case Fresh(kind, hint):
                return self.run.fresh(kind, hint)
            case Operation(operator, args, _, tag):
                values = [self._value(a) for a in args]
                if operator in TAGGED:
                    return TAGGED[operator](self.run, tag, *values)
                return OPERATORS[operator](self.run, *values)
