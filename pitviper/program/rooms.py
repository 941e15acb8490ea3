"""Classes as rooms: bodies of predicates and pure methods are known in their own class only.

A member with a qualified name, `Cell.get`, belongs to the room `Cell`; others, such as a main
routine, are outside. From a room, members of other rooms have contracts and no bodies. A member
that an interface declares and classes define is annotated with these classes: they see each other.
Programs of Viper have no rooms: all members see all bodies.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.program.hidden import without_looks
from pitviper.program.member import Declaration, Program

SEEN_BY = "seen_by"
"""The annotation of members that are defined in several classes."""

OUTSIDE = ""
"""The room of members that belong to no class."""


def room_of(name: str) -> str:
    """The class that a member belongs to."""
    return name.partition(".")[0] if "." in name else OUTSIDE


def has_rooms(program: Program) -> bool:
    """Whether some body is not known everywhere."""
    return any("." in name for table in (program.functions, program.predicates) for name in table)


def known_from(program: Program, room: str) -> frozenset[str]:
    """The rooms whose bodies the members of a room know; those without any are left out.

    Rooms that know the same rooms see the same program.
    """
    visible, homes = {room}, set[str]()
    for member in (*program.functions.values(), *program.predicates.values()):
        classes = _classes(member)
        own = room_of(member.name)
        homes.add(own)
        if room in classes:
            visible.add(own)
        elif own == room:
            visible.update(classes)
    return frozenset(visible & homes)


def seen_from(program: Program, room: str) -> Program:
    """The program as the members of a room see it."""
    return seen_with(program, known_from(program, room))


def seen_with(program: Program, visible: frozenset[str]) -> Program:
    """The program as it is seen where the bodies of some rooms are known."""
    functions = {
        name: f if room_of(name) in visible else replace(f, body=None)
        for name, f in program.functions.items()
    }
    predicates = {
        name: p if room_of(name) in visible else replace(p, body=None)
        for name, p in program.predicates.items()
    }
    seen = replace(program, functions=functions, predicates=predicates)
    return without_looks(seen, lambda name: room_of(name) not in visible)


def views(program: Program) -> Iterator[tuple[Program, frozenset[str]]]:
    """For each room, what its members see, and the members; one for all in a program without."""
    members = (*program.methods, *program.functions, *program.predicates)
    if not has_rooms(program):
        yield program, frozenset(members)
        return
    for room in dict.fromkeys([room_of(name) for name in members]):
        yield seen_from(program, room), frozenset([n for n in members if room_of(n) == room])


def _classes(member: Declaration) -> tuple[str, ...]:
    return tuple([v for note in member.annotations if note.key == SEEN_BY for v in note.values])
