"""Names for the variables and labels that an expansion declares."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.syntax import tree
from pitviper.syntax.walk import children


class Names:
    """The names of one member: those its text declares, and those its expansions add."""

    def __init__(self, member: tree.Node, global_names: frozenset[str]) -> None:
        self._member = member
        self._global = global_names
        self._taken: set[str] | None = None
        self._numbers: dict[str, int] = {}

    def declare(self, name: str) -> str:
        """`name` itself if nothing else has it, otherwise `name$N`."""
        chosen = name
        while self._is_taken(chosen):
            number = self._numbers.get(name, -1) + 1
            self._numbers[name] = number
            chosen = f"{name}${number}"
        self._known().add(chosen)
        return chosen

    def reserve(self, names: Iterable[str]) -> None:
        """Names that occur in arguments, which no declaration of an expansion may capture."""
        self._known().update(names)

    def _is_taken(self, name: str) -> bool:
        return name in self._global or name in self._known()

    def _known(self) -> set[str]:
        if self._taken is None:
            self._taken = declared_names(self._member)
        return self._taken


def declared_names(member: tree.Node) -> set[str]:
    """Variables and labels that `member` declares anywhere, apart from the bodies of macros."""
    found: set[str] = set()
    todo = [member]
    while todo:
        node = todo.pop()
        match node:
            case tree.Define():
                continue
            case tree.VarBinding(name) | tree.Let(name) | tree.Label(name):
                found.add(name.name)
            case tree.DomainParameter(tree.Identifier(name=text)):
                found.add(text)
        todo.extend(children(node))
    return found


def global_names(members: Iterable[tree.Member]) -> frozenset[str]:
    """All names that members declare for the whole program, apart from macros."""
    found: set[str] = set()
    for member in members:
        match member:
            case tree.FieldDeclaration(variables):
                found.update(variable.name.name for variable in variables)
            case tree.Domain():
                found.add(member.name.name)
                found.update(part.name.name for part in member.members if part.name is not None)
            case tree.Adt():
                found.add(member.name.name)
                found.update(constructor.name.name for constructor in member.constructors)
            case tree.Method() | tree.Function() | tree.Predicate():
                found.add(member.name.name)
    return frozenset(found)
