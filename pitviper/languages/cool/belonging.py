"""What the types of the object language tell about the classes of objects.

In the core all objects are references. A variable of a class or interface holds one of its objects,
which is known where it matters (`Table.has_dispatch`): types keep all others away. A quantifier
speaks about the objects of its type and about no others, so that it has to say so.
"""

from __future__ import annotations

from pitviper.languages.cool import types as ct
from pitviper.languages.cool.scope import Scope
from pitviper.program import expr as x
from pitviper.program.classes import is_of
from pitviper.source.span import Span


def class_fact(value: x.Expr, type_: ct.CoolType, scope: Scope, span: Span) -> x.Expr | None:
    """What the type of a variable tells about the class of its object, where that matters."""
    numbers = scope.table.numbers_of_class(type_)
    return is_of(value, numbers, span) if numbers else None


def belongs(value: x.Expr, type_: ct.CoolType, scope: Scope, span: Span) -> x.Expr | None:
    """That a reference is `null` or an object of a type; None where nothing is known."""
    numbers = scope.table.numbers_of(type_)
    return is_of(value, numbers, span) if numbers else None
