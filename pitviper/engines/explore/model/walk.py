"""Traversals of terms and instructions."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.engines.explore.model.program import (
    Assign,
    Branch,
    Call,
    Constraint,
    Instruction,
    Return,
)
from pitviper.engines.explore.model.term import Local, Operation, Term


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything inside, outside first."""
    todo = [term]
    while todo:
        current = todo.pop()
        yield current
        if isinstance(current, Operation):
            todo.extend(reversed(current.args))


def terms_of(instruction: Instruction) -> tuple[Term, ...]:
    """What an instruction evaluates."""
    match instruction:
        case Assign(_, value):
            return (value,)
        case Branch(condition) | Constraint(_, condition):
            return (condition,)
        case Call(_, args):
            return args
        case Return():
            return ()


def targets_of(instruction: Instruction) -> tuple[Local, ...]:
    """What an instruction assigns."""
    match instruction:
        case Assign(target):
            return (target,)
        case Call(_, _, targets):
            return targets
        case _:
            return ()


def read_by(instruction: Instruction) -> list[Local]:
    """The variables that an instruction reads."""
    return [t for term in terms_of(instruction) for t in subterms(term) if isinstance(t, Local)]


def locals_of(instruction: Instruction) -> list[Local]:
    return [*read_by(instruction), *targets_of(instruction)]


def locals_in(term: Term) -> tuple[Local, ...]:
    """The variables in a term, each once."""
    return tuple(dict.fromkeys([t for t in subterms(term) if isinstance(t, Local)]))
