"""Methods of the program model, and the model as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.engines.explore.model.term import Local, Operation, Term
from pitviper.engines.explore.model.types import FLAT, Hierarchy, Type
from pitviper.source.span import NO_SPAN, Span


@record
class Method:
    """`member` is the declaration of the source program that it comes from."""

    name: str
    member: str
    params: tuple[Local, ...]
    results: tuple[Local, ...]
    instructions: tuple[Instruction, ...]

    def locals(self) -> dict[str, Type]:
        """All variables with their types, in the order in which they occur."""

        found = {v.name: v.type for v in (*self.params, *self.results)}
        for instruction in self.instructions:
            for variable in locals_of(instruction):
                found.setdefault(variable.name, variable.type)
        return found


@record
class Constructor:
    """One shape of an algebraic data type."""

    name: str
    args: tuple[Type, ...]


@record
class Signature:
    """A function whose values the solver chooses. `known` says that axioms speak about it.

    If these are not `sayable` to the solver, the function has no value that could be trusted.
    A `place` of an array differs from all others; it may be `nullable`. `part` is the name of a
    part of data, for values that do not have it.
    """

    name: str
    args: tuple[Type, ...]
    result: Type
    known: bool = False
    domain: str = ""
    sayable: bool = True
    place: bool = False
    nullable: bool = True
    part: str = ""


@record
class Model:
    """`tables` are the functions that the solver chooses, `data` the shapes of data types."""

    methods: Mapping[str, Method]
    fields: Mapping[str, Type] = field(default_factory=dict)
    data: Mapping[Type, tuple[Constructor, ...]] = field(default_factory=dict)
    tables: Mapping[str, Signature] = field(default_factory=dict)
    hierarchy: Hierarchy = FLAT


@record
class Blame:
    """What a violated assertion means: the two halves of its code, where, and in which member."""

    error: str
    reason: str
    member: str
    message: str
    span: Span
    offending: Span


@record
class Assign:
    """Evaluates a term and stores its value."""

    target: Local
    value: Term
    span: Span = NO_SPAN


@record
class Branch:
    """Jumps to the instruction with the number `target` if the condition holds."""

    condition: Term
    target: int
    span: Span = NO_SPAN


@record
class Call:
    """Calls a method of the model, or a native one of the runtime."""

    method: str
    args: tuple[Term, ...]
    targets: tuple[Local, ...]
    span: Span = NO_SPAN
    native: bool = False


class ConstraintKind(Enum):
    ASSERT = "assert"
    ASSUME = "assume"


@record
class Constraint:
    """Asserts or assumes a condition; an assertion knows what its failure means."""

    kind: ConstraintKind
    condition: Term
    blame: Blame | None = None
    span: Span = NO_SPAN


@record
class Return:
    """Leaves the method with the values of its result variables."""

    span: Span = NO_SPAN


Instruction: TypeAlias = Assign | Branch | Call | Constraint | Return


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
