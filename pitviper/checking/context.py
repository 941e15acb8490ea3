"""What every rule of the checker reaches: tables, scope, findings, and what is allowed here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pitviper.base.record import record
from pitviper.checking.options import CheckOptions
from pitviper.checking.report import Phase, Report
from pitviper.checking.scope import (
    GlobalClashes,
    Globals,
    Local,
    Scope,
    TypeInfo,
    similar,
)
from pitviper.program import expr as x
from pitviper.program.types import Type
from pitviper.source.edit import Cure
from pitviper.source.span import Span
from pitviper.syntax import tree

if TYPE_CHECKING:
    from pitviper.checking.infer import Lowered

_SUGGESTIONS = 20
"""Names are compared with those in scope only for so many errors: it takes time."""


@record
class Rules:
    """What an expression may contain where it stands.

    `perm_ban` is the message for `perm` and `forperm`; inside a pair `[A, B]` it is lifted if
    `ban_ends_in_pair`. `measure`: in a termination measure, where a predicate call is an instance.
    """

    result: Type | None = None
    perm_ban: str | None = None
    ban_ends_in_pair: bool = False
    wand_ban: bool = False
    in_axiom: bool = False
    measure: bool = False
    assuming: bool = False


class Context:
    """One per program; `enter_member` starts a member."""

    __slots__ = (
        "_hole", "_suggestions", "clashes", "domain", "has_pairs", "let_holes", "lower", "measures",
        "options", "report", "rules", "scope", "table", "trials_left", "undecided_lets",
    )  # fmt: skip

    def __init__(
        self,
        table: Globals,
        report: Report,
        options: CheckOptions,
        lower: Callable[[tree.Expr, Context], Lowered],
    ) -> None:
        self.table = table
        self.report = report
        self.options = options
        self.lower = lower
        self.rules = Rules()
        self.scope = Scope(lambda: set(), report)
        self.clashes = GlobalClashes(table, report)
        self.domain: TypeInfo | None = None
        self.measures: list[Type] = []
        """Types of all termination measures, in source order."""
        self.undecided_lets = 0
        """How many lets around this point have a bound expression of undecided type."""
        self.trials_left = 0
        """How many more types of let-bound variables may be tried out."""
        self.let_holes: dict[str, list[Type]] = {}
        """Holes in the types of let-bound variables that are being looked for: what they are."""
        self.has_pairs = False
        """Whether there are pairs `[A, B]` of truth values."""
        self._hole = 0
        self._suggestions = 0

    def enter_member(self, order: int, names: Callable[[], set[str]]) -> None:
        self.clashes.order = order
        self.scope = Scope(names, self.report)
        self.rules = Rules()
        self.domain = None

    # ------------------------------------------------------------ names

    def declare(self, name: tree.Identifier, local: Local) -> None:
        """Bring a variable into scope under its source name."""
        self.scope.declare(name)
        self.scope.bind(name.name, local)

    def leave_member(self) -> None:
        """Compare the names of a member with those of all members."""
        for name in self.scope.close():
            self.clashes.check(name)

    def suggest(self, name: str, *candidates: Iterable[str]) -> str | None:
        """Help for a misspelt name."""
        if self._suggestions >= _SUGGESTIONS:
            return None
        self._suggestions += 1
        return similar(name, [known for table in candidates for known in table])

    def hole_name(self, hint: str) -> str:
        self._hole += 1
        return f"{hint}?{self._hole}"

    # ------------------------------------------------------------ findings

    def error(self, span: Span, message: str, *, help: str | None = None) -> None:
        self.report.error(span, message, help=help)

    def shape_error(
        self, span: Span, message: str, *, help: str | None = None, cures: tuple[Cure, ...] = ()
    ) -> None:
        """An error that Viper finds while it translates: only if the types are right."""
        self.report.shape(span, message, help, cures)

    def inconsistent(self, span: Span, message: str) -> None:
        self.report.error(span, message, phase=Phase.CONSISTENCY)

    def bad(self, span: Span, t: Type) -> x.Expr:
        """Stands for an expression that has been reported; its type is `t` as far as known."""
        return x.Var("<error>", t, span=span)
