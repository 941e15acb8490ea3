"""Applications inside of opened predicate instances, which are about what these contain.

An instance of a predicate is finite: what is inside of it is smaller. An application that stands
inside `unfolding P(x) in ...` is smaller only if all instances that its precondition asks for are
inside of opened ones. Functions may look at `P(x)` itself while it is opened: an application about
`P(x)` once more would never come to an end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pitviper.base.record import record
from pitviper.plugins.build import substitute
from pitviper.program import expr as x
from pitviper.program.assertion import (
    Access,
    Assertion,
    Choice,
    FieldLocation,
    Guarded,
    PredicateLocation,
    Star,
)
from pitviper.program.member import Function, Program
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants

Place = FieldLocation | PredicateLocation
Truth = tuple[x.Expr, bool]
"""A condition, and whether it is true."""


@record
class Application:
    """An application of a function, the instances opened around it, and when it is made."""

    app: x.FunctionApp
    opened: tuple[PredicateLocation, ...]
    when: frozenset[Truth]


@record
class _Held:
    """A location inside of an instance, and when it is there."""

    location: Place
    when: frozenset[Truth]


def applications(e: Node) -> Iterator[Application]:
    """All applications in an expression; names that `let` gives stand for what they mean."""
    yield from _applications(e, (), frozenset(), {})


def _applications(
    e: Node,
    opened: tuple[PredicateLocation, ...],
    when: frozenset[Truth],
    names: Mapping[str, x.Expr],
) -> Iterator[Application]:
    match e:
        case x.Unfolding(predicate=instance, body=body):
            for arg in instance.args:
                yield from _applications(arg, opened, when, names)
            yield from _applications(body, (*opened, substitute(instance, names)), when, names)
            return
        case x.Let(variable=variable, bound=bound, body=body):
            yield from _applications(bound, opened, when, names)
            named = {**names, variable.name: substitute(bound, names)}
            yield from _applications(body, opened, when, named)
            return
        case x.FunctionApp():
            yield Application(substitute(e, names), opened, when)
    for child, also in _parts(e):
        more = frozenset([(substitute(fact, names), truth) for fact, truth in also])
        yield from _applications(child, opened, when | more, names)


def _parts(e: Node) -> Iterator[tuple[Node, frozenset[Truth]]]:
    """The parts of an expression, each with the conditions under which it is evaluated."""
    match e:
        case x.Conditional(condition, then, otherwise):
            yield condition, frozenset()
            yield then, _facts(condition, truth=True)
            yield otherwise, _facts(condition, truth=False)
        case x.Implies(condition, body):
            yield condition, frozenset()
            yield body, _facts(condition, truth=True)
        case x.And(operands) | x.Or(operands):
            before: frozenset[Truth] = frozenset()
            for operand in operands:
                yield operand, before
                before |= _facts(operand, truth=isinstance(e, x.And))
        case _:
            for child in children(e):
                yield child, frozenset()


def facts_of(clauses: Sequence[Assertion]) -> frozenset[Truth]:
    """What clauses say in any case."""
    found: frozenset[Truth] = frozenset()
    todo: list[Node] = [*clauses]
    while todo:
        part = todo.pop()
        if isinstance(part, Star):
            todo.extend(children(part))
        elif isinstance(part, x.Expr):
            found |= _facts(part, truth=True)
    return found


_NEGATED = {x.CompareOp.GE: x.CompareOp.LT, x.CompareOp.GT: x.CompareOp.LE}


def _facts(e: x.Expr, *, truth: bool) -> frozenset[Truth]:
    """What is known if a condition is true, or false: single facts, each written in one way."""
    match e:
        case x.Unfolding(body=body):
            return _facts(body, truth=truth)
        case x.Not(operand):
            return _facts(operand, truth=not truth)
        case x.And(operands) if truth:
            return frozenset().union(*[_facts(operand, truth=truth) for operand in operands])
        case x.Or(operands) if not truth:
            return frozenset().union(*[_facts(operand, truth=truth) for operand in operands])
        case x.NotEqual(left, right):
            return _facts(x.Equal(left, right, span=e.span), truth=not truth)
        case x.Equal(left, right):
            return frozenset([(e, truth), (x.Equal(right, left, span=e.span), truth)])
        case x.Compare(op, left, right) if op in _NEGATED:
            return frozenset([(x.Compare(_NEGATED[op], left, right, span=e.span), not truth)])
        case _:
            return frozenset([(e, truth)])


def is_deeper(program: Program, found: Application) -> bool:
    """Whether all instances that an application needs are surely inside of opened ones."""
    if not found.opened:
        return False
    inside = [held for instance in found.opened for held in _contents(program, instance)]
    known = found.when | _not_null(program.functions[found.app.function], found.app)
    there = [held.location for held in inside if held.when <= known]
    return all(at in there for at in _instances(program, found.app))


def _not_null(function: Function, app: x.FunctionApp) -> frozenset[Truth]:
    """The arguments that the precondition asks to be objects: whoever applies it has shown that."""
    values = {p.name: arg for p, arg in zip(function.params, app.args, strict=True)}
    asked_for = [
        substitute(clause, values)
        for clause in function.preconditions
        if isinstance(clause, x.NotEqual) and isinstance(clause.right, x.NullLit)
    ]
    return frozenset().union(*[_facts(clause, truth=True) for clause in asked_for])


def is_the_same(program: Program, found: Application) -> bool:
    """Whether an application is about an instance that is opened around it."""
    return any(at in found.opened for at in _instances(program, found.app))


def _instances(program: Program, app: x.FunctionApp) -> list[PredicateLocation]:
    needed = asked(program.functions[app.function], app)
    return [at for at in needed if isinstance(at, PredicateLocation)]


def asked(function: Function, app: x.FunctionApp) -> list[Place]:
    """The locations that the precondition of an application asks for."""
    values = {p.name: arg for p, arg in zip(function.params, app.args, strict=True)}
    return [
        node.location
        for pre in function.preconditions
        for node in descendants(substitute(pre, values))
        if isinstance(node, Access)
    ]


def _contents(program: Program, instance: PredicateLocation) -> list[_Held]:
    predicate = program.predicates.get(instance.predicate)
    if predicate is None or predicate.body is None:
        return []
    values = {p.name: arg for p, arg in zip(predicate.params, instance.args, strict=True)}
    return list(_held(substitute(predicate.body, values), frozenset()))


def _held(e: Assertion, when: frozenset[Truth]) -> Iterator[_Held]:
    """The locations of an assertion, but not those of quantifiers.

    What is held with an amount that may be none need not be there at all: `acc(P(x), none)` can be
    said inside of `P(x)` itself.
    """
    match e:
        case Access(location, amount):
            if _is_some(amount):
                yield _Held(location, when)
        case Star(conjuncts):
            for conjunct in conjuncts:
                yield from _held(conjunct, when)
        case Guarded(condition, body):
            yield from _held(body, when | _facts(condition, truth=True))
        case Choice(condition, then, otherwise):
            yield from _held(then, when | _facts(condition, truth=True))
            yield from _held(otherwise, when | _facts(condition, truth=False))


def _is_some(amount: x.Expr) -> bool:
    """Whether the text tells that an amount is more than none."""
    match amount:
        case x.PermLit(constant):
            return constant is not x.PermConstant.NONE
        case x.PermArith(x.PermOp.FRACTION, x.IntLit(part), x.IntLit(whole)):
            return part > 0 and whole > 0
        case _:
            return False


def surely_held(clauses: Sequence[Assertion]) -> list[Place]:
    """The locations that assertions hold under no condition."""
    return [held.location for e in clauses for held in _held(e, frozenset()) if not held.when]
