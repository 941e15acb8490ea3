"""What a member rests on: all that can change what is true of it.

NOTE(dependencies). A method is used by its contract; a function and a predicate by all that they
are. Axioms of domains hold for every member, so the functions in them belong to all.

NOTE(order). Functions may need each other through predicates: `P` applies `f` and `g`, and both
look into `P`. One of them comes first, and what it is proved with must not rest on it. So there is
one order, callees before callers wherever that is possible, and a function knows the definitions of
those before it and of no others. About one that is not known yet there is no axiom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.callgraph import CallGraph, strongly_connected
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants

Uses = dict[str, None]
"""Names in the order of their first use."""


class Dependencies:
    """Answers for all members of a program; every part of it is looked through once."""

    def __init__(self, program: Program, calls: CallGraph) -> None:
        self._program = program
        self._calls = calls
        self._used: dict[str, Uses] = {}
        self._known: dict[str, tuple[str, ...]] = {}
        self._everywhere = _names([a for d in program.domains.values() for a in d.axioms])
        self._order = {name: at for at, name in enumerate(self._ordered_functions())}

    def of(self, member: Function | Predicate | Method) -> tuple[str, ...]:
        """The methods, functions and predicates that a member uses, directly or through others.

        It is among them only if it uses itself.
        """
        known = self._known.get(member.name)
        if known is None:
            known = self._known[member.name] = self._closure(member)
        return known

    def _closure(self, member: Function | Predicate | Method) -> tuple[str, ...]:
        own = _names([member]) if isinstance(member, Method) else self._used_by(member.name)
        found = {**own, **self._everywhere}
        todo = list(found)
        while todo:
            for name in self._used_by(todo.pop()):
                if name not in found:
                    found[name] = None
                    todo.append(name)
        return tuple(found)

    @property
    def functions(self) -> tuple[str, ...]:
        """All functions, in the order in which they are verified: NOTE(order)."""
        return tuple(self._order)

    def functions_before(self, member: Function | Predicate | Method) -> tuple[str, ...]:
        """The functions whose definitions a member knows, callees before callers.

        A function knows those that come before it and none of its own cycle: they rest on it.
        """
        order, calls = self._order, self._calls
        known = [name for name in self.of(member) if name in order]
        if isinstance(member, Function):
            own, name = order[member.name], member.name
            known = [f for f in known if order[f] < own and not calls.same_component(f, name)]
        return tuple(sorted(known, key=order.__getitem__))

    def _ordered_functions(self) -> list[str]:
        """Cycles through predicates one after the other, inside of each those of calls alone."""
        program, heights = self._program, self._calls.heights
        uses = {
            name: (*self._used_by(name), *self._everywhere)
            for name in (*program.functions, *program.predicates)
        }
        cycles = [[name for name in cycle if name in heights] for cycle in strongly_connected(uses)]
        return [name for cycle in cycles for name in sorted(cycle, key=heights.__getitem__)]

    def _used_by(self, name: str) -> Uses:
        known = self._used.get(name)
        if known is None:
            known = self._used[name] = _names(_visible(name, self._program))
        return known


def _visible(name: str, program: Program) -> list[Node]:
    """The parts of a member that its users see."""
    method = program.methods.get(name)
    if method is not None:
        return [*method.preconditions, *method.postconditions]
    function = program.functions.get(name)
    return [program.predicates[name] if function is None else function]


_NAMES: dict[type, Callable[[Any], str]] = {
    ps.MethodCall: attrgetter("method"),
    pe.FunctionApp: attrgetter("function"),
    pa.PredicateLocation: attrgetter("predicate"),
    pe.PredicateInstance: attrgetter("predicate"),
}
"""What reads the name of the member that a node uses."""


def _names(nodes: Iterable[Node]) -> Uses:
    names: Uses = {}
    for node in nodes:
        for inner in descendants(node):
            read = _NAMES.get(inner.__class__)
            if read is not None:
                names[read(inner)] = None
    return names
