"""Types, terms and methods as plain data that can be kept or sent to another process."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pitviper.engines.explore.model import program as model
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import Basic, Generic, Nominal, Type

Plain: TypeAlias = "int | bool | str | list[Plain] | dict[str, Plain] | None"


class BadData(Exception):
    """Data that no model was written as."""


def write_type(kind: Type) -> Plain:
    match kind:
        case Basic(name):
            return name
        case Nominal(namespace, name):
            return [namespace, name]
        case Generic(definition, args):
            return [definition.namespace, definition.name, *[write_type(a) for a in args]]


def read_type(data: Plain) -> Type:
    match data:
        case str():
            return Basic(data)
        case [str(namespace), str(name)]:
            return Nominal(namespace, name)
        case [str(namespace), str(name), *args]:
            return Generic(Nominal(namespace, name), tuple([read_type(a) for a in args]))
        case _:
            raise BadData(f"no type: {data!r}")


def write_term(term: Term) -> Plain:
    kind = write_type(term.type)
    match term:
        case Literal(value):
            if isinstance(value, Fraction):
                return {"literal": {"fraction": str(value)}, "type": kind}
            return {"literal": value, "type": kind}
        case Local(name):
            return {"local": name, "type": kind}
        case Fresh(_, hint):
            return {"fresh": hint, "type": kind}
        case Operation(operator, args, _, tag):
            return {
                "operation": operator,
                "args": [write_term(a) for a in args],
                "type": kind,
                "tag": tag,
            }


def read_term(data: Plain) -> Term:
    match data:
        case {"literal": {"fraction": str(text)}, "type": kind}:
            return Literal(Fraction(text), read_type(kind))
        case {"literal": None | bool() | int() | str() as value, "type": kind}:
            return Literal(value, read_type(kind))
        case {"local": str(name), "type": kind}:
            return Local(name, read_type(kind))
        case {"fresh": str(hint), "type": kind}:
            return Fresh(read_type(kind), hint)
        case {"operation": str(operator), "args": [*args], "type": kind, "tag": str(tag)}:
            return Operation(operator, tuple([read_term(a) for a in args]), read_type(kind), tag)
        case _:
            raise BadData(f"no term: {data!r}")


def write_method(method: model.Method) -> Plain:
    """Places in a source are left out: whoever reads the method has the source."""
    return {
        "method": method.name,
        "member": method.member,
        "params": [write_term(p) for p in method.params],
        "results": [write_term(r) for r in method.results],
        "instructions": [_write_instruction(i) for i in method.instructions],
    }


def read_method(data: Plain) -> model.Method:
    match data:
        case {
            "method": str(name), "member": str(member), "params": [*params],
            "results": [*results], "instructions": [*instructions],
        }:  # fmt: skip
            return model.Method(
                name,
                member,
                tuple([_read_local(p) for p in params]),
                tuple([_read_local(r) for r in results]),
                tuple([_read_instruction(i) for i in instructions]),
            )
        case _:
            raise BadData("no method")


def _write_instruction(instruction: model.Instruction) -> Plain:
    match instruction:
        case model.Assign(target, value):
            return {"assign": write_term(target), "value": write_term(value)}
        case model.Branch(condition, target):
            return {"branch": write_term(condition), "target": target}
        case model.Call(method, args, targets):
            return {
                "call": method,
                "args": [write_term(a) for a in args],
                "targets": [write_term(t) for t in targets],
                "native": instruction.native,
            }
        case model.Constraint(kind, condition):
            return {kind.value: write_term(condition)}
        case model.Return():
            return "return"


def _read_instruction(data: Plain) -> model.Instruction:
    match data:
        case {"assign": target, "value": value}:
            return model.Assign(_read_local(target), read_term(value))
        case {"branch": condition, "target": int(target)}:
            return model.Branch(read_term(condition), target)
        case {"call": str(method), "args": [*args], "targets": [*targets], "native": bool(native)}:
            return model.Call(
                method,
                tuple([read_term(a) for a in args]),
                tuple([_read_local(t) for t in targets]),
                native=native,
            )
        case {"assert": condition}:
            return model.Constraint(model.ConstraintKind.ASSERT, read_term(condition))
        case {"assume": condition}:
            return model.Constraint(model.ConstraintKind.ASSUME, read_term(condition))
        case "return":
            return model.Return()
        case _:
            raise BadData(f"no instruction: {data!r}")


def _read_local(data: Plain) -> Local:
    term = read_term(data)
    if not isinstance(term, Local):
        raise BadData(f"no variable: {data!r}")
    return term
