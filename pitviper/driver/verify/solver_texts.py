"""Whether the solver understands the SMT-LIB text of interpreted domains, before it is needed."""

from __future__ import annotations

from pitviper.encoding.symbols import Symbols
from pitviper.program.member import Domain, DomainFunction, Program
from pitviper.solver.limits import CHECK
from pitviper.solver.session import Path
from pitviper.solver.z3.session import Z3Session
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.terms import build as tb
from pitviper.terms.sort import SolverTextError
from pitviper.terms.supply import Supply


def wrong_texts(program: Program) -> tuple[Diagnostic, ...]:
    """One for each function of a domain whose text, or whose sorts, no solver reads.

    Domains with type parameters are looked at when they are instantiated.
    """
    asked = [
        (domain, function)
        for domain in program.domains.values()
        for function in domain.functions
        if function.interpretation is not None and not domain.type_params
    ]
    found = [_wrong(domain, function, program) for domain, function in asked]
    return tuple([one for one in found if one is not None])


def _wrong(domain: Domain, function: DomainFunction, program: Program) -> Diagnostic | None:
    """The function is applied to any arguments: the solver has to read its text for that."""
    supply = Supply("text")
    try:
        symbol = Symbols(program).domain_function(domain.name, function.name, ())
        args = [supply.constant("x", sort) for sort in symbol.domain]
        goal = tb.equal(tb.apply(symbol, *args), supply.constant("y", symbol.range))
        with Z3Session() as session:
            session.entails(Path(), goal, CHECK)
    except SolverTextError as error:
        said = " ".join(str(error).split())
        message = f"the solver does not understand this interpretation: {said}"
        return Diagnostic("consistency.error", Severity.ERROR, function.span, message)
    return None
