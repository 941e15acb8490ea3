"""Classes as rooms: bodies of predicates and pure methods are known in their own class only.

A member with a qualified name, `Cell.get`, belongs to the room `Cell`; others, such as a main
routine, are outside. From a room, members of other rooms have contracts and no bodies. A member
that an interface declares and classes define is annotated with these classes. Its body has a part
for each of them, chosen by the class of `this`, and a class knows its own part: for objects of
other classes a member without a body stands there (`ELSEWHERE`), of which the contract is known.
So it is verified once in each of these classes, and whoever runs a program takes it as it is.
Programs of Viper have no rooms: all members see all bodies.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.classes import CLASS, class_of
from pitviper.program.hidden import without_looks
from pitviper.program.member import Declaration, Function, Method, Predicate, Program
from pitviper.program.node import Annotation
from pitviper.source.span import NO_SPAN

SEEN_BY = "seen_by"
"""The annotation of members that several classes define: names of classes, with their numbers."""

ELSEWHERE = " of other classes"
"""What the names of interfaces end in where other classes than the own one are meant."""

WHOLE = "whole"
"""The annotation of predicates whose body, known here or not, holds all of a field of `this`."""

OPEN = "all_bodies"
"""The annotation of a method that is tried with all bodies known."""

OUTSIDE = ""
"""The room of members that belong to no class."""


def room_of(name: str) -> str:
    """The class that a member belongs to."""
    return name.partition(".")[0] if "." in name else OUTSIDE


def has_rooms(program: Program) -> bool:
    """Whether some body is not known everywhere."""
    if any(note.key == OPEN for m in program.methods.values() for note in m.annotations):
        return False
    return any("." in name for table in (program.functions, program.predicates) for name in table)


def with_all_bodies(program: Program, method: str) -> Program:
    """The program in which a method knows all bodies, to find out whether it fails for want of it.

    Nothing is proved that way.
    """
    own = program.methods[method]
    known = replace(own, annotations=(*own.annotations, Annotation(OPEN, ())))
    return replace(program, methods={**program.methods, method: known})


def rooms_of(program: Program, name: str) -> tuple[str, ...]:
    """The classes in which a member is verified: those that define it, or else its own."""
    tables = (program.functions, program.predicates, program.methods)
    member = next((table[name] for table in tables if name in table), None)
    defining = () if member is None or member.body is None else tuple(_classes(member))
    return defining or (room_of(name),)


def is_known(program: Program, name: str, room: str) -> bool:
    """Whether a room knows the body of a member, or its part of it."""
    return room in rooms_of(program, name)


def known_from(program: Program, room: str) -> frozenset[str]:
    """The rooms whose bodies the members of a room know: its own, or none if it has no bodies.

    Rooms that know the same rooms see the same program.
    """
    members = (*program.functions.values(), *program.predicates.values())
    if any(room_of(member.name) == room and not _classes(member) for member in members):
        return frozenset({room})
    return frozenset({room}) if any(room in _classes(member) for member in members) else frozenset()


def seen_from(program: Program, room: str) -> Program:
    """The program as the members of a room see it."""
    return seen_with(program, known_from(program, room))


def seen_with(program: Program, visible: frozenset[str]) -> Program:
    """The program as it is seen where the bodies of some rooms are known."""
    functions: dict[str, Function] = {}
    for function in program.functions.values():
        functions.update({f.name: f for f in _seen_function(function, visible)})
    predicates: dict[str, Predicate] = {}
    for predicate in program.predicates.values():
        note = (Annotation(WHOLE, ()),) if holds_a_field(predicate.body, predicate.params) else ()
        for seen in _seen_predicate(predicate, visible):
            told = replace(seen, annotations=(*seen.annotations, *note)) if note else seen
            predicates[seen.name] = told
    methods = {name: _seen_method(method, visible) for name, method in program.methods.items()}
    whole = replace(program, functions=functions, predicates=predicates, methods=methods)
    return without_looks(whole, lambda member: room_of(member) not in visible)


def is_held_once(predicate: Predicate) -> bool:
    """Whether all instances of a predicate with one first argument are no more than a whole one."""
    is_told = any(note.key == WHOLE for note in predicate.annotations)
    return is_told or holds_a_field(predicate.body, predicate.params)


def holds_a_field(body: a.Assertion | None, params: tuple[x.Var, ...]) -> bool:
    """Whether a body holds all of some field of the first parameter, in whichever case."""
    match body:
        case a.Star(conjuncts):
            return any(holds_a_field(conjunct, params) for conjunct in conjuncts)
        case a.Choice(_, then, otherwise):
            return holds_a_field(then, params) and holds_a_field(otherwise, params)
        case a.Access(a.FieldLocation(receiver), x.PermLit(x.PermConstant.WRITE)):
            return bool(params) and receiver == params[0]
        case _:
            return False


def _seen_function(function: Function, visible: frozenset[str]) -> tuple[Function, ...]:
    """A function as a room sees it, and the one that stands for what other classes define."""
    classes = _classes(function)
    if not classes and room_of(function.name) in visible:
        return (function,)
    own = [number for name, number in classes.items() if name in visible]
    if not own or function.body is None:
        return (replace(function, body=None),)
    name = _elsewhere(function.name)
    rest: x.Expr = x.FunctionApp(name, function.params, function.result, span=function.span)
    for number in own:
        part = _part(function.body, number, frozenset(classes.values()))
        condition = _of_class(function.params[0], number)
        rest = x.Conditional(condition, part, rest, span=part.span)
    return replace(function, body=None, name=name, span=NO_SPAN), replace(function, body=rest)


def _seen_predicate(predicate: Predicate, visible: frozenset[str]) -> tuple[Predicate, ...]:
    """A predicate as a room sees it, and the one that stands for what other classes define."""
    classes = _classes(predicate)
    if not classes and room_of(predicate.name) in visible:
        return (predicate,)
    own = [number for name, number in classes.items() if name in visible]
    if not own or predicate.body is None:
        return (replace(predicate, body=None),)
    name = _elsewhere(predicate.name)
    location = a.PredicateLocation(name, predicate.params, span=predicate.span)
    full = x.PermLit(x.PermConstant.WRITE, span=predicate.span)
    rest: a.Assertion = a.Access(location, full, span=predicate.span)
    for number in own:
        part = _part_held(predicate.body, number, frozenset(classes.values()))
        condition = _of_class(predicate.params[0], number)
        rest = a.Choice(condition, part, rest, span=part.span)
    return replace(predicate, body=None, name=name, span=NO_SPAN), replace(predicate, body=rest)


def _seen_method(method: Method, visible: frozenset[str]) -> Method:
    """A proof about a member of an interface is about the part of the class that sees it."""
    own = [number for name, number in _classes(method).items() if name in visible]
    if not own or method.body is None:
        return method
    facts = [_of_class(method.params[0], number) for number in own]
    known = [s.Inhale(fact, span=NO_SPAN) for fact in facts]
    return replace(method, body=replace(method.body, statements=(*known, *method.body.statements)))


def _of_class(this: x.Var, number: int) -> x.Expr:
    """That `this` is of a class; nobody wrote that, so that it is no condition of a path."""
    return replace(class_of(this, number, this.span), span=NO_SPAN)


def is_elsewhere(name: str) -> bool:
    """Whether a member stands for what other classes define: nobody has written it."""
    return room_of(name).endswith(ELSEWHERE)


def _elsewhere(name: str) -> str:
    home, _, own = name.partition(".")
    return f"{home}{ELSEWHERE}.{own}"


def _part(body: x.Expr, number: int, numbers: frozenset[int]) -> x.Expr:
    """What a class gives as the body of a pure method; the last part belongs to the class that is
    left over. Openings may stand around the choice of a class."""
    match body:
        case x.Unfolding(body=inside):
            return replace(body, body=_part(inside, number, numbers))
        case x.Conditional(condition, then, otherwise):
            chosen = _chosen_class(condition)
            if chosen is None or chosen not in numbers:
                return body
            return then if chosen == number else _part(otherwise, number, numbers - {chosen})
        case _:
            return body


def _part_held(body: a.Assertion, number: int, numbers: frozenset[int]) -> a.Assertion:
    """What a class gives as the body of a predicate."""
    match body:
        case a.Choice(condition, then, otherwise):
            chosen = _chosen_class(condition)
            if chosen is None or chosen not in numbers:
                return body
            return then if chosen == number else _part_held(otherwise, number, numbers - {chosen})
        case _:
            return body if isinstance(body, a.Impure) else _part(body, number, numbers)


def _chosen_class(condition: x.Expr) -> int | None:
    """The number of a class, in a choice by the class of `this` that nobody wrote."""
    match condition:
        case x.Equal(x.FunctionApp(function, (x.Var("this"),)), x.IntLit(number)):
            return number if function == CLASS and condition.span == NO_SPAN else None
        case _:
            return None


def views(program: Program) -> Iterator[tuple[Program, frozenset[str]]]:
    """For each room, what its members see, and the members; one for all in a program without."""
    members = (*program.methods, *program.functions, *program.predicates)
    if not has_rooms(program):
        yield program, frozenset(members)
        return
    rooms: dict[str, list[str]] = {}
    for name in members:
        for room in rooms_of(program, name):
            rooms.setdefault(room, []).append(name)
    for room, inside in rooms.items():
        yield seen_from(program, room), frozenset(inside)


def _classes(member: Declaration) -> dict[str, int]:
    """The classes that define a member of an interface, with their numbers."""
    notes = [note.values for note in member.annotations if note.key == SEEN_BY]
    return {n: int(number) for v in notes for n, number in zip(v[::2], v[1::2], strict=True)}
