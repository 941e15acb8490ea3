"""Types of the object language, and what they are in the core."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.program import expr as x
from pitviper.program import types as core
from pitviper.source.span import Span


class Basic(Enum):
    """Types without parts, by what messages call them.

    Every class and array has the value of type NULL. What holds permissions is an ASSERTION, and
    only contracts may say it; `1/2` and `write` are an AMOUNT. NOTHING is the type of what has no
    value: a mutator without a result, or a mistake told before. UNKNOWN is declared with a type
    that is a mistake, told there: it has a value that fits everywhere.
    """

    INT = "int"
    BOOL = "bool"
    NULL = "null"
    ASSERTION = "assertion"
    AMOUNT = "amount of permission"
    NOTHING = "void"
    UNKNOWN = "unknown type"

    def __str__(self) -> str:
        return self.value


INT, BOOL, NULL, ASSERTION, AMOUNT, NOTHING, UNKNOWN = Basic


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


CoolType: TypeAlias = Basic | ClassT | ArrayT | SeqT | SetT


def holds_references(type_: core.Type) -> bool:
    """Whether a value of the core is a reference, or a collection of some."""
    match type_:
        case core.SeqType(element) | core.SetType(element):
            return holds_references(element)
        case _:
            return isinstance(type_, core.RefType)


def innermost(type_: CoolType) -> CoolType:
    """The type of what is in a collection, and in those inside of it; a plain type itself."""
    return innermost(type_.element) if isinstance(type_, SeqT | SetT) else type_


def core_type(type_: CoolType) -> core.Type:
    """The type of the core: objects and arrays are references."""
    match type_:
        case Basic.INT:
            return core.INT
        case Basic.BOOL | Basic.ASSERTION:
            return core.BOOL
        case SeqT(element):
            return core.SeqType(core_type(element))
        case SetT(element):
            return core.SetType(core_type(element))
        case Basic.AMOUNT:
            return core.PERM
        case ClassT() | ArrayT() | Basic.NULL | Basic.NOTHING | Basic.UNKNOWN:
            return core.REF


def default_value(type_: CoolType, span: Span) -> x.Expr:
    """What a field or a variable of the type holds at first."""
    return default_of(core_type(type_), span)


def default_of(type_: core.Type, span: Span) -> x.Expr:
    """The first value of a type of the core."""
    match type_:
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


def elems_field(array: ArrayT, classes: Collection[str] = ()) -> str:
    """The field that holds the elements of an array as one sequence: `int[].elems`.

    Arrays of some classes have fields of their own, so that more is known of what is in them.
    """
    if isinstance(array.element, ClassT) and array.element.name in classes:
        return f"{array.element.name}[].elems"
    match core_type(array.element):
        case core.IntType():
            return "int[].elems"
        case core.BoolType():
            return "bool[].elems"
        case core.RefType():
            return "object[].elems"
        case other:
            return f"{other}[].elems"
