"""What the decreases clauses of a function, method or loop promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pitviper.base.record import record
from pitviper.plugins.build import NameSupply, conjunction, disjunction, instantiate, is_false
from pitviper.program.expr import BoolLit, DomainApp, Equal, Expr
from pitviper.program.member import Domain, Program
from pitviper.program.stmt import Decreases, DecreasesTuple, DecreasesWildcard
from pitviper.program.types import BOOL, Type
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


def is_smaller(small: Sequence[Expr], large: Sequence[Expr], orders: Orders, span: Span) -> Expr:
    """The lexicographic order; a shorter tuple is padded with a top element.

    So an empty rest is never smaller, and a rest is smaller than an empty one. Measures of
    different types are not comparable. Built from the last compared measure backwards.
    """
    compared = _comparable(small, large)
    longer = compared == len(large) and compared < len(small)
    smaller: Expr = BoolLit(value=longer, span=span)
    for s, b in reversed(list(zip(small[:compared], large[:compared], strict=True))):
        decreasing = orders.is_decreasing(s, b, span)
        step = conjunction((decreasing, orders.is_bounded(b, b.span)), span)
        if is_false(smaller):
            smaller = step
        else:
            equal = conjunction((Equal(s, b, span=span), smaller), span)
            smaller = disjunction((step, equal), span)
    return smaller


def compares(small: Sequence[Expr], large: Sequence[Expr]) -> bool:
    """Whether the comparison needs an order at all."""
    return _comparable(small, large) > 0


def _comparable(small: Sequence[Expr], large: Sequence[Expr]) -> int:
    """How many measures in front have the same type on both sides."""
    count = 0
    for s, b in zip(small, large, strict=False):
        if s.type != b.type:
            break
        count += 1
    return count


ORDER_DOMAIN = "WellFoundedOrder"
DECREASING = "decreasing"
BOUNDED = "bounded"
NESTED = "nestedPredicates"


@record
class DomainSymbol:
    domain: str
    function: str

    def apply(self, type_args: tuple[Type, ...], args: tuple[Expr, ...], span: Span) -> DomainApp:
        return DomainApp(self.domain, self.function, type_args, args, BOOL, span=span)


@record
class Orders:
    """The symbols are None where the program lacks the function."""

    decreasing: DomainSymbol | None
    bounded: DomainSymbol | None
    nested: DomainSymbol | None

    @property
    def complete(self) -> bool:
        """Whether measures of ordinary types can be compared."""
        return self.decreasing is not None and self.bounded is not None

    def is_decreasing(self, small: Expr, large: Expr, span: Span) -> DomainApp:
        return _known(self.decreasing).apply((large.type,), (small, large), span)

    def is_bounded(self, large: Expr, span: Span) -> DomainApp:
        return _known(self.bounded).apply((large.type,), (large,), span)

    def is_nested(self, inner: Expr, outer: Expr, span: Span) -> DomainApp:
        return _known(self.nested).apply((), (inner, outer), span)


def _known(symbol: DomainSymbol | None) -> DomainSymbol:
    if symbol is None:
        raise LookupError("a program without order functions has no measures to compare")
    return symbol


def orders_of(program: Program) -> Orders:
    return Orders(
        _find(program, DECREASING, type_params=1, params=2),
        _find(program, BOUNDED, type_params=1, params=1),
        _find(program, NESTED, type_params=0, params=2),
    )


def _find(program: Program, name: str, *, type_params: int, params: int) -> DomainSymbol | None:
    """The function of the order domain, else of the first domain that declares such a one."""
    domains = list(program.domains.values())
    domains.sort(key=_is_not_the_order_domain)
    for domain in domains:
        for function in domain.functions:
            fits = len(function.params) == params and function.result == BOOL
            if function.name == name and fits and len(domain.type_params) == type_params:
                return DomainSymbol(domain.name, name)
    return None


def _is_not_the_order_domain(domain: Domain) -> bool:
    return domain.name != ORDER_DOMAIN
