"""The type checker of the model: what an adapter made wrong, as messages.

A value fits where its type, or a supertype of it, is expected (section 2.2.1 of the paper). A term
that cannot be typed has the type `invalid`, which fits nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pitviper.engines.explore.model import program as mp
from pitviper.engines.explore.model import types as mt
from pitviper.engines.explore.model.printer import instruction_text, term_text
from pitviper.engines.explore.model.term import Operation, Term

Compatible: TypeAlias = Callable[[mt.Type, mt.Type], bool]
"""Whether a value of one type may stand where another is expected."""


def check_model(model: mp.Model, compatible: Compatible | None = None) -> list[str]:
    """What is wrong with a model; nothing if it can be compiled.

    Another source language may have another notion of what is `compatible`.
    """
    checker = _Checker(model, compatible or fits_in(model.hierarchy))
    return [
        f"{method.name}, {index}: {problem} in `{instruction_text(method.instructions[index])}`"
        for method in model.methods.values()
        for index, problem in checker.method(method)
    ]


def fits_in(hierarchy: mt.Hierarchy) -> Compatible:
    """Equal types and subtypes; null is a value of all reference types."""
    return lambda got, wanted: same(got, wanted) or hierarchy.extends(got, wanted)


def type_of(term: Term) -> mt.Type:
    """The type that a term has, INVALID if its parts do not fit."""
    if not isinstance(term, Operation):
        return mt.INVALID if _is_open(term.type) else term.type
    rule, number = RULES.get(term.operator), arity(term.operator)
    if rule is None or (number is not None and len(term.args) != number):
        return mt.INVALID
    args = tuple([type_of(a) for a in term.args])
    found = mt.INVALID if mt.INVALID in args else rule(args, term.type)
    return found if same(found, term.type) or _is_wider(found, term.type) else mt.INVALID


def _is_wider(found: mt.Type, claimed: mt.Type) -> bool:
    """An integer may be called a rational."""
    return found == mt.INT and claimed != mt.BOOLEAN and not isinstance(claimed, mt.Generic)


def _is_open(kind: mt.Type) -> bool:
    """Whether a generic type lacks its arguments: no value has such a type."""
    return kind in COLLECTIONS


class _Checker:
    def __init__(self, model: mp.Model, compatible: Compatible) -> None:
        self._model = model
        self._compatible = compatible

    def method(self, method: mp.Method) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        types = {v.name: v.type for v in (*method.params, *method.results)}
        for index, instruction in enumerate(method.instructions):
            problems = [*self._instruction(instruction, method), *_variables(instruction, types)]
            found += [(index, problem) for problem in problems]
        return found

    def _instruction(self, instruction: mp.Instruction, method: mp.Method) -> list[str]:
        match instruction:
            case mp.Assign(target, value):
                return self._expect(value, target.type)
            case mp.Branch(condition, target):
                inside = 0 <= target < len(method.instructions)
                nowhere = [] if inside else ["a jump to nowhere"]
                return [*self._expect(condition, mt.BOOLEAN), *nowhere]
            case mp.Constraint(_, condition):
                return self._expect(condition, mt.BOOLEAN)
            case mp.Call():
                return self._call(instruction)
            case mp.Return():
                return []

    def _expect(self, term: Term, kind: mt.Type) -> list[str]:
        got = type_of(term)
        if got == mt.INVALID:
            return [f"{_culprit(term)} has no type"]
        return [] if self._compatible(got, kind) else [f"{got} where {kind} is expected"]

    def _call(self, call: mp.Call) -> list[str]:
        if call.native:
            return [f"{_culprit(a)} has no type" for a in call.args if type_of(a) == mt.INVALID]
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


def _variables(instruction: mp.Instruction, types: dict[str, mt.Type]) -> list[str]:
    """A variable has one type in its method."""
    return [
        f"{v.name} is {v.type} here and {types[v.name]} elsewhere"
        for v in mp.locals_of(instruction)
        if types.setdefault(v.name, v.type) != v.type
    ]


def _culprit(term: Term) -> str:
    """The smallest part of a term that has no type."""
    wrong = [t for t in mp.subterms(term) if type_of(t) == mt.INVALID]
    inner = [t for t in wrong if not (isinstance(t, Operation) and any(a in wrong for a in t.args))]
    return term_text(inner[0])


Types: TypeAlias = tuple[mt.Type, ...]
Rule: TypeAlias = Callable[[Types, mt.Type], mt.Type]
"""From the types of the arguments, and the one that the term claims, to the type it has."""

NUMBERS = (mt.INT, mt.RATIONAL)
COLLECTIONS = (mt.SEQ, mt.SET, mt.MULTISET, mt.MAP)
ANY = mt.Nominal("", "any")


def _arithmetic(args: Types, claimed: mt.Type) -> mt.Type:
    if not all(a in NUMBERS for a in args):
        return mt.INVALID
    return mt.RATIONAL if mt.RATIONAL in args else mt.INT


def _from(kinds: Types, result: mt.Type) -> Rule:
    """Any number of arguments, each of one of these types."""
    return lambda args, _: result if all(a in kinds for a in args) else mt.INVALID


def _equality(args: Types, claimed: mt.Type) -> mt.Type:
    return mt.BOOLEAN if len(args) == 2 and same(args[0], args[1]) else mt.INVALID


def _are_references(args: Types) -> bool:
    """Whether all are types of objects: `object`, or types that somebody defined."""
    known = (mt.OBJECT, mt.NULL)
    return all(a in known or (isinstance(a, mt.Nominal) and a.namespace) for a in args)


def _choice(args: Types, claimed: mt.Type) -> mt.Type:
    fits = len(args) == 3 and args[0] == mt.BOOLEAN and same(args[1], args[2])
    return args[1] if fits else mt.INVALID


def _literal(definition: mt.Nominal, stride: int = 1) -> Rule:
    def rule(args: Types, claimed: mt.Type) -> mt.Type:
        if (
            claimed == ANY
            or not isinstance(claimed, mt.Generic)
            or claimed.definition != definition
        ):
            return claimed if claimed == ANY else mt.INVALID
        fits = all(same(a, claimed.args[i % stride]) for i, a in enumerate(args))
        return claimed if fits else mt.INVALID

    return rule


def _same_kind(args: Types, claimed: mt.Type) -> mt.Type:
    """Two collections of one type."""
    return args[0] if len(args) == 2 and same(args[0], args[1]) else mt.INVALID


def _sequence_and_number(args: Types, claimed: mt.Type) -> mt.Type:
    return args[0] if mt.name_of(args[0]) == mt.SEQ and args[1] == mt.INT else mt.INVALID


def _element(args: Types, claimed: mt.Type) -> mt.Type:
    match args:
        case (mt.Generic(definition, (element,)), kind) if definition == mt.SEQ and kind == mt.INT:
            return element
        case _:
            return mt.INVALID


def _membership(args: Types, claimed: mt.Type) -> mt.Type:
    match args:
        case (element, mt.Generic(definition, (inner, *_))) if definition in COLLECTIONS:
            return mt.BOOLEAN if same(element, inner) else mt.INVALID
        case _:
            return mt.INVALID


def _number_of(args: Types, claimed: mt.Type) -> mt.Type:
    return mt.INT if mt.name_of(args[-1]) in COLLECTIONS else mt.INVALID


def _lookup(args: Types, claimed: mt.Type) -> mt.Type:
    match args:
        case (mt.Generic(definition, (key, value)), given, *_) if definition == mt.MAP:
            return value if same(key, given) else mt.INVALID
        case _:
            return mt.INVALID


def _on_heap(result: mt.Type | None) -> Rule:
    """Reads of a heap; the type of a value is that of its field, as the term claims."""

    def rule(args: Types, claimed: mt.Type) -> mt.Type:
        if not args or args[0] != mt.HEAP:
            return mt.INVALID
        return claimed if result is None else result

    return rule


def _claimed(args: Types, claimed: mt.Type) -> mt.Type:
    return mt.INVALID if mt.INVALID in args else claimed


def same(one: mt.Type, other: mt.Type) -> bool:
    """Equal, or one of them the null reference, or of unknown elements."""
    if one == other or ANY in (one, other):
        return True
    if {one, other} == {mt.NULL, mt.OBJECT}:
        return True
    if isinstance(one, mt.Generic) and isinstance(other, mt.Generic):
        return one.definition == other.definition and all(
            same(a, b) for a, b in zip(one.args, other.args, strict=True)
        )
    return False


RULES: dict[str, Rule] = {
    **dict.fromkeys(("add", "sub", "mul", "neg"), _arithmetic),
    **dict.fromkeys(("div", "mod"), _from((mt.INT,), mt.INT)),
    **dict.fromkeys(("fraction", "rational"), _from(NUMBERS, mt.RATIONAL)),
    **dict.fromkeys(("less", "at_most"), _from(NUMBERS, mt.BOOLEAN)),
    **dict.fromkeys(("not", "and", "or", "implies"), _from((mt.BOOLEAN,), mt.BOOLEAN)),
    **dict.fromkeys(("equal", "differ"), _equality),
    "choice": _choice,
    "seq": _literal(mt.SEQ),
    "set": _literal(mt.SET),
    "multiset": _literal(mt.MULTISET),
    "map": _literal(mt.MAP, 2),
    "range": lambda args, claimed: (
        mt.Generic(mt.SEQ, (mt.INT,)) if args == (mt.INT, mt.INT) else mt.INVALID
    ),
    **dict.fromkeys(("append", "union", "intersection", "difference"), _same_kind),
    "subset": _equality,
    **dict.fromkeys(("take", "drop"), _sequence_and_number),
    "index": _element,
    "update": lambda args, claimed: args[0] if mt.name_of(args[0]) == mt.SEQ else mt.INVALID,
    **dict.fromkeys(("seq_contains", "contains", "has_key"), _membership),
    **dict.fromkeys(("count", "size"), _number_of),
    "lookup": _lookup,
    "map_update": lambda args, claimed: args[0] if mt.name_of(args[0]) == mt.MAP else mt.INVALID,
    "held": _on_heap(mt.RATIONAL),
    "held_instance": _on_heap(mt.RATIONAL),
    "held_wand": _on_heap(mt.RATIONAL),
    "wand_arguments": _on_heap(None),
    "read": _on_heap(None),
    "receivers": _on_heap(None),
    "arguments": _on_heap(None),
    "is": lambda args, claimed: mt.BOOLEAN,
    **dict.fromkeys(
        ("is_null", "is_a", "is_exactly", "identical"),
        lambda args, claimed: mt.BOOLEAN if _are_references(args) else mt.INVALID,
    ),
    "cast": lambda args, claimed: claimed if _are_references((*args, claimed)) else mt.INVALID,
    "symbolic": lambda args, claimed: mt.BOOLEAN,
    **dict.fromkeys(
        ("keys", "values", "candidates", "construct", "part", "table", "for_all"), _claimed
    ),
}
"""By operator."""

_ANY_NUMBER = (
    "add", "mul", "and", "or", "seq", "set", "multiset", "map", "construct", "table", "for_all",
    "candidates",
    "held", "held_instance", "held_wand", "wand_arguments", "read", "receivers", "arguments",
    "symbolic", "append", "union",
)  # fmt: skip
_ONE = (
    "neg", "not", "rational", "size", "is", "is_null", "keys", "values", "part",
    "is_a", "is_exactly", "cast",
)  # fmt: skip
_THREE = ("choice", "update", "map_update")


def arity(operator: str) -> int | None:
    """How many arguments an operator has; None for any number."""
    if operator in _ANY_NUMBER:
        return None
    return 1 if operator in _ONE else 3 if operator in _THREE else 2
