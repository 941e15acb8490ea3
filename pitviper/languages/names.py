"""The names of a file, for editors: where each is declared, and where it is used.

A language that resolves names tells a `Names` of each as it finds it. `declare` and `use` may be
told the same thing several times, since a contract may be read once for each class.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.source.span import Span


@record
class Named:
    """A declared name: `place` is the name itself, `whole` what declares it, `text` its head.

    `kind` is one of class, interface, field, method, function, predicate, parameter, variable.
    `scope` is where a local name means this, None for others; `inside` is the class or the method
    around it. Names with the same `family` are one name: an interface's and those of its classes.
    """

    name: str
    kind: str
    place: Span
    whole: Span
    text: str
    scope: Span | None = None
    inside: str | None = None
    params: tuple[str, ...] | None = None
    family: tuple[str, str] | None = None


class Names:
    """Declarations by the offsets of their names, and the places that mean each."""

    def __init__(self) -> None:
        self.declared: dict[int, Named] = {}
        self._uses: dict[int, int] = {}

    def declare(self, named: Named) -> None:
        self.declared.setdefault(named.place.start, named)

    def use(self, start: int, declared: Span) -> None:
        """The name at an offset means what is declared at a place."""
        self._uses.setdefault(start, declared.start)

    def meaning(self, start: int) -> Named | None:
        """What the name at an offset means, be it declared or used there."""
        found = self.declared.get(start)
        return found or self.declared.get(self._uses.get(start, -1))

    def all_places(self) -> set[int]:
        """The offsets of all names that mean something."""
        return {*self.declared, *self._uses}

    def places(self, named: Named) -> list[int]:
        """The offsets of all names that mean the same, in the order of the text."""
        meant = {
            at
            for at, other in self.declared.items()
            if other is named or (named.family is not None and other.family == named.family)
        }
        used = {at for at, declared in self._uses.items() if declared in meant}
        return sorted(meant | used)
