"""The functions of the program that compare termination measures."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.program.expr import DomainApp, Expr
from pitviper.program.member import Domain, Program
from pitviper.program.types import BOOL, Type
from pitviper.source.span import Span

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
