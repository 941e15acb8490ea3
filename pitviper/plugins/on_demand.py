"""Plugins that are loaded only for programs that have something for them to do."""

from __future__ import annotations

from pitviper.plugins.statements import all_statements
from pitviper.plugins.step import PluginContext, Step
from pitviper.program.member import Function, Method, Program
from pitviper.program.stmt import Refute, While


def encode_adts(program: Program, context: PluginContext) -> Step:
    if not program.adts:
        return Step(program)
    from pitviper.plugins.adt.encode import encode_adts as encode

    return encode(program, context)


def check_termination(program: Program, context: PluginContext) -> Step:
    if not has_clauses(program):
        return Step(program)
    from pitviper.plugins.termination.encode import check_termination as check

    return check(program, context)


def has_clauses(program: Program) -> bool:
    """Whether there is a `decreases` anywhere."""
    members: list[Function | Method] = [*program.functions.values(), *program.methods.values()]
    if any([member.decreases for member in members]):
        return True
    return any(isinstance(s, While) and s.decreases for s in all_statements(program))


def encode_refutes(program: Program, context: PluginContext) -> Step:
    if not any(isinstance(statement, Refute) for statement in all_statements(program)):
        return Step(program)
    from pitviper.plugins.refute import encode_refutes as encode

    return encode(program, context)
