"""Types of the object language, and what they are in the core."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import record
from pitviper.program import expr as x
from pitviper.program import types as core
from pitviper.source.span import Span


@record
class IntT:
    def __str__(self) -> str:
        return "int"


@record
class BoolT:
    def __str__(self) -> str:
        return "bool"


@record
class ClassT:
    """A class or an interface."""

    name: str

    def __str__(self) -> str:
        return self.name


@record
class ArrayT:
    element: CoolType

    def __str__(self) -> str:
        return f"{self.element}[]"


@record
class SeqT:
    element: CoolType

    def __str__(self) -> str:
        return f"seq<{self.element}>"


@record
class SetT:
    element: CoolType

    def __str__(self) -> str:
        return f"set<{self.element}>"


@record
class NullT:
    """The type of `null`: every class and array has this value."""

    def __str__(self) -> str:
        return "null"


@record
class AssertionT:
    """What holds permissions: predicates and access. Only contracts may say it."""

    def __str__(self) -> str:
        return "assertion"


@record
class AmountT:
    """An amount of permission: `1/2`, `write`."""

    def __str__(self) -> str:
        return "amount of permission"


@record
class NothingT:
    """The type of what has no value: a mutator without a result, or a mistake told before."""

    def __str__(self) -> str:
        return "void"


CoolType: TypeAlias = (
    IntT | BoolT | ClassT | ArrayT | SeqT | SetT | NullT | AssertionT | AmountT | NothingT
)

INT = IntT()
BOOL = BoolT()
NULL = NullT()
ASSERTION = AssertionT()
AMOUNT = AmountT()
NOTHING = NothingT()


def core_type(type_: CoolType) -> core.Type:
    """The type of the core: objects and arrays are references."""
    match type_:
        case IntT():
            return core.INT
        case BoolT() | AssertionT():
            return core.BOOL
        case SeqT(element):
            return core.SeqType(core_type(element))
        case SetT(element):
            return core.SetType(core_type(element))
        case AmountT():
            return core.PERM
        case ClassT() | ArrayT() | NullT() | NothingT():
            return core.REF


def default_value(type_: CoolType, span: Span) -> x.Expr:
    """What a field or a variable of the type holds at first."""
    match core_type(type_):
        case core.IntType():
            return x.IntLit(0, span=span)
        case core.BoolType():
            return x.BoolLit(value=False, span=span)
        case core.SeqType() as seq:
            return x.SeqLit((), seq, span=span)
        case core.SetType() as set_:
            return x.SetLit((), set_, span=span)
        case _:
            return x.NullLit(span=span)


def elems_field(array: ArrayT) -> str:
    """The field that holds the elements of an array as one sequence: `int[].elems`."""
    match core_type(array.element):
        case core.IntType():
            return "int[].elems"
        case core.BoolType():
            return "bool[].elems"
        case core.RefType():
            return "object[].elems"
        case other:
            return f"{other}[].elems"
