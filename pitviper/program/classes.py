"""What the types of a language with classes tell of objects, without anybody having to show it.

In the core all objects are references. Parameters and fields of a class are annotated with the
numbers of the classes that their objects may be of: the types of the language keep others away. So
this is known of parameters from the start, and of what a field holds as soon as it may be read. Of
a sequence or a set it is known of each element; the elements of an array are a sequence in a field.
Programs of Viper have no such annotations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitviper.base.record import record
from pitviper.program import expr as x
from pitviper.program import types as core
from pitviper.program.assertion import Access, FieldLocation, Location, QuantifiedPermission
from pitviper.program.member import Declaration, Function, Method, Predicate, Program
from pitviper.program.node import Annotation
from pitviper.program.walk import free_vars
from pitviper.source.span import Span

CLASS = "object.class"
"""The function for the number of an object's class, in the order of the file."""

CLASSES = "classes"
"""The annotation: names, each followed by the numbers of classes, with spaces between them.

For collections, `seq` or `set` stands in front, from the outermost to the innermost one.
"""

SEQ, SET = "seq", "set"


@record
class Known:
    """What a type tells: the classes that an object may be of, or those inside of collections."""

    numbers: tuple[int, ...]
    inside: tuple[str, ...] = ()

    def within(self, collection: str) -> Known:
        """What is known of a sequence or set of such values."""
        return Known(self.numbers, (collection, *self.inside))

    def __str__(self) -> str:
        return " ".join([*self.inside, *map(str, self.numbers)])


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


def fits(value: x.Expr, known: Known, span: Span) -> x.Expr:
    """That a value is what is known of it: an object, or a collection of such values."""
    if not known.inside:
        return is_of(value, known.numbers, span)
    first, *further = known.inside
    rest = Known(known.numbers, tuple(further))
    assert isinstance(value.type, core.SeqType | core.SetType)
    if first == SET:
        one = x.Var(_unused("e", value), value.type.element, span=span)
        inside: x.Expr = x.SetContains(one, value, span=span)
        body = x.Implies(inside, fits(one, rest, span), span=span)
        return x.Forall((one,), (x.Trigger((inside,), span=span),), body, span=span)
    at = x.Var(_unused("i", value), core.INT, span=span)
    element = x.SeqIndex(value, at, value.type.element, span=span)
    bounds = (
        x.Compare(x.CompareOp.LE, x.IntLit(0, span=span), at, span=span),
        x.Compare(x.CompareOp.LT, at, x.Cardinality(value, span=span), span=span),
    )
    body = x.Implies(x.And(bounds, span=span), fits(element, rest, span), span=span)
    return x.Forall((at,), (x.Trigger((element,), span=span),), body, span=span)


def _unused(name: str, value: x.Expr) -> str:
    number, found = 1, name
    while found in free_vars(value):
        number += 1
        found = f"{name}{number}"
    return found


def class_note(classes: Mapping[str, Known | None]) -> tuple[Annotation, ...]:
    """The annotation for what is known of some names."""
    told = [t for name, known in classes.items() if known is not None for t in (name, str(known))]
    return (Annotation(CLASSES, tuple(told)),) if told else ()


def known_at_start(member: Function | Predicate | Method) -> tuple[x.Expr, ...]:
    """What the types of parameters and results tell about their classes."""
    known = classes_at_start(member)
    if not known:
        return ()
    variables = [*member.params, *(member.returns if isinstance(member, Method) else ())]
    return tuple([fits(v, known[v.name], v.span) for v in variables if v.name in known])


def known_of_field(location: Location, held: x.Expr, program: Program) -> x.Expr | None:
    """What the type of a field tells about the class of what it holds, where it may be read."""
    known = classes_in_field(location, program)
    return None if known is None else fits(held, known, location.span)


def known_of_many(a: QuantifiedPermission, program: Program) -> x.Expr | None:
    """The same of a field of many objects, to all of which there is some permission."""
    body = a.resource
    if not isinstance(body, Access) or not isinstance(body.location, FieldLocation):
        return None
    field = program.fields[body.location.field]
    read = x.FieldRead(body.location.receiver, field.name, field.type, span=body.location.span)
    fact = known_of_field(body.location, read, program) if _is_some(body.amount) else None
    if fact is None:
        return None
    return x.Forall(a.variables, (), x.Implies(a.condition, fact, span=a.span), span=a.span)


def _is_some(amount: x.Expr) -> bool:
    """Whether an amount is surely not none."""
    match amount:
        case x.PermLit(value):
            return value is x.PermConstant.WRITE
        case x.PermArith(x.PermOp.FRACTION, x.IntLit(above), x.IntLit(below)):
            return above > 0 and below > 0
        case _:
            return False


def classes_at_start(member: Function | Predicate | Method) -> dict[str, Known]:
    """What is known of the objects in parameters and results, by name."""
    return _known(member)


def classes_in_field(location: Location, program: Program) -> Known | None:
    """What is known of the object in a field; None: nothing is."""
    if not isinstance(location, FieldLocation):
        return None
    return _known(program.fields[location.field]).get(location.field)


def _known(declared: Declaration) -> dict[str, Known]:
    notes = [note.values for note in declared.annotations if note.key == CLASSES]
    pairs = [pair for v in notes for pair in zip(v[::2], v[1::2], strict=True)]
    return {name: _read(text.split()) for name, text in pairs}


def _read(words: Sequence[str]) -> Known:
    numbers = tuple([int(word) for word in words if word.isdigit()])
    return Known(numbers, tuple([word for word in words if not word.isdigit()]))
