"""What the decreases clauses of a function, method or loop promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pitviper.base.record import record
from pitviper.plugins.build import NameSupply, disjunction
from pitviper.plugins.substitute import instantiate
from pitviper.program.expr import BoolLit, Expr
from pitviper.program.stmt import Decreases, DecreasesTuple, DecreasesWildcard
from pitviper.source.span import Span


@record
class Clauses:
    """The first clause of each kind; the star promises nothing."""

    tuple: DecreasesTuple | None
    wildcard: DecreasesWildcard | None

    def instantiate(self, values: Mapping[str, Expr], names: NameSupply) -> Clauses:
        """The clauses of a callee in terms of its caller."""
        return Clauses(
            None if self.tuple is None else instantiate(self.tuple, values, names),
            None if self.wildcard is None else instantiate(self.wildcard, values, names),
        )

    def terminates_if(self, span: Span) -> Expr:
        """The condition under which termination is proved or assumed."""
        clauses = [clause for clause in (self.tuple, self.wildcard) if clause is not None]
        return disjunction([condition_of(clause) for clause in clauses], span)


def clauses_of(decreases: Iterable[Decreases]) -> Clauses:
    tuples = [clause for clause in decreases if isinstance(clause, DecreasesTuple)]
    wildcards = [clause for clause in decreases if isinstance(clause, DecreasesWildcard)]
    return Clauses(tuples[0] if tuples else None, wildcards[0] if wildcards else None)


def condition_of(clause: DecreasesTuple | DecreasesWildcard) -> Expr:
    return BoolLit(value=True, span=clause.span) if clause.condition is None else clause.condition
