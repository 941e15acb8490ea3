"""`derives { contains }`: the arguments of a constructor lie in what it builds."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.plugins.adt.domain import for_all_built, parameters
from pitviper.plugins.adt.symbols import AsDomain, construct, own_type
from pitviper.plugins.build import conjunction
from pitviper.program.expr import DomainApp, Expr
from pitviper.program.member import Adt, Axiom, Program
from pitviper.program.types import BOOL

CONTAINS = "contains"


@record
class Contains:
    """The relation that a library file declares."""

    domain: str

    def of(self, part: Expr, whole: Expr) -> DomainApp:
        types = (part.type, whole.type)
        return DomainApp(self.domain, CONTAINS, types, (part, whole), BOOL, span=part.span)


def contains_relation(program: Program) -> Contains | None:
    """None if the program does not import the relation: then nothing is derived."""
    for domain in program.domains.values():
        if len(domain.type_params) == 2 and any(f.name == CONTAINS for f in domain.functions):
            return Contains(domain.name)
    return None


def contains_axioms(adt: Adt, contains: Contains, encode: AsDomain) -> list[Axiom]:
    """One axiom for each constructor with an argument that is not left out.

    The type in `contains[T]` leaves nothing out: the relation is there for all types.
    """
    axioms: list[Axiom] = []
    for derivation in adt.derivations:
        if derivation.name != CONTAINS:
            continue
        for constructor in adt.constructors:
            variables = parameters(constructor, encode)
            parts = [x for x in variables if x.name not in derivation.without]
            if parts:
                built = construct(constructor.name, variables, own_type(adt), constructor.span)
                fact = conjunction([contains.of(x, built) for x in parts], derivation.span)
                axiom = for_all_built(variables, built, fact)
                axioms.append(Axiom(None, axiom, span=derivation.span))
    return axioms
