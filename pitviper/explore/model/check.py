"""The type checker of the model: what an adapter made wrong, as messages."""

from __future__ import annotations

from pitviper.explore.model.instruction import Assign, Branch, Call, Constraint, Return
from pitviper.explore.model.operators import RULES, same
from pitviper.explore.model.printer import instruction_text, term_text
from pitviper.explore.model.program import Method, Model
from pitviper.explore.model.term import Operation, Term
from pitviper.explore.model.types import BOOLEAN, INVALID, Type


def check_model(model: Model) -> list[str]:
    """What is wrong with a model; nothing if it can be compiled."""
    return [
        f"{method.name}, {index}: {problem} in `{instruction_text(method.instructions[index])}`"
        for method in model.methods.values()
        for index, problem in _method_problems(method, model)
    ]


def type_of(term: Term) -> Type:
    """The type that a term has, INVALID if its parts do not fit."""
    if not isinstance(term, Operation):
        return term.type
    rule = RULES.get(term.operator)
    if rule is None:
        return INVALID
    args = tuple([type_of(a) for a in term.args])
    return INVALID if INVALID in args else rule(args, term.type)


def _method_problems(method: Method, model: Model) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for index, instruction in enumerate(method.instructions):
        match instruction:
            case Assign(target, value):
                found += _expect(index, value, target.type)
            case Branch(condition, target):
                found += _expect(index, condition, BOOLEAN)
                if not 0 <= target < len(method.instructions):
                    found.append((index, "a jump to nowhere"))
            case Constraint(_, condition):
                found += _expect(index, condition, BOOLEAN)
            case Call():
                found += _call_problems(index, instruction, model)
            case Return():
                pass
    return found


def _expect(index: int, term: Term, kind: Type) -> list[tuple[int, str]]:
    got = type_of(term)
    if got == INVALID:
        return [(index, f"{term_text(term)} has no type")]
    return [] if same(got, kind) else [(index, f"{got} where {kind} is expected")]


def _call_problems(index: int, call: Call, model: Model) -> list[tuple[int, str]]:
    if call.native:
        return [(index, "an argument has no type") for a in call.args if type_of(a) == INVALID]
    method = model.methods.get(call.method)
    if method is None:
        return [(index, f"no method {call.method}")]
    if len(call.args) != len(method.params) or len(call.targets) != len(method.results):
        return [(index, "wrong number of arguments or results")]
    found = [
        p for a, v in zip(call.args, method.params, strict=True) for p in _expect(index, a, v.type)
    ]
    for target, result in zip(call.targets, method.results, strict=True):
        if not same(target.type, result.type):
            found.append((index, f"{result.type} is stored in {target.type}"))
    return found
