"""What the types of the object language tell about the classes of objects.

In the core all objects are references. A variable of a class or interface holds one of its objects,
which is known where it matters (`Table.has_dispatch`): types keep all others away. A quantifier
speaks about the objects of its type and about no others, so that it has to say so.
"""

from __future__ import annotations

from pitviper.languages.cool import types as ct
from pitviper.languages.cool.build import class_of, not_null
from pitviper.languages.cool.scope import Scope
from pitviper.program import expr as x
from pitviper.source.span import Span


def class_fact(value: x.Expr, type_: ct.CoolType, scope: Scope, span: Span) -> x.Expr | None:
    """What the type of a variable tells about the class of its object, where that matters."""
    if not scope.table.has_dispatch(type_):
        return None
    assert isinstance(type_, ct.ClassT)
    number = scope.table.classes[type_.name].number
    return x.Implies(not_null(value, span), class_of(value, number, span), span=span)


def belongs(value: x.Expr, type_: ct.CoolType, scope: Scope, span: Span) -> x.Expr | None:
    """That a reference is `null` or an object of a type; None where nothing is known.

    Of an interface that no class of the file implements, nothing is known: its classes may be in
    another file, and nobody wants a proof from there being none.
    """
    fact = class_fact(value, type_, scope, span)
    if fact is not None or not isinstance(type_, ct.ClassT):
        return fact
    classes = [class_of(value, c.number, span) for c in scope.table.implementers(type_.name)]
    if not classes:
        return None
    some = classes[0] if len(classes) == 1 else x.Or(tuple(classes), span=span)
    return x.Implies(not_null(value, span), some, span=span)
