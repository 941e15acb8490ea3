"""Supplies names that nothing in the program has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitviper.program.expr import Var
from pitviper.program.member import Domain, Member, Program, all_members
from pitviper.program.stmt import Label
from pitviper.program.walk import descendants


class Names:
    """Fresh names for one program.

    Source programs know no shadowing, so a new global name must differ from every name in every
    member, and a new local name from every global one. Collecting the names takes a walk through
    the program, so it waits until the first name is asked for.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._everywhere: set[str] | None = None
        self._global: set[str] | None = None
        self._issued: set[str] = set()
        self._issued_inside: set[str] = set()
        self._next: dict[str, int] = {}

    def fresh(self, hint: str) -> str:
        """A name that occurs nowhere, for a member or for a local of an existing member."""
        if self._everywhere is None:
            self._everywhere = set(global_names(self._program))
            for member in all_members(self._program):
                self._everywhere.update(_local_names(member))
        taken = (self._everywhere, self._issued, self._issued_inside)
        name = _first_free(hint, taken, self._next)
        self._issued.add(name)
        return name

    def of_new_member(self, variables: Iterable[str]) -> LocalNames:
        """Names for a generated member with these variables.

        They may repeat the locals of other members; no later global name will be one of them.
        """
        if self._global is None:
            self._global = set(global_names(self._program))
        taken = (set(variables), self._global, self._issued)
        return LocalNames(taken, self._issued_inside)


class LocalNames:
    """Fresh names inside one generated member."""

    def __init__(self, taken: tuple[set[str], ...], issued: set[str]) -> None:
        self._own: set[str] = set()
        self._taken = (self._own, *taken)
        self._issued = issued
        self._next: dict[str, int] = {}

    def fresh(self, hint: str) -> str:
        name = _first_free(hint, self._taken, self._next)
        self._own.add(name)
        self._issued.add(name)
        return name


def _first_free(hint: str, taken: tuple[set[str], ...], counters: dict[str, int]) -> str:
    name = hint
    while any([name in names for names in taken]):
        number = counters.get(hint, 0)
        counters[hint] = number + 1
        name = f"{hint}_{number}"
    return name


def global_names(program: Program) -> Iterator[str]:
    """The names that are visible everywhere, and the type parameters."""
    for member in all_members(program):
        yield member.name
    for domain in program.domains.values():
        yield from _names_in_domain(domain)
    for adt in program.adts.values():
        yield from adt.type_params
        for constructor in adt.constructors:
            yield constructor.name
            yield f"is{constructor.name}"
            for parameter in constructor.params:
                yield parameter.name


def _names_in_domain(domain: Domain) -> Iterator[str]:
    yield from domain.type_params
    for function in domain.functions:
        yield function.name
    for axiom in domain.axioms:
        if axiom.name is not None:
            yield axiom.name


def _local_names(member: Member) -> Iterator[str]:
    for node in descendants(member):
        if isinstance(node, Var | Label):
            yield node.name
