"""What the types of a language with classes tell of objects, without anybody having to show it.

In the core all objects are references. Parameters and fields of a class are annotated with the
numbers of the classes that their objects may be of: the types of the language keep others away. So
this is known of parameters from the start, and of what a field holds as soon as it may be read.
Programs of Viper have no such annotations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import types as core
from pitviper.program.member import Declaration, Function, Method, Predicate, Program
from pitviper.program.node import Annotation
from pitviper.source.span import Span

CLASS = "object.class"
"""The function for the number of an object's class, in the order of the file."""

CLASSES = "classes"
"""The annotation: names, each followed by the numbers of classes, with spaces between them."""


def class_of(value: x.Expr, number: int, span: Span) -> x.Expr:
    """That an object is of the class with a number."""
    kind = x.FunctionApp(CLASS, (value,), core.INT, span=span)
    return x.Equal(kind, x.IntLit(number, span=span), span=span)


def is_of(value: x.Expr, numbers: Sequence[int], span: Span) -> x.Expr:
    """That a reference is `null` or an object of one of some classes."""
    classes = [class_of(value, number, span) for number in numbers]
    some = classes[0] if len(classes) == 1 else x.Or(tuple(classes), span=span)
    there = x.NotEqual(value, x.NullLit(span=span), span=span)
    return x.Implies(there, some, span=span)


def class_note(classes: Mapping[str, Sequence[int]]) -> tuple[Annotation, ...]:
    """The annotation for what is known of some names; of those without numbers nothing is."""
    known = {name: numbers for name, numbers in classes.items() if numbers}
    told = [t for name, numbers in known.items() for t in (name, " ".join(map(str, numbers)))]
    return (Annotation(CLASSES, tuple(told)),) if told else ()


def known_at_start(member: Function | Predicate | Method) -> tuple[x.Expr, ...]:
    """What the types of parameters and results tell about their classes."""
    numbers = _numbers(member)
    if not numbers:
        return ()
    variables = [*member.params, *(member.returns if isinstance(member, Method) else ())]
    return tuple([is_of(v, numbers[v.name], v.span) for v in variables if v.name in numbers])


def known_of_field(location: a.Location, held: x.Expr, program: Program) -> x.Expr | None:
    """What the type of a field tells about the class of what it holds, where it may be read."""
    numbers = classes_in_field(location, program)
    return is_of(held, numbers, location.span) if numbers else None


def classes_at_start(member: Function | Predicate | Method) -> dict[str, tuple[int, ...]]:
    """The numbers of the classes that objects in parameters and results may be of, by name."""
    return _numbers(member)


def classes_in_field(location: a.Location, program: Program) -> tuple[int, ...]:
    """The numbers of the classes that an object in a field may be of; none: nothing is known."""
    if not isinstance(location, a.FieldLocation):
        return ()
    return _numbers(program.fields[location.field]).get(location.field, ())


def _numbers(declared: Declaration) -> dict[str, tuple[int, ...]]:
    notes = [note.values for note in declared.annotations if note.key == CLASSES]
    pairs = [pair for v in notes for pair in zip(v[::2], v[1::2], strict=True)]
    return {name: tuple([int(n) for n in numbers.split()]) for name, numbers in pairs}
