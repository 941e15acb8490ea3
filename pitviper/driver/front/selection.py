"""A part of a program: chosen members with all that they depend on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from pitviper.base.record import replace
from pitviper.base.similar import nearest, there_are
from pitviper.base.usage_error import UsageError
from pitviper.program.assertion import PredicateLocation
from pitviper.program.classes import CLASS
from pitviper.program.expr import FunctionApp, PredicateInstance
from pitviper.program.member import Declaration, Program, is_brought_along
from pitviper.program.node import Node
from pitviper.program.stmt import MethodCall
from pitviper.program.walk import descendants

M = TypeVar("M", bound=Declaration)


def select_members(program: Program, names: Iterable[str]) -> Program:
    """The program with the named methods, functions and predicates and those they mention.

    Fields, domains and algebraic data types stay, with the functions in the axioms of domains:
    these axioms hold for every member. So does the class of an object, by which what is known of
    parameters and of bodies of several classes is said. UsageError for a name that the program
    does not have.
    """
    declared: dict[str, Declaration] = {
        **program.methods,
        **program.functions,
        **program.predicates,
    }
    wanted = list(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in declared]
    if unknown:
        own = [name for name, member in declared.items() if not is_brought_along(member)]
        close = [near for near in [nearest(name, declared) for name in unknown] if near]
        hint = f": did you mean {', '.join(close)}?" if close else there_are(own)
        names = ", ".join(unknown)
        raise UsageError(f"there is no method, function or predicate named {names}{hint}")
    of_all = [*_mentioned(program.domains.values()), *[name for name in declared if name == CLASS]]
    kept = _reachable(declared, [*wanted, *of_all])
    return replace(
        program,
        methods=_only(program.methods, kept),
        functions=_only(program.functions, kept),
        predicates=_only(program.predicates, kept),
    )


def _reachable(declared: Mapping[str, Node], start: list[str]) -> set[str]:
    found = set(start)
    todo = list(start)
    while todo:
        for name in _mentioned([declared[todo.pop()]]):
            if name not in found:
                found.add(name)
                todo.append(name)
    return found


def _mentioned(nodes: Iterable[Node]) -> list[str]:
    """The methods, functions and predicates that the nodes call, apply or speak about."""
    names: list[str] = []
    for node in nodes:
        for inner in descendants(node):
            match inner:
                case MethodCall(method=name) | FunctionApp(function=name):
                    names.append(name)
                case PredicateLocation(predicate=name) | PredicateInstance(predicate=name):
                    names.append(name)
    return names


def _only(table: Mapping[str, M], kept: set[str]) -> dict[str, M]:
    return {name: member for name, member in table.items() if name in kept}
