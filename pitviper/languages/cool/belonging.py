"""What the types of the object language tell about the classes of objects.

In the core all objects are references. A variable of a class or interface holds one of its objects,
which is known where it matters (`Table.has_dispatch`): types keep all others away. A quantifier
speaks about the objects of its type and about no others, so that it has to say so.
"""

from __future__ import annotations

from pitviper.languages.cool import types as ct
from pitviper.languages.cool.scope import Scope
from pitviper.program import expr as x
from pitviper.program.classes import fits
from pitviper.source.span import Span


def class_fact(value: x.Expr, type_: ct.CoolType, scope: Scope, span: Span) -> x.Expr | None:
    """What the type of a variable tells about the class of its object, where that matters."""
    own = ct.innermost(type_)
    known = scope.table.known_of(type_) if scope.table.has_dispatch(own) else None
    return None if known is None else fits(value, known, span)


def belongs(value: x.Expr, type_: ct.CoolType, scope: Scope, span: Span) -> x.Expr | None:
    """That a value is of a type: `null` or such an object; None where nothing is known."""
    known = scope.table.known_of(type_)
    return None if known is None else fits(value, known, span)
