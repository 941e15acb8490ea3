"""The type checker of the model: what an adapter made wrong, as messages.

A value fits where its type, or a supertype of it, is expected (section 2.2.1 of the paper). A term
that cannot be typed has the type `invalid`, which fits nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pitviper.engines.explore.model.instruction import (
    Assign,
    Branch,
    Call,
    Constraint,
    Instruction,
    Return,
)
from pitviper.engines.explore.model.operators import COLLECTIONS, RULES, arity, same
from pitviper.engines.explore.model.printer import instruction_text, term_text
from pitviper.engines.explore.model.program import Method, Model
from pitviper.engines.explore.model.term import Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, INT, INVALID, Generic, Hierarchy, Type
from pitviper.engines.explore.model.walk import locals_of, subterms

Compatible: TypeAlias = Callable[[Type, Type], bool]
"""Whether a value of one type may stand where another is expected."""


def check_model(model: Model, compatible: Compatible | None = None) -> list[str]:
    """What is wrong with a model; nothing if it can be compiled.

    Another source language may have another notion of what is `compatible`.
    """
    checker = _Checker(model, compatible or fits_in(model.hierarchy))
    return [
        f"{method.name}, {index}: {problem} in `{instruction_text(method.instructions[index])}`"
        for method in model.methods.values()
        for index, problem in checker.method(method)
    ]


def fits_in(hierarchy: Hierarchy) -> Compatible:
    """Equal types and subtypes; null is a value of all reference types."""
    return lambda got, wanted: same(got, wanted) or hierarchy.extends(got, wanted)


def type_of(term: Term) -> Type:
    """The type that a term has, INVALID if its parts do not fit."""
    if not isinstance(term, Operation):
        return INVALID if _is_open(term.type) else term.type
    rule, number = RULES.get(term.operator), arity(term.operator)
    if rule is None or (number is not None and len(term.args) != number):
        return INVALID
    args = tuple([type_of(a) for a in term.args])
    found = INVALID if INVALID in args else rule(args, term.type)
    return found if same(found, term.type) or _is_wider(found, term.type) else INVALID


def _is_wider(found: Type, claimed: Type) -> bool:
    """An integer may be called a rational."""
    return found == INT and claimed != BOOLEAN and not isinstance(claimed, Generic)


def _is_open(kind: Type) -> bool:
    """Whether a generic type lacks its arguments: no value has such a type."""
    return kind in COLLECTIONS


class _Checker:
    def __init__(self, model: Model, compatible: Compatible) -> None:
        self._model = model
        self._compatible = compatible

    def method(self, method: Method) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        types = {v.name: v.type for v in (*method.params, *method.results)}
        for index, instruction in enumerate(method.instructions):
            problems = [*self._instruction(instruction, method), *_variables(instruction, types)]
            found += [(index, problem) for problem in problems]
        return found

    def _instruction(self, instruction: Instruction, method: Method) -> list[str]:
        match instruction:
            case Assign(target, value):
                return self._expect(value, target.type)
            case Branch(condition, target):
                inside = 0 <= target < len(method.instructions)
                nowhere = [] if inside else ["a jump to nowhere"]
                return [*self._expect(condition, BOOLEAN), *nowhere]
            case Constraint(_, condition):
                return self._expect(condition, BOOLEAN)
            case Call():
                return self._call(instruction)
            case Return():
                return []

    def _expect(self, term: Term, kind: Type) -> list[str]:
        got = type_of(term)
        if got == INVALID:
            return [f"{_culprit(term)} has no type"]
        return [] if self._compatible(got, kind) else [f"{got} where {kind} is expected"]

    def _call(self, call: Call) -> list[str]:
        if call.native:
            return [f"{_culprit(a)} has no type" for a in call.args if type_of(a) == INVALID]
        method = self._model.methods.get(call.method)
        if method is None:
            return [f"no method {call.method}"]
        if len(call.args) != len(method.params) or len(call.targets) != len(method.results):
            return ["wrong number of arguments or results"]
        found = [
            problem
            for argument, param in zip(call.args, method.params, strict=True)
            for problem in self._expect(argument, param.type)
        ]
        for target, result in zip(call.targets, method.results, strict=True):
            if not self._compatible(result.type, target.type):
                found.append(f"{result.type} is stored in {target.type}")
        return found


def _variables(instruction: Instruction, types: dict[str, Type]) -> list[str]:
    """A variable has one type in its method."""
    return [
        f"{v.name} is {v.type} here and {types[v.name]} elsewhere"
        for v in locals_of(instruction)
        if types.setdefault(v.name, v.type) != v.type
    ]


def _culprit(term: Term) -> str:
    """The smallest part of a term that has no type."""
    wrong = [t for t in subterms(term) if type_of(t) == INVALID]
    inner = [t for t in wrong if not (isinstance(t, Operation) and any(a in wrong for a in t.args))]
    return term_text(inner[0])
