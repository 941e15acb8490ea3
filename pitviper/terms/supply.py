"""Fresh symbols with names that depend only on the order of requests."""

from __future__ import annotations

from pitviper.base.record import field, struct
from pitviper.terms.sort import Sort
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import App, Var, application, variable


@struct
class Supply:
    """One per member: `x@0`, `x@1`, ... The mark keeps them apart from names of the program.

    Members whose symbols others see, in axioms, have a supply with an `owner`: `x@f.0`.
    """

    owner: str = ""
    _used: dict[str, int] = field(default_factory=dict)

    def name(self, hint: str) -> str:
        number = self._used.get(hint, 0)
        self._used[hint] = number + 1
        return f"{hint}@{self.owner}.{number}" if self.owner else f"{hint}@{number}"

    def mark(self) -> dict[str, int]:
        """A point in time, for `is_since`."""
        return dict(self._used)

    @staticmethod
    def is_since(name: str, mark: dict[str, int]) -> bool:
        """Whether a name was made after a mark; names of the program were not."""
        hint, at, number = name.rpartition("@")
        return bool(at) and int(number.rpartition(".")[2]) >= mark.get(hint, 0)

    @staticmethod
    def is_of_one_run(name: str) -> bool:
        """Whether a name was made for one member, and no axiom can know it."""
        _, at, number = name.rpartition("@")
        return bool(at) and number.isdecimal()

    def constant(self, hint: str, sort: Sort) -> App:
        return application(function(self.name(hint), (), sort), ())

    def function(self, hint: str, domain: tuple[Sort, ...], range_: Sort) -> Function:
        return function(self.name(hint), domain, range_)

    def variable(self, hint: str, sort: Sort) -> Var:
        return variable(self.name(hint), sort)
