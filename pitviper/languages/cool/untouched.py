"""`untouched(A)`: all that A gives access to is as it was when the method was called.

For a field that is an equation with its old value. For a predicate it is an equation between two
states of the heap: the value of a function of type `STATE` is the snapshot of its precondition, so
callers know again all that they knew about the predicate before the call.
"""

from __future__ import annotations

from pitviper.languages.cool.build import conjunction
from pitviper.languages.cool.classes import Table
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program.types import STATE
from pitviper.source.span import Span


def untouched(e: a.Assertion, table: Table, span: Span) -> x.Expr:
    """That nothing has changed in what an assertion gives access to."""
    match e:
        case a.Star(conjuncts):
            return _pure([untouched(part, table, span) for part in conjuncts], span)
        case a.Access(location=a.PredicateLocation(predicate, args)):
            table.states.add(predicate)
            state = x.FunctionApp(state_name(predicate), args, STATE, span=span)
            return x.Equal(state, x.Old(None, state, span=span), span=span)
        case a.Access(location=a.FieldLocation(receiver, field)):
            read = x.FieldRead(receiver, field, table.core_field_type(field), span=span)
            return x.Equal(read, x.Old(None, read, span=span), span=span)
        case a.Guarded(condition, body):
            return x.Implies(condition, untouched(body, table, span), span=span)
        case a.Choice(condition, then, otherwise):
            parts = untouched(then, table, span), untouched(otherwise, table, span)
            return x.Conditional(condition, *parts, span=span)
        case a.QuantifiedPermission(variables=variables, condition=condition, resource=resource):
            inside = x.Implies(condition, untouched(resource, table, span), span=span)
            return x.Forall(variables, (), inside, span=span)
        case _:
            return x.BoolLit(value=True, span=span)


def _pure(parts: list[x.Expr], span: Span) -> x.Expr:
    whole = conjunction([p for p in parts if p != x.BoolLit(value=True)], span)
    assert not isinstance(whole, a.Impure)
    return whole


def state_name(predicate: str) -> str:
    """The function whose value is the state of an instance; no name of a program has a blank."""
    return f"untouched {predicate}"


def state_function(predicate: m.Predicate) -> m.Function:
    """The function for the state of an instance: nobody sees it, so it has no place."""
    params = predicate.params
    location = a.PredicateLocation(predicate.name, params)
    needed = a.Access(location, x.PermLit(x.PermConstant.WRITE))
    return m.Function(state_name(predicate.name), params, STATE, (needed,), (), (), None)
