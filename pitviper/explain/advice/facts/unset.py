"""Variables that are read before anything gives them a value: they may have any."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.advice.cures import Advice
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.types import BOOL, INT, REF, MultisetType, SeqType, SetType, Type
from pitviper.program.walk import assigned_variables, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def read_unset(case: Case) -> Advice | None:
    """A variable on which the part depends, of which nothing says what it is."""
    if case.finding.reason != "assertion.false":
        return None
    for declared, reader in unset_variables(case):
        name, line = declared.variable.name, declared.span.line
        value = first_value(declared.variable.type)
        written = f", `var {name}: {declared.variable.type} := {value}`," if value else ""
        return Advice(
            f"`{name}` (line {line}) is read in line {reader.span.line}, and nothing has given it "
            f"a value, so it may have any: assign one first{written} or say by `assume` what is "
            "known of it",
            cause=f"nothing gives `{name}` (line {line}) a value before line {reader.span.line} "
            "reads it",
        )
    return None


def unset_variables(case: Case) -> Iterator[tuple[s.Declare, s.Stmt]]:
    """Declarations of variables that are never assigned, with a statement that reads them."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    steps = [n for n in descendants(method.body) if isinstance(n, s.Stmt)]
    known = {v.name for n in steps if not isinstance(n, s.Declare) for v in assigned_variables(n)}
    for node in steps:
        match node:
            case s.Inhale(fact):
                known |= free_vars(fact)
            case s.While():
                known |= {name for clause in node.invariants for name in free_vars(clause)}
    needed = _needed(part, steps)
    for declared in [n for n in steps if isinstance(n, s.Declare)]:
        name = declared.variable.name
        if name in known or name not in needed or not name.isidentifier():
            continue
        readers = [n for n in steps if isinstance(n, s.LocalAssign | s.FieldAssign)]
        reader = next((n for n in readers if name in free_vars(n)), None)
        if reader is not None:
            yield declared, reader


def _needed(part: Node, steps: list[s.Stmt]) -> frozenset[str]:
    """The variables from which assignments make those of a part."""
    found = set(free_vars(part))
    fields = {n.field for n in descendants(part) if isinstance(n, x.FieldRead)}
    for _ in range(_DEEP):
        for node in steps:
            match node:
                case s.LocalAssign(target, value) if target.name in found:
                    found |= free_vars(value)
                case s.FieldAssign(_, field, value) if field in fields:
                    found |= free_vars(value)
    return frozenset(found)


_DEEP = 3
"""Assignments one behind the other through which a value is followed."""


def first_value(type_: Type) -> str | None:
    """What variables of a type mostly begin with."""
    if isinstance(type_, SeqType | SetType | MultisetType):
        return f"{type_}()"
    return {INT: "0", BOOL: "false", REF: "null"}.get(type_)
